import { actionName } from '#contracts/audit-actions.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Section } from '#src/shared/ui/section.tsx'
import { entryTexts } from './entry-texts.ts'
import type { EntryDetail } from './log-types.ts'

/** What the same account did just before and after. */
export function EntryAround({ around, onOpen }: { around: EntryDetail['around']; onOpen: (id: number) => void }) {
  const t = useTexts(entryTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  return (
    <Section plain title={t('around')} className="pb-3">
      {around.length === 0 ? (
        <p className="px-5 text-muted">{t('aroundNone')}</p>
      ) : (
        <ul className="px-3">
          {around.map(({ id, at, action, target, result }) => (
            <li key={id}>
              <button
                type="button"
                onClick={() => onOpen(id)}
                className="flex h-7 w-full min-w-0 items-center gap-3 rounded-small px-2 text-left hover:bg-hover"
              >
                <span className="text-muted tabular-nums">{formatDateTime(at, zone, 'time')}</span>
                <span className={`flex-none ${result === 'ok' ? '' : 'text-bad-text'}`}>
                  {actionName(action)[language]}
                </span>
                <span className="text-clip-line min-w-0 text-muted">{target}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
