import type { UpdateRecord } from '#contracts/http/updates.ts'
import { formatDateTime, formatDuration } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Section } from '#src/shared/ui/section.tsx'
import { PROBLEM_TEXTS, STATE_TEXTS, UNDONE, updatesTexts } from './updates-texts.ts'

/** Updates and rollbacks, newest first: original version, target version, time, duration, by whom, state. */
export function UpdateRecords({ records }: { records: readonly UpdateRecord[] }) {
  const t = useTexts(updatesTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const heads = [t('from'), t('to'), t('time'), t('duration'), t('by'), t('state')]
  return (
    <Section plain title={t('records')} note={t('recordsNote', { count: records.length })}>
      {records.length === 0 ? (
        <p className="px-5 pb-4 text-muted">{t('noRecords')}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached with the keyboard
        <section className="overflow-x-auto px-5 pb-4" tabIndex={0} aria-label={t('records')}>
          <table className="w-full min-w-[640px] border-collapse text-left" data-testid="update-records">
            <thead>
              <tr className="border-b text-muted">
                {heads.map((head) => (
                  <th key={head} className="py-1.5 pr-4 font-normal whitespace-nowrap">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {records.map((record) => (
                <tr key={record.id} className="border-b align-top last:border-b-0">
                  <td className="py-1.5 pr-4 tabular-nums">{record.from}</td>
                  <td className="py-1.5 pr-4 font-semibold tabular-nums">{record.to}</td>
                  <td className="py-1.5 pr-4 whitespace-nowrap tabular-nums">
                    {formatDateTime(record.began_at, zone)}
                  </td>
                  <td className="py-1.5 pr-4 whitespace-nowrap tabular-nums">
                    {record.ended_at === null ? '' : formatDuration(record.ended_at - record.began_at, language)}
                  </td>
                  <td className="py-1.5 pr-4 [overflow-wrap:anywhere]">{record.by}</td>
                  <td className="py-1.5 [overflow-wrap:anywhere]">
                    <StateWords record={record} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Section>
  )
}

function StateWords({ record: { kind, state, problem } }: { record: UpdateRecord }) {
  const language = useLanguage()
  const isUndone = kind === 'update' && state === 'returned'
  const isBad = isUndone || state === 'failed' || state === 'fallback_failed' || state === 'close_failed'
  const tone = isBad ? 'text-bad-text' : state === 'updated' || state === 'returned' ? 'text-good-text' : ''
  return (
    <>
      <span className={tone}>{(isUndone ? UNDONE : STATE_TEXTS[state])[language]}</span>
      {problem && <span className="block text-12 text-muted">{PROBLEM_TEXTS[problem.key][language]}</span>}
    </>
  )
}
