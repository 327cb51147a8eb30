import { Copy, Ellipsis, GitCompare, Send } from 'lucide-react'
import type { Deployment, Policy } from '#contracts/http/policies.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import { MenuButton } from '#src/shared/ui/menu-button.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { deploymentTexts } from './deployment-texts.ts'

const WHAT = [
  'deploy',
  'grow',
  'pause',
  'stopped',
  'resume',
  'guard',
  'unguard',
  'end',
  'rolled_back',
  'roll_back',
] as const

/** Fixed versions, to compare with, to copy and to deploy again; and what was done with them. */
export function VersionsSection({
  policy,
  live,
  base,
  mayEdit,
  mayDeploy,
  onBase,
  onDeploy,
  onCopy,
}: {
  policy: Policy
  live: Deployment | undefined
  base: number | undefined
  mayEdit: boolean
  mayDeploy: boolean
  onBase: (version: number | null) => void
  onDeploy: (version: number) => void
  onCopy: (version: number) => void
}) {
  const t = useTexts(deploymentTexts)
  const zone = usePlatform((state) => state.zone)
  if (policy.versions.length === 0) return null
  const history = policy.deployments
    .flatMap((one) => one.changes.map((change) => ({ ...change, version: one.version, id: one.id })))
    .sort((a, b) => b.at - a.at)
    .slice(0, 12)
  return (
    <>
      <Section plain title={t('versions')} note={String(policy.versions.length)}>
        <ul aria-label={t('versions')} className="px-5 pb-3 text-12">
          {policy.versions.map(({ version, created_at, created_by }) => (
            <li key={version} className="flex min-h-7 items-center gap-2">
              <span className="w-9 font-semibold">v{version}</span>
              {live?.version === version && <Chip tone="good">{t('live')}</Chip>}
              {base === version && <Chip tone="neutral">{t('compared')}</Chip>}
              <span className="ml-auto flex min-w-0 flex-wrap justify-end gap-x-2 text-muted">
                <span className="text-clip-line">{created_by}</span>
                <RelativeTime at={created_at} />
              </span>
              <MenuButton
                iconOnly
                icon={Ellipsis}
                label={t('versionMenu', { version })}
                items={[
                  {
                    id: 'compare',
                    label: t('compare', { version }),
                    icon: GitCompare,
                    onAction: () => onBase(version === live?.version ? null : version),
                  },
                  {
                    id: 'deploy',
                    label: t('deployVersion', { version }),
                    icon: Send,
                    isDisabled: !mayDeploy,
                    onAction: () => onDeploy(version),
                  },
                  {
                    id: 'copy',
                    label: t('copyVersion', { version }),
                    icon: Copy,
                    isDisabled: !mayEdit,
                    onAction: () => onCopy(version),
                  },
                ]}
              />
            </li>
          ))}
        </ul>
      </Section>
      {history.length > 0 && (
        <Section plain title={t('history')}>
          <ol aria-label={t('history')} className="px-5 pb-4 text-12">
            {history.map((one) => {
              const what = WHAT.find((word) => word === one.what)
              return (
                <li key={`${one.id} ${one.at} ${one.what}`} className="flex min-h-6 flex-wrap items-center gap-x-2">
                  <span className="w-24 flex-none text-muted">
                    {formatDateTime(one.at, zone, 'minute', Date.now())}
                  </span>
                  <span className="w-8 flex-none font-semibold">v{one.version}</span>
                  <span className="flex-none">
                    {what ? t(`what_${what}`) : one.what} {one.percent}%
                  </span>
                  <span className="text-clip-line ml-auto min-w-0 text-muted">{one.by || t('platform')}</span>
                </li>
              )
            })}
          </ol>
        </Section>
      )}
    </>
  )
}
