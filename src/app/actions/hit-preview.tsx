import type { RefObject } from 'react'
import { SEARCH_FACTS, SEARCH_KINDS, type SearchHit } from '#contracts/http/search.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Fact } from '#src/shared/ui/fact.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { Kbd } from '#src/shared/ui/kbd.tsx'
import type { HitAction } from './hit-actions.ts'
import { HIT_ICONS } from './hit-icons.ts'
import { paletteTexts } from './palette-texts.ts'

/** What the chosen hit is, and everything that can be done with it. */
export function HitPreview({
  hit,
  actions,
  onAction,
  first,
}: {
  hit: SearchHit
  actions: readonly HitAction[]
  onAction: (action: HitAction) => void
  /** The first action, which Tab leads to. */
  first: RefObject<HTMLButtonElement | null>
}) {
  const t = useTexts(paletteTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  return (
    <section aria-label={hit.title[language]} className="flex min-h-0 flex-col border-l">
      <div className="min-h-0 flex-1 overflow-auto p-4">
        <div className="flex items-start gap-3">
          <span className="flex size-8 flex-none items-center justify-center rounded-small bg-neutral text-muted">
            <Icon of={HIT_ICONS[hit.kind]} />
          </span>
          <div className="min-w-0">
            <h3 className="text-14 font-semibold [overflow-wrap:anywhere]">{hit.title[language]}</h3>
            <p className="text-12 text-muted">{SEARCH_KINDS[hit.kind][language]}</p>
          </div>
        </div>
        <dl className="mt-4 grid grid-cols-[76px_minmax(0,1fr)] gap-x-3 gap-y-1.5">
          {hit.facts.map(({ name, value }) => (
            <Fact key={name} name={SEARCH_FACTS[name][language]}>
              {value[language]}
            </Fact>
          ))}
          {hit.at !== null && <Fact name={t('at')}>{formatDateTime(hit.at, zone)}</Fact>}
        </dl>
      </div>
      <div className="border-t p-2">
        <h4 className="px-2 pb-1 text-12 text-muted">{t('actions')}</h4>
        {actions.map((action, index) => (
          <button
            key={action.verb}
            ref={index === 0 ? first : undefined}
            type="button"
            onClick={() => onAction(action)}
            className="flex h-8 w-full items-center gap-2.5 rounded-small px-2 text-left hover:bg-hover focus-visible:bg-selected"
          >
            <Icon of={action.icon} size={14} className="text-muted" />
            <span className="min-w-0 flex-1">{t(action.verb)}</span>
            {action.keys && <Kbd>{action.keys}</Kbd>}
          </button>
        ))}
      </div>
    </section>
  )
}
