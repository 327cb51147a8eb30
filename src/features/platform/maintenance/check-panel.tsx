import { Stethoscope, Wrench } from 'lucide-react'
import { useState } from 'react'
import { type CheckRun, checkRuns, startRepair, stopMaintenance } from '#contracts/http/maintenance/checks.ts'
import { CHECKS, type CheckId } from '#contracts/maintenance-checks.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { formatDateTime, formatDuration } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ProgressBar } from '#src/shared/ui/progress-bar.tsx'
import { CheckRow } from './check-row.tsx'
import { maintenanceTexts } from './maintenance-texts.ts'

/** What the newest run found or repaired, check by check, and the way to the repair. */
export function CheckPanel({ run }: { run: CheckRun | undefined }) {
  const t = useTexts(maintenanceTexts)
  if (!run) return <EmptyState kind="none" icon={Stethoscope} title={t('never')} hint={t('neverHint')} />
  return <Result key={run.id} run={run} />
}

export const isLive = ({ state }: CheckRun) => state === 'waiting' || state === 'running'

function Result({ run }: { run: CheckRun }) {
  const t = useTexts(maintenanceTexts)
  const language = useLanguage()
  const zone = usePlatform((platform) => platform.zone)
  const [excluded, setExcluded] = useState<ReadonlySet<CheckId>>(new Set())
  const repair = useAction(startRepair, { refreshes: [checkRuns] })
  const stop = useAction(stopMaintenance, { refreshes: [checkRuns] })
  const { outcomes, kind } = run
  const live = isLive(run)
  const sum = (of: (one: (typeof outcomes)[number]) => number) => outcomes.reduce((all, one) => all + of(one), 0)
  const offered = kind === 'check' && run.state === 'done' ? outcomes.filter((one) => one.repairable > 0) : []
  const chosen = offered.filter(({ check }) => !excluded.has(check))
  const count = chosen.reduce((all, one) => all + one.repairable, 0)
  const ask = async () => {
    const yes = await confirm({
      title: t('repairTitle', { count }),
      text: t('repairText'),
      action: t('repairWord'),
      typed: t('repairWord'),
      danger: true,
    })
    if (yes) repair.mutate({ body: { checks: chosen.map(({ check }) => check) } })
  }
  return (
    <section className="flex min-h-0 flex-1 flex-col" aria-busy={live}>
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 px-5 pt-3 max-lg:px-4">
        <h2 className="text-14 font-semibold">{t(kind === 'check' ? 'checkResult' : 'repairResult')}</h2>
        {kind === 'check' && (
          <span className="rounded-small bg-text px-1.5 text-12 text-surface">{t('unchanged')}</span>
        )}
        {run.ended_at !== null && (
          <span className="ml-auto text-12 text-muted tabular-nums">
            {t('endedAfter', {
              time: formatDateTime(run.ended_at, zone),
              duration: formatDuration(run.ended_at - (run.started_at ?? run.ended_at)),
            })}
          </span>
        )}
        {live && (
          <Button
            size="small"
            className="ml-auto"
            isDisabled={stop.isPending}
            onPress={() => stop.mutate({ body: { id: run.id } })}
          >
            {t('stop')}
          </Button>
        )}
      </header>
      {live ? (
        <div className="px-5 py-3 max-lg:px-4" role="status">
          <p className="mb-2 text-muted">
            {run.step === null ? t('waiting') : t('running', { step: CHECKS[run.step][language] })}
          </p>
          <ProgressBar value={run.progress} label={t('check')} />
        </div>
      ) : (
        <>
          <p className="flex flex-wrap items-baseline gap-x-5 px-5 py-2 max-lg:px-4" role="status">
            <Figure value={kind === 'repair' ? sum((one) => one.repaired) : sum((one) => one.repairable)}>
              {t(kind === 'repair' ? 'didRepair' : 'canRepair')}
            </Figure>
            <Figure value={sum((one) => one.count - one.repairable)}>{t('cannotRepair')}</Figure>
            <Figure value={outcomes.length}>
              {t('kinds', { good: outcomes.filter((one) => one.count === 0 && one.reason === null).length })}
            </Figure>
          </p>
          {run.state !== 'done' && (
            <p className="px-5 pb-2 text-warn-text max-lg:px-4">
              {t(run.state === 'stopped' ? 'stoppedRun' : 'failedRun')}
            </p>
          )}
          <ul className="border-t">
            {outcomes.map((one) => (
              <CheckRow
                key={one.check}
                outcome={one}
                isRepair={kind === 'repair'}
                isChosen={offered.includes(one) ? !excluded.has(one.check) : null}
                onChoose={(on) =>
                  setExcluded(
                    (before) => new Set(on ? [...before].filter((id) => id !== one.check) : [...before, one.check]),
                  )
                }
              />
            ))}
          </ul>
        </>
      )}
      {offered.length > 0 && (
        <footer className="sticky bottom-0 mt-auto flex flex-wrap items-center gap-3 border-t bg-canvas px-5 py-3 max-lg:px-4">
          <span className="text-muted">{count === 0 ? t('repairNone') : t('repairTitle', { count })}</span>
          <Button
            variant="primary"
            icon={Wrench}
            className="ml-auto"
            isDisabled={count === 0 || repair.isPending}
            onPress={() => void ask()}
          >
            {t('repairRun')}
          </Button>
        </footer>
      )}
    </section>
  )
}

function Figure({ value, children }: { value: number; children: string }) {
  return (
    <span className="whitespace-nowrap text-muted">
      <span className="text-28 text-text tabular-nums">{formatExact(value)}</span> {children}
    </span>
  )
}
