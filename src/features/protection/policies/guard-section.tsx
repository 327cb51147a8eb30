import { changeDeployment, type Deployment, policyDetail, rollOutGuard } from '#contracts/http/policies.ts'
import { GUARD, type GuardReading, type GuardSide } from '#domain/roll-out-guard.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatExact, formatPercent } from '#src/shared/format/number.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { stopOf } from '#src/shared/protection/stop-of.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { Switch } from '#src/shared/ui/switch.tsx'
import { deploymentTexts } from './deployment-texts.ts'

const POLL_MS = 30_000

/** The automatic stop: what it measures now, or what it stopped for, beside the published rule. */
export function GuardSection({ live, mayDeploy }: { live: Deployment; mayDeploy: boolean }) {
  const t = useTexts(deploymentTexts)
  const zone = usePlatform((state) => state.zone)
  const change = useAction(changeDeployment, { refreshes: [policyDetail] })
  const stop = stopOf(live)
  const measured = useEndpoint(
    rollOutGuard,
    { query: { id: live.id } },
    { enabled: !stop && live.guarded, refetchInterval: POLL_MS },
  )
  const reading = stop?.reading ?? measured.data?.data
  return (
    <Section
      plain
      title={t('guard')}
      {...(reading && { note: t('guardSpan', { from: formatDateTime(reading.from, zone, 'minute', Date.now()) }) })}
      actions={
        <span className="pr-2">
          <Switch
            label={t(live.guarded ? 'guardOn' : 'guardOff')}
            isSelected={live.guarded}
            isDisabled={!mayDeploy || change.isPending}
            onChange={(on) => change.mutate({ body: { id: live.id, change: on ? 'guard' : 'unguard' } })}
          />
        </span>
      }
    >
      <div className="px-5 pb-3 text-12">
        {stop ? (
          <p role="status" className="mb-2 rounded bg-bad-soft px-3 py-2 text-bad-text" data-testid="guard-stopped">
            {t('guardStopped', { time: formatDateTime(stop.at, zone, 'minute', Date.now()), percent: stop.percent })}
          </p>
        ) : (
          reading && live.guarded && <p className="mb-2 text-muted">{t(`guard_${reading.verdict}`)}</p>
        )}
        {!live.guarded && !stop ? (
          <p className="text-muted">{t('guardOffText')}</p>
        ) : measured.error && !reading ? (
          <ErrorState error={measured.error} onRetry={() => void measured.refetch()} />
        ) : reading ? (
          <Sides reading={reading} />
        ) : (
          <Skeleton lines={3} height="16px" />
        )}
        <p className="mt-2 text-muted">
          {t('guardRule', {
            devices: GUARD.devices,
            starts: GUARD.starts,
            failures: GUARD.failures.times,
            failuresMore: GUARD.failures.more * 1000,
            stopped: GUARD.stopped.times,
            stoppedMore: formatPercent(GUARD.stopped.more),
          })}
        </p>
      </div>
    </Section>
  )
}

function Sides({ reading }: { reading: GuardReading }) {
  const t = useTexts(deploymentTexts)
  const rate = ({ failures, starts }: GuardSide) => (starts > 0 ? ((failures / starts) * 1000).toFixed(1) : '–')
  const share = ({ stopped, devices }: GuardSide) => (devices > 0 ? formatPercent(stopped / devices) : '–')
  const lines = [
    { key: 'devices', of: ({ devices }: GuardSide) => formatExact(devices) },
    { key: 'starts', of: ({ starts }: GuardSide) => formatExact(starts) },
    { key: 'failures', of: rate },
    { key: 'stopped', of: share },
  ] as const
  return (
    <table className="w-full max-w-md table-fixed">
      <thead>
        <tr className="h-6 text-right text-muted">
          <th className="w-2/4" />
          <th className="font-normal">{t('guardNext')}</th>
          <th className="font-normal">{t('guardOthers')}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ key, of }) => {
          const bad = reading.reasons.some((reason) => reason === key)
          return (
            <tr key={key} className={`h-6 text-right ${bad ? 'font-semibold text-bad-text' : ''}`}>
              <th scope="row" className="text-left font-normal">
                {t(`guardLine_${key}`)}
              </th>
              <td>{of(reading.next)}</td>
              <td>{of(reading.others)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
