import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { abnormalReturns } from '#contracts/http/abnormal-returns.ts'
import { type Baseline, baselines, deleteBaseline } from '#contracts/http/baselines.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { type Column, DataTable } from '#src/shared/table/data-table.tsx'
import { Button } from '#src/shared/ui/button.tsx'
import { confirmDeletion, deleted } from '#src/shared/ui/deletion.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { abnormalTexts } from './abnormal-texts.ts'
import { BaselineDialog } from './baseline-dialog.tsx'

/** Baselines of the visible applications: add, edit, delete. */
export function BaselineList({ rows }: { rows: readonly Baseline[] }) {
  const t = useTexts(abnormalTexts)
  const nameOf = useNameOf()
  const mayEdit = useMay('investigation.edit')
  const [edited, setEdited] = useState<Baseline | 'new' | null>(null)
  const remove = useAction(deleteBaseline, {
    refreshes: [baselines, abnormalReturns],
    onSuccess: () => deleted(),
  })
  const onRemove = async (row: Baseline) => {
    const name = { app: nameOf('app', row.appid), version: row.version }
    if (await confirmDeletion({ title: t('removeTitle', name), text: t('removeText'), action: t('remove') }))
      remove.mutate({ body: { id: row.id } })
  }
  const columns: Column<Baseline>[] = [
    { id: 'app', header: t('app'), cell: (row) => nameOf('app', row.appid) },
    { id: 'version', header: t('version'), cell: (row) => row.version },
    {
      id: 'package',
      header: t('packageName'),
      cell: (row) => (row.package_name ? <code className="text-12">{row.package_name}</code> : t('open')),
    },
    {
      id: 'signers',
      header: t('signer'),
      cell: (row) => (
        <code className="text-12" title={row.signers.join('\n')}>
          {row.signers.map((one) => `${one.slice(0, 8)}…${one.slice(-4)}`).join(' ') || t('open')}
        </code>
      ),
    },
    {
      id: 'channels',
      header: t('channels'),
      width: '25%',
      cell: (row) => (
        <span className="text-clip-line block max-w-[36ch]" title={row.channels.join(', ')}>
          {row.channels.join(', ') || t('open')}
        </span>
      ),
    },
    {
      id: 'by',
      header: t('by'),
      cell: (row) => (
        <span className="text-12 text-muted">
          {row.by} <RelativeTime at={row.updated_at} />
        </span>
      ),
    },
    {
      id: 'actions',
      header: '',
      numeric: true,
      cell: (row) =>
        mayEdit && (
          <span className="inline-flex">
            <IconButton size="small" label={t('edit')} icon={Pencil} onPress={() => setEdited(row)} />
            <IconButton size="small" label={t('remove')} icon={Trash2} onPress={() => void onRemove(row)} />
          </span>
        ),
    },
  ]
  const addButton = (
    <Button
      icon={Plus}
      isDisabled={!mayEdit}
      {...(!mayEdit && { title: t('editMissing') })}
      onPress={() => setEdited('new')}
    >
      {t('add')}
    </Button>
  )
  return (
    <Section plain title={t('baselines', { count: rows.length })} actions={rows.length > 0 && addButton}>
      {rows.length === 0 ? (
        <EmptyState kind="none" title={t('noBaselines')} hint={t('noBaselinesHint')} action={addButton} />
      ) : (
        <DataTable
          label={t('baselines', { count: rows.length })}
          columns={columns}
          rows={rows}
          rowKey={(row) => row.id}
          {...(mayEdit && { onOpen: (row: Baseline) => setEdited(row) })}
        />
      )}
      {edited !== null && (
        <BaselineDialog {...(edited !== 'new' && { baseline: edited })} onClose={() => setEdited(null)} />
      )}
    </Section>
  )
}
