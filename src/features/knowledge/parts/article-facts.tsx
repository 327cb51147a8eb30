import { ARTICLE_KINDS, ARTICLE_TOPICS, type ArticleLine, SOLUTION_KINDS } from '#contracts/http/knowledge.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import { knowledgeTexts } from './knowledge-texts.ts'

/** Kind, topic, platforms and reading time in one line. */
export function ArticleFacts({ article }: { article: ArticleLine }) {
  const t = useTexts(knowledgeTexts)
  const language = useLanguage()
  const { kind, solution, topic, platforms, minutes, own, only } = article
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-12 text-muted">
      <Chip tone="neutral">{solution ? SOLUTION_KINDS[solution][language] : ARTICLE_KINDS[kind][language]}</Chip>
      {own && <Chip>{t('own')}</Chip>}
      <span>{ARTICLE_TOPICS[topic][language]}</span>
      {platforms.map((platform) => (
        <span key={platform}>{t(platform)}</span>
      ))}
      {only && <span>{t(only === 'zh' ? 'onlyZh' : 'onlyEn')}</span>}
      <span>{t('minutes', { count: minutes })}</span>
    </span>
  )
}
