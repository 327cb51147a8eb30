import { Globe, type LucideIcon, Server, ShieldPlus, Smartphone } from 'lucide-react'
import { Link } from 'react-router-dom'
import { PAGES } from '#contracts/pages.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { pageAllowed, useAuthList } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { constructionTexts } from './construction-texts.ts'
import type { SdkChoice } from './use-progress.ts'

const CARDS: readonly { id: SdkChoice; icon: LucideIcon }[] = [
  { id: 'android', icon: Smartphone },
  { id: 'web', icon: Globe },
  { id: 'server', icon: Server },
  { id: 'shell', icon: ShieldPlus },
]

/** How the app will report: with an SDK, or by what reinforcement puts into its package. */
export function SdkStep({
  chosen,
  onChoose,
  onNext,
}: {
  chosen: SdkChoice | undefined
  onChoose: (sdk: SdkChoice) => void
  onNext: () => void
}) {
  const t = useTexts(constructionTexts)
  const auth = useAuthList()
  const links = (
    chosen === 'shell'
      ? [
          { page: PAGES.reinforce_policies, text: t('toPolicies') },
          { page: PAGES.reinforce_new, text: t('toReinforce') },
        ]
      : [
          { page: PAGES.sdk, text: t('toSdk') },
          { page: PAGES.guide, text: t('toGuide') },
        ]
  ).filter(({ page }) => page.built && pageAllowed(page, auth))
  return (
    <div className="max-w-3xl space-y-4 px-5 pb-6">
      <div role="radiogroup" aria-label={t('sdk')} className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        {CARDS.map(({ id, icon }) => (
          // biome-ignore lint/a11y/useSemanticElements: a card is chosen, not filled in
          <button
            key={id}
            type="button"
            role="radio"
            aria-checked={chosen === id}
            onClick={() => onChoose(id)}
            className="flex items-start gap-3 rounded border p-4 text-left hover:bg-hover aria-checked:border-brand-fill aria-checked:bg-selected"
          >
            <Icon of={icon} size={20} className="mt-0.5 text-muted" />
            <span className="min-w-0">
              <span className="flex items-center gap-2 font-semibold">
                {t(`sdk_${id}`)}
                {chosen === id && <Chip>{t('chosen')}</Chip>}
              </span>
              <span className="mt-0.5 block text-12 text-muted">{t(`sdk_${id}Text`)}</span>
            </span>
          </button>
        ))}
      </div>
      <div className="flex items-center gap-2">
        <Button variant="primary" isDisabled={chosen === undefined} onPress={onNext}>
          {t('next')}
        </Button>
        {links.map(({ page, text }) => (
          <Link key={page.path} to={page.path} className={buttonClass('quiet')}>
            {text}
          </Link>
        ))}
      </div>
    </div>
  )
}
