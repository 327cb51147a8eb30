import { type Deployment, type Policy, policyReach } from '#contracts/http/policies.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatExact, formatPercent } from '#src/shared/format/number.ts'
import { type Translate, useTexts } from '#src/shared/i18n/texts.ts'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { deploymentTexts } from './deployment-texts.ts'

/** Newest first: the live version is highlighted, older ones fade. */
const SHADES = ['bg-brand', 'bg-bar-hover', 'bg-muted', 'bg-line-strong'] as const
const REFRESH_MS = 10_000

type Line = { key: string; label: string; devices: number; lastSeen: number | null; shade: string }

/** The version that the collector last delivered to each enrolled device. */
export function ReachSection({ policy, live }: { policy: Policy; live: Deployment | undefined }) {
  const t = useTexts(deploymentTexts)
  const answer = useEndpoint(policyReach, { query: { appid: policy.appid } }, { refetchInterval: REFRESH_MS })
  const reach = answer.data?.data
  const total = reach ? reach.devices + reach.never : 0
  const lines = reach ? linesOf(reach, policy, t) : []
  return (
    <Section
      plain
      title={t('reach')}
      note={reach && total > 0 && t('reachNote', { devices: formatExact(total) })}
      state={answer.isPending ? 'loading' : 'ready'}
    >
      {answer.error && !reach ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : total === 0 ? (
        <p className="px-5 pb-3 text-12 text-muted">{t('reachNone')}</p>
      ) : (
        <div className="px-5 pb-3">
          <div aria-hidden className="relative mb-2 flex h-3 gap-px overflow-hidden rounded-[3px]">
            {lines.map((line) => (
              <span key={line.key} className={line.shade} style={{ width: `${(line.devices / total) * 100}%` }} />
            ))}
            {live && live.percent < 100 && (
              <span className="absolute inset-y-0 w-0.5 bg-text" style={{ left: `${live.percent}%` }} />
            )}
          </div>
          <ul aria-label={t('reach')} className="text-12">
            {lines.map((line) => (
              <li key={line.key} className="flex h-6 items-center gap-2" data-reach={line.label}>
                <span aria-hidden className={`size-2.5 flex-none rounded-[3px] ${line.shade}`} />
                <span className="text-clip-line min-w-0 flex-1">{line.label}</span>
                {line.lastSeen !== null && (
                  <span className="text-muted">
                    {t('lastSeen')} <RelativeTime at={line.lastSeen} />
                  </span>
                )}
                <span className="w-16 text-right">{formatExact(line.devices)}</span>
                <span className="w-12 text-right text-muted">{formatPercent(line.devices / total)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Section>
  )
}

type Reach = {
  versions: { policy: string; name: string; version: number; devices: number; last_seen: number }[]
  never: number
}

/** This policy's versions newest first, then other policies, then who has none. */
function linesOf(reach: Reach, policy: Policy, t: Translate<keyof typeof deploymentTexts.entries & string>): Line[] {
  const rank = (one: Reach['versions'][number]) => (one.policy === policy.id ? 0 : one.policy ? 1 : 2)
  const versions = reach.versions.toSorted((a, b) => rank(a) - rank(b) || b.version - a.version)
  const lines = versions.map((one, index) => ({
    key: `${one.policy} ${one.version}`,
    label:
      one.policy === policy.id
        ? `v${one.version}`
        : one.policy
          ? t('otherPolicy', { name: one.name || one.policy.slice(0, 8), version: one.version })
          : t('noPolicy'),
    devices: one.devices,
    lastSeen: one.last_seen,
    shade: one.policy ? (SHADES[Math.min(index, SHADES.length - 1)] as string) : 'bg-faint',
  }))
  if (reach.never === 0) return lines
  return [...lines, { key: 'never', label: t('never'), devices: reach.never, lastSeen: null, shade: 'bg-neutral' }]
}
