import { Archive, ArchiveRestore, Copy, Ellipsis, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { archivePolicy, type PolicySummary, policyList } from '#contracts/http/policies.ts'
import { PAGES } from '#contracts/pages.ts'
import { ProtectType } from '#src/features/protection/parts/protect-type.tsx'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { KEPT } from '#src/shared/query/kept.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { useCurrentApplication } from '#src/shared/session/application-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { useActions } from '#src/shared/ui/actions.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { ForbiddenState } from '#src/shared/ui/forbidden-state.tsx'
import { MenuButton } from '#src/shared/ui/menu-button.tsx'
import { usePageSubject } from '#src/shared/ui/page-subject.ts'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { LiveShares } from './live-share.tsx'
import { NewPolicyDialog } from './new-policy-dialog.tsx'
import { policyTexts } from './policy-texts.ts'

/** All policies of the current application (or of all), and whether its apps act at all. */
export function PolicyList() {
  const t = useTexts(policyTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const application = useCurrentApplication()
  usePageSubject('')
  const [mayEdit, mayDeploy] = [useMay('policy.edit'), useMay('policy.deploy')]
  const answer = useEndpoint(
    policyList,
    { query: application ? { appid: application.id } : {} },
    { enabled: mayEdit || mayDeploy, refetchInterval: 30_000, meta: KEPT },
  )
  const [making, setMaking] = useState<true | PolicySummary>()
  const create = () => setMaking(true)
  useActions(
    mayEdit
      ? [{ id: 'policies.create', label: t('create'), group: t('list'), keys: 'n', icon: Plus, run: create }]
      : [],
  )
  const list = answer.data?.data
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle
        title={PAGES.policies[language]}
        note={list && t('listNote', { count: list.length })}
        actions={
          <>
            {application && <ProtectType application={application} />}
            {mayEdit && (
              <Button variant="primary" icon={Plus} onPress={create}>
                {t('create')}
              </Button>
            )}
          </>
        }
      />
      {!mayEdit && !mayDeploy ? (
        <ForbiddenState permission="policy.edit" />
      ) : answer.error && !list ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : list?.length === 0 ? (
        <EmptyState
          kind="none"
          title={t('none')}
          hint={t('noneHint')}
          action={mayEdit && <Button onPress={create}>{t('create')}</Button>}
        />
      ) : (
        <Section plain title={t('list')} state={list ? 'ready' : 'loading'}>
          {list && <Table list={list} withApp={!application} onCopy={setMaking} />}
        </Section>
      )}
      {making && (
        <NewPolicyDialog
          from={making === true ? undefined : { id: making.id, name: making.name, appid: making.appid }}
          onClose={() => setMaking(undefined)}
          onCreated={(id) => void navigate(`${PAGES.policies.path}?policy=${id}`)}
        />
      )}
    </div>
  )
}

function Table({
  list,
  withApp,
  onCopy,
}: {
  list: readonly PolicySummary[]
  withApp: boolean
  onCopy: (policy: PolicySummary) => void
}) {
  const t = useTexts(policyTexts)
  const nameOf = useNameOf()
  const mayEdit = useMay('policy.edit')
  const archive = useAction(archivePolicy, { refreshes: [policyList] })
  // A phone has no room for all: its application and version stand below a name.
  const head = [
    { title: t('name') },
    ...(withApp ? [{ title: t('app'), wide: true }] : []),
    { title: t('version'), wide: true },
    { title: t('state') },
    { title: t('updated'), wide: true },
  ]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table must be scrollable by keyboard
    <section className="overflow-x-auto" aria-label={t('list')} tabIndex={0}>
      <table className="w-full border-collapse whitespace-nowrap">
        <thead>
          <tr className="h-8 border-b text-left text-12 text-muted">
            {head.map(({ title, wide }) => (
              <th key={title} scope="col" className={`px-2 font-normal first:pl-5 ${wide ? 'max-sm:hidden' : ''}`}>
                {title}
              </th>
            ))}
            <th className="w-12">
              <span className="sr-only">{t('actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {list.map((one) => (
            <tr key={one.id} className={`h-10 border-b hover:bg-hover ${one.archived_at ? 'text-muted' : ''}`}>
              <td className="px-2 pl-5 max-sm:py-2">
                <Link
                  to={`${PAGES.policies.path}?policy=${one.id}`}
                  className="font-semibold text-brand-text hover:underline max-sm:whitespace-normal"
                >
                  {one.name}
                </Link>
                <div className="text-12 text-muted sm:hidden">
                  {withApp && <p>{nameOf('app', one.appid)}</p>}
                  <Version of={one} />
                </div>
              </td>
              {withApp && <td className="px-2 max-sm:hidden">{nameOf('app', one.appid)}</td>}
              <td className="px-2 max-sm:hidden">
                <Version of={one} />
              </td>
              <td className="px-2">
                {one.live.length === 0 ? (
                  <span className="text-muted">{t('notDeployed')}</span>
                ) : (
                  <LiveShares live={one.live} />
                )}
              </td>
              <td className="px-2 text-12 text-muted max-sm:hidden">
                <RelativeTime at={one.updated_at} /> {one.updated_by}
              </td>
              <td className="pr-4 text-right">
                {mayEdit && (
                  <MenuButton
                    iconOnly
                    icon={Ellipsis}
                    label={t('more', { name: one.name })}
                    items={[
                      { id: 'copy', label: t('copy'), icon: Copy, onAction: () => onCopy(one) },
                      one.archived_at
                        ? {
                            id: 'restore',
                            label: t('restore'),
                            icon: ArchiveRestore,
                            onAction: () => archive.mutate({ body: { id: one.id, archived: false } }),
                          }
                        : {
                            id: 'archive',
                            label: t('archive'),
                            icon: Archive,
                            isDisabled: one.live.length > 0,
                            onAction: async () => {
                              const question = { title: t('archive'), text: t('archiveText'), action: t('archive') }
                              if (await confirm(question)) archive.mutate({ body: { id: one.id, archived: true } })
                            },
                          },
                    ]}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The released version, and whether the draft says something else by now. */
function Version({ of: { version, changed, archived_at } }: { of: PolicySummary }) {
  const t = useTexts(policyTexts)
  return (
    <span className="flex flex-wrap items-center gap-2">
      {version === 0 ? t('draftOnly') : `v${version}`}
      {version > 0 && changed && <Chip tone="warn">{t('draftChanged')}</Chip>}
      {archived_at && <Chip tone="neutral">{t('archived')}</Chip>}
    </span>
  )
}
