import { Copy, Download, Ellipsis, FileJson, Plus, ShieldPlus, Trash2, Upload } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { APPLICATION_TYPES } from '#contracts/detection/kinds.ts'
import {
  deleteReinforcePolicy,
  exportReinforcePolicy,
  importReinforcePolicy,
  POLICY_FILE_BYTES,
  type ReinforcePolicySummary,
  reinforcePolicies,
  reinforcePolicyFormat,
} from '#contracts/http/reinforce-policies.ts'
import { PAGES } from '#contracts/pages.ts'
import { REINFORCE_OPTION_KEYS } from '#domain/reinforce-options.ts'
import { downloadHref } from '#src/shared/api/download-href.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { useCurrentApplication } from '#src/shared/session/application-store.ts'
import { type Column, DataTable } from '#src/shared/table/data-table.tsx'
import { useActions } from '#src/shared/ui/actions.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import { confirmDeletion, deleted } from '#src/shared/ui/deletion.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { MenuButton } from '#src/shared/ui/menu-button.tsx'
import { usePageSubject } from '#src/shared/ui/page-subject.ts'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { type CopyFrom, NewPolicyDialog } from './new-policy-dialog.tsx'
import { reinforceTexts } from './reinforce-texts.ts'

export function PolicyList() {
  const t = useTexts(reinforceTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const nameOf = useNameOf()
  usePageSubject('')
  const application = useCurrentApplication()
  const [making, setMaking] = useState<true | CopyFrom>()
  const input = useRef<HTMLInputElement>(null)
  const answer = useEndpoint(reinforcePolicies, { query: application ? { appid: application.id } : {} })
  const remove = useAction(deleteReinforcePolicy, {
    refreshes: [reinforcePolicies],
    onSuccess: () => deleted(),
  })
  const take = useAction(importReinforcePolicy, {
    refreshes: [reinforcePolicies],
    onSuccess: ({ data }) => {
      toast.success(t('imported', { name: data.name }))
      open(data.id)
    },
  })
  const open = (id: string) => void navigate(`${PAGES.reinforce_policies.path}?policy=${id}`)
  const create = () => setMaking(true)
  useActions([
    { id: 'reinforce.create', label: t('create'), group: t('group'), keys: 'n', icon: Plus, run: create },
    { id: 'reinforce.import', label: t('import'), group: t('group'), icon: Upload, run: () => input.current?.click() },
  ])
  const { mutate } = remove
  const columns = useMemo((): Column<ReinforcePolicySummary>[] => {
    async function askRemoval({ id, name }: ReinforcePolicySummary): Promise<void> {
      const question = { title: t('removeTitle', { name }), text: t('removeText'), action: t('remove') }
      if (await confirmDeletion(question)) mutate({ body: { id } })
    }
    return [
      {
        id: 'name',
        header: t('name'),
        fixed: true,
        cell: ({ name, general }) => (
          <span className="flex min-w-0 items-center gap-2">
            <span className="text-clip-line font-semibold" title={name}>
              {name}
            </span>
            {general && <Chip>{t('general')}</Chip>}
          </span>
        ),
      },
      {
        id: 'industry',
        header: t('industry'),
        width: '150px',
        wide: true,
        cell: ({ industry }) =>
          industry === '' ? <span className="text-muted">—</span> : APPLICATION_TYPES[industry][language],
      },
      {
        id: 'options',
        header: t('options'),
        width: '130px',
        cell: ({ chosen }) => (
          <span className="tabular-nums">{t('optionCount', { chosen, all: REINFORCE_OPTION_KEYS.length })}</span>
        ),
      },
      {
        id: 'signature',
        header: t('signature'),
        width: '160px',
        wide: true,
        cell: ({ signature }) => (
          <span className="text-clip-line block">
            {signature || <span className="text-muted">{t('noSignature')}</span>}
          </span>
        ),
      },
      {
        id: 'scope',
        header: t('scope'),
        width: '150px',
        wide: true,
        cell: ({ appid, general }) => (
          <span className="text-clip-line block">
            {appid !== null ? (
              nameOf('app', appid)
            ) : (
              <span className="text-muted">{t(general ? 'all' : 'ownerOnly')}</span>
            )}
          </span>
        ),
      },
      {
        id: 'created',
        header: t('created'),
        width: '110px',
        wide: true,
        spare: true,
        cell: ({ created_at }) => <RelativeTime at={created_at} />,
      },
      {
        id: 'updated',
        header: t('updated'),
        width: '230px',
        wide: true,
        cell: ({ rev, updated_at, updated_by }) => (
          <span className="text-clip-line block text-12 text-muted">
            v{rev} <RelativeTime at={updated_at} /> {updated_by}
          </span>
        ),
      },
      {
        id: 'actions',
        header: '',
        width: '44px',
        fixed: true,
        cell: (one) => (
          <MenuButton
            iconOnly
            icon={Ellipsis}
            label={t('more', { name: one.name })}
            items={[
              {
                id: 'use',
                label: t('use'),
                icon: ShieldPlus,
                onAction: () => void navigate(`${PAGES.reinforce_new.path}?policy=${one.id}`),
              },
              { id: 'copy', label: t('copy'), icon: Copy, onAction: () => setMaking(one) },
              {
                id: 'export',
                label: t('export'),
                icon: Download,
                onAction: () => window.location.assign(downloadHref(exportReinforcePolicy, { id: one.id })),
              },
              ...(one.manageable
                ? [{ id: 'remove', label: t('remove'), icon: Trash2, onAction: () => void askRemoval(one) }]
                : []),
            ]}
          />
        ),
      },
    ]
  }, [t, language, nameOf, mutate, navigate])

  async function importFile(file: File | undefined): Promise<void> {
    if (!file) return
    if (file.size > POLICY_FILE_BYTES) return void toast.error(t('tooLarge', { size: formatBytes(POLICY_FILE_BYTES) }))
    const text = await file.text()
    take.mutate({ body: { text, ...(application && { appid: application.id }) } })
  }

  const list = answer.data?.data
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle
        title={PAGES.reinforce_policies[language]}
        note={list && list.length > 0 && t('count', { count: list.length })}
        actions={
          <>
            <a className={buttonClass('quiet')} href={downloadHref(reinforcePolicyFormat)} download>
              <Icon of={FileJson} size={16} />
              {t('schema')}
            </a>
            <Button variant="quiet" icon={Upload} isDisabled={take.isPending} onPress={() => input.current?.click()}>
              {t('import')}
            </Button>
            <Button variant="primary" icon={Plus} onPress={create}>
              {t('create')}
            </Button>
            <input
              ref={input}
              type="file"
              aria-label={t('import')}
              accept=".json,application/json"
              tabIndex={-1}
              className="sr-only"
              onChange={({ target }) => {
                void importFile(target.files?.[0])
                target.value = '' // the same file may be chosen again
              }}
            />
          </>
        }
      />
      {answer.error && !list ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : !list ? (
        <Skeleton lines={6} height="28px" className="border-t p-5" />
      ) : (
        <div className="flex flex-1 flex-col border-t">
          <DataTable
            label={PAGES.reinforce_policies[language]}
            columns={columns}
            rows={list}
            rowKey={({ id }) => id}
            onOpen={({ id }) => open(id)}
            openMark={false}
            empty={
              <EmptyState
                kind="none"
                title={t('none')}
                hint={t('noneHint')}
                action={<Button onPress={create}>{t('create')}</Button>}
              />
            }
          />
        </div>
      )}
      {making && (
        <NewPolicyDialog
          from={making === true ? undefined : making}
          onClose={() => setMaking(undefined)}
          onCreated={open}
        />
      )}
    </div>
  )
}
