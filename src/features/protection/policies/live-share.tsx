import type { Deployment } from '#contracts/http/policies.ts'
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
