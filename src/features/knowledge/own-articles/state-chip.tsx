import { OWN_ARTICLE_STATES, type OwnArticleState } from '#contracts/http/own-articles.ts'
import { useLanguage } from '#src/shared/i18n/texts.ts'
import { Chip } from '#src/shared/ui/chip.tsx'

const TONES = { draft: 'neutral', published: 'good', changed: 'warn' } as const

/** Draft, published, or published with changes that readers do not see yet. */
export function StateChip({ state }: { state: OwnArticleState }) {
  return <Chip tone={TONES[state]}>{OWN_ARTICLE_STATES[state][useLanguage()]}</Chip>
}
