import type { MonitorRun } from '#contracts/http/monitoring/tasks.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { monitorTexts } from '../parts/monitor-texts.ts'

const MOST = 24

/** Pirated copies on offer at the end of each run, oldest at the left; above them in grey what was gone by then. */
export function RunBars({ runs }: { runs: readonly MonitorRun[] }) {
  const t = useTexts(monitorTexts)
  const shown = runs.slice(0, MOST).toReversed()
  const top = Math.max(1, ...shown.map(({ pirated, gone }) => pirated + gone))
  return (
    <ul className="flex h-28 items-end gap-1 px-5 pb-4">
      {shown.map((run) => {
        const tip = t('runTip', { run: run.run, pirated: run.pirated, fresh: run.fresh, gone: run.gone })
        return (
          <li key={run.run} title={tip} className="flex h-full min-w-2 max-w-10 flex-1 flex-col justify-end">
            <span className="sr-only">{tip}</span>
            <span aria-hidden className="block w-full bg-neutral" style={{ height: `${(100 * run.gone) / top}%` }} />
            <span
              aria-hidden
              className="block w-full rounded-t-[2px] bg-brand"
              style={{ height: `${Math.max(1, (100 * run.pirated) / top)}%` }}
            />
          </li>
        )
      })}
    </ul>
  )
}
