import type { Deployment } from '#contracts/http/policies.ts'
import { rollOutShares } from '#domain/roll-out-shares.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { stopOf } from '#src/shared/protection/stop-of.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import { policyTexts } from './policy-texts.ts'

/** `v43 ▮▮▯▯ 20 % of devices`: how far a deployment has come. */
export function LiveShare({ deployment }: { deployment: Deployment }) {
  const t = useTexts(policyTexts)
  const { version, percent, state, app_versions } = deployment
  return (
    <span className="flex items-center gap-2 text-12">
      <span className="font-semibold">v{version}</span>
      <span aria-hidden className="h-1 w-16 overflow-hidden rounded-full bg-neutral">
        <span
          className={`block h-full rounded-full ${stopOf(deployment) ? 'bg-bad' : state === 'paused' ? 'bg-faint' : 'bg-brand'}`}
          style={{ width: `${percent}%` }}
        />
      </span>
      <span>{percent === 100 ? t('everyone') : t('share', { percent })}</span>
      {app_versions.length > 0 && <span className="text-muted">{app_versions.join('、')}</span>}
      {stopOf(deployment) ? (
        <Chip tone="bad">{t('stopped')}</Chip>
      ) : (
        state === 'paused' && <Chip tone="warn">{t('paused')}</Chip>
      )}
    </span>
  )
}

const TONES = ['bg-brand', 'bg-muted', 'bg-faint', 'bg-line-strong']

/** `v2 50 % · v1 50 %`: all running deployments of a policy as one bar of all devices; those for some versions of the app, and paused ones, below it. */
export function LiveShares({ live }: { live: readonly Deployment[] }) {
  const t = useTexts(policyTexts)
  const newestFirst = [...live].sort((a, b) => b.version - a.version)
  const shares = rollOutShares(newestFirst)
  const added = new Map(shares.map(({ id, percent }) => [id, percent]))
  const parts = newestFirst.filter(({ id }) => (added.get(id) ?? 0) > 0)
  const others = newestFirst.filter(({ id }) => !added.has(id))
  const rest = 100 - shares.reduce((sum, { percent }) => sum + percent, 0)
  return (
    <span className="flex flex-col gap-1 py-1">
      {parts.length === 1 && parts[0] ? (
        <LiveShare deployment={parts[0]} />
      ) : (
        parts.length > 1 && (
          <span className="flex items-center gap-2 text-12" data-testid="roll-out">
            <span aria-hidden className="flex h-1.5 w-24 gap-px overflow-hidden rounded-full bg-neutral">
              {parts.map(({ id }, index) => (
                <span key={id} className={TONES[index] ?? 'bg-line'} style={{ width: `${added.get(id)}%` }} />
              ))}
            </span>
            {parts.map(({ id, version }) => (
              <span key={id} className="whitespace-nowrap">
                <span className="font-semibold">v{version}</span> {added.get(id)}%
              </span>
            ))}
            {rest > 0 && <span className="text-muted">{t('without', { percent: rest })}</span>}
          </span>
        )
      )}
      {others.map((deployment) => (
        <LiveShare key={deployment.id} deployment={deployment} />
      ))}
    </span>
  )
}
