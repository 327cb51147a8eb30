import type { EnvironmentProcess } from '#contracts/http/environment.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Section } from '#src/shared/ui/section.tsx'
import { environmentTexts, PROCESS_ROLES } from './environment-texts.ts'
import { formatMetric, formatUptime } from './metric-format.ts'

/** The processes of the node, those that use most processor time first; a restart says why. */
export function ProcessTable({
  processes,
  now,
  isStale,
}: {
  processes: readonly EnvironmentProcess[]
  now: number
  isStale: boolean
}) {
  const t = useTexts(environmentTexts)
  const sorted = [...processes].sort(
    (one, other) => (other.cpu ?? -1) - (one.cpu ?? -1) || one.name.localeCompare(other.name),
  )
  const head = 'py-2 pr-4 font-normal text-muted'
  return (
    <Section
      plain
      title={t('processes')}
      note={t('processesNote', { count: sorted.length })}
      state={isStale ? 'stale' : 'ready'}
    >
      {sorted.length === 0 ? (
        <p className="px-5 pb-4 text-muted">{t('noProcesses')}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll what is wider than the screen
        <div className="overflow-x-auto px-5 pb-3" tabIndex={0}>
          <table className="w-full border-collapse tabular-nums" data-testid="processes">
            <thead>
              <tr className="border-b text-12">
                <th className={`${head} text-left`}>{t('process')}</th>
                <th className={`${head} text-left max-sm:hidden`}>{t('role')}</th>
                <th className={`${head} text-right max-sm:hidden`}>{t('pid')}</th>
                <th className={`${head} text-left`}>CPU</th>
                <th className={`${head} text-right`}>{t('memory')}</th>
                <th className={`${head} text-right`}>{t('restarts')}</th>
                <th className={`${head} pr-0 text-left max-sm:hidden`}>{t('uptime')}</th>
              </tr>
            </thead>
            <tbody>
              {sorted.map((one) => (
                <ProcessRow key={one.name} process={one} now={now} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  )
}

function ProcessRow({ process, now }: { process: EnvironmentProcess; now: number }) {
  const t = useTexts(environmentTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const { name, pid, since, restarts, last_end, cpu, memory, count } = process
  const cell = 'h-9 py-1 pr-4'
  return (
    <tr className="border-b last:border-b-0">
      <td className={`${cell} font-mono whitespace-nowrap`}>
        {name}
        {count !== null && count > 1 && (
          <span className="ml-2 font-sans text-12 text-muted max-lg:hidden">{t('members', { count })}</span>
        )}
      </td>
      <td className={`${cell} text-muted max-sm:hidden`}>{PROCESS_ROLES[name]?.[language] ?? ''}</td>
      <td className={`${cell} text-right text-muted max-sm:hidden`}>{pid ?? '–'}</td>
      <td className={`${cell} min-w-28`}>
        {cpu === null ? (
          <span className="text-muted" title={t('unknown')}>
            –
          </span>
        ) : (
          <span className="flex items-center gap-2.5">
            <span aria-hidden className="h-1.5 w-12 flex-none overflow-hidden rounded-full bg-neutral max-sm:hidden">
              <span className="block h-full rounded-full bg-brand" style={{ width: `${Math.min(100, cpu)}%` }} />
            </span>
            {formatMetric(cpu, 'percent', language)}
          </span>
        )}
      </td>
      <td className={`${cell} text-right whitespace-nowrap`}>{memory === null ? '–' : formatBytes(memory)}</td>
      <td className={`${cell} text-right ${restarts > 0 ? 'font-semibold' : ''}`}>{restarts}</td>
      <td className="h-9 py-1 max-sm:hidden">
        {since === null ? <span className="text-warn-text">{t('stopped')}</span> : formatUptime(now - since, language)}
        {restarts > 0 && last_end && (
          <span className="block text-12 text-muted">
            {t('lastEnd', { time: formatDateTime(last_end.at, zone, 'minute', now), reason: last_end.reason })}
          </span>
        )}
      </td>
    </tr>
  )
}
