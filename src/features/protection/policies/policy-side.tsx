import type { Deployment, Policy } from '#contracts/http/policies.ts'
import type { Query } from '#domain/query.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { stopOf } from '#src/shared/protection/stop-of.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { deploymentTexts } from './deployment-texts.ts'
import { EffectSection } from './effect-section.tsx'
import { GuardSection } from './guard-section.tsx'
import { ReachSection } from './reach-section.tsx'
import { StageLine } from './stage-line.tsx'
import { VersionsSection } from './versions-section.tsx'

/** Beside the matrix: state of the deployment, who has what, what it changed, and the versions. */
export function PolicySide({
  policy,
  live,
  base,
  mayEdit,
  mayDeploy,
  onBase,
  onDeploy,
  onCopy,
  onEnd,
  onRows,
}: {
  policy: Policy
  live: Deployment | undefined
  base: number | undefined
  mayEdit: boolean
  mayDeploy: boolean
  onBase: (version: number | null) => void
  onDeploy: (version: number) => void
  onCopy: (version: number) => void
  onEnd: (deployment: Deployment) => void
  onRows: (query: Query) => void
}) {
  const t = useTexts(deploymentTexts)
  const nameOf = useNameOf()
  const mayRead = useMay('events.read')
  return (
    <div className="flex min-w-0 flex-col divide-y max-xl:border-t">
      <Section
        plain
        title={t('target')}
        actions={
          live &&
          mayDeploy && (
            <Button size="small" variant="quiet" onPress={() => onEnd(live)}>
              {t('end')}
            </Button>
          )
        }
      >
        {live ? (
          <div className="px-5 pb-3">
            <div className="flex flex-wrap items-baseline gap-x-3">
              <span>{nameOf('app', policy.appid)}</span>
              <span className="text-muted">{live.app_versions.join('、') || t('allVersions')}</span>
              <strong className="ml-auto">{t('share', { percent: live.percent })}</strong>
            </div>
            <p className="mt-0.5 text-12 text-muted">{t('stable')}</p>
          </div>
        ) : (
          <p className="px-5 pb-3 text-12 text-muted">
            {t('none')}　{t('noneHint')}
          </p>
        )}
      </Section>
      {live && <StageLine deployment={live} />}
      {live && mayRead && (live.percent < 100 || stopOf(live)) && <GuardSection live={live} mayDeploy={mayDeploy} />}
      <ReachSection policy={policy} live={live} />
      {live && mayRead && <EffectSection policy={policy} live={live} onRows={onRows} />}
      <VersionsSection
        policy={policy}
        live={live}
        base={base}
        mayEdit={mayEdit}
        mayDeploy={mayDeploy}
        onBase={onBase}
        onDeploy={onDeploy}
        onCopy={onCopy}
      />
    </div>
  )
}
