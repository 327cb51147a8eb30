import { Archive, ArchiveRestore, Ellipsis, Pencil, Plus, Trash2, UserCheck, X } from 'lucide-react'
import { useState } from 'react'
import { type Case, cases, deleteCase, saveCase } from '#contracts/http/investigation.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { ReportMenu } from '#src/shared/report/report-menu.tsx'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { confirmDeletion, deleted } from '#src/shared/ui/deletion.ts'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { MenuButton, type MenuEntry, type MenuGroup } from '#src/shared/ui/menu-button.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { CaseEntries } from './case-entries.tsx'
import { TitleDialog } from './title-dialog.tsx'
import { caseTexts } from './trace-texts.ts'
import type { CaseInUse } from './use-case.ts'

/** The case in use: what is pinned and noted in it, and everything that can be done with it. */
export function CasePanel({ inUse, onOpen }: { inUse: CaseInUse; onOpen: (search: Record<string, string>) => void }) {
  const t = useTexts(caseTexts)
  const language = useLanguage()
  const mayEdit = useMay('investigation.edit')
  const { data, entries, withheld, error } = inUse
  const notes = entries.filter(({ body }) => body.kind === 'note').length
  return (
    <section aria-label={t('case')} className="flex min-w-0 flex-col gap-2 px-5 py-3">
      <header className="flex min-h-7 items-center gap-2">
        <h2 className="text-clip-line min-w-0 flex-1 text-14 font-semibold" title={data?.title}>
          {data ? data.title : t('case')}
        </h2>
        {data?.state === 'closed' && <Chip tone="neutral">{t('closedCases')}</Chip>}
        <CaseMenu inUse={inUse} />
      </header>
      {error && <ErrorState error={error} onRetry={() => void inUse.reload()} />}
      {data ? (
        <p className="text-12 text-muted" data-testid="case-counts">
          {t('pins', { count: entries.length - notes })}
          {language === 'zh' ? '，' : ', '}
          {t('notes', { count: notes })} · {t('owner', { owner: data.owner })}
        </p>
      ) : (
        !error && <p className="text-12 text-muted">{mayEdit ? t('noneHint') : t('noPermission')}</p>
      )}
      <CaseEntries inUse={inUse} onOpen={onOpen} />
      {withheld > 0 && <p className="text-12 text-warn-text">{t('withheld', { count: withheld })}</p>}
      {data?.state === 'closed' && <p className="text-12 text-muted">{t('closedNote')}</p>}
      {inUse.may && <NoteField onAdd={(note) => inUse.add({ kind: 'note', note })} />}
    </section>
  )
}

function NoteField({ onAdd }: { onAdd: (note: string) => Promise<void> }) {
  const t = useTexts(caseTexts)
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    if (text.trim() === '' || busy) return
    setBusy(true)
    await onAdd(text.trim())
    setText('')
    setBusy(false)
  }
  return (
    <form
      className="flex items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <TextField
        className="min-w-0 flex-1"
        label={t('note')}
        hideLabel
        placeholder={t('note')}
        value={text}
        onChange={setText}
        maxLength={2000}
        autoComplete="off"
      />
      <Button type="submit" isDisabled={text.trim() === '' || busy}>
        {t('add')}
      </Button>
    </form>
  )
}

/** Another case, a new one, and what changes this one. */
function CaseMenu({ inUse }: { inUse: CaseInUse }) {
  const t = useTexts(caseTexts)
  const may = useMay('investigation.edit')
  const [dialog, setDialog] = useState<'rename' | 'fresh' | null>(null)
  const { data: list } = useEndpoint(cases, { query: { state: 'open' } })
  const save = useAction(saveCase)
  const remove = useAction(deleteCase)
  const { data } = inUse
  const change = async (values: Partial<Pick<Case, 'title' | 'state'>> & { take?: true }) => {
    if (!data) return
    const { id, title, state, version } = data
    await save.mutateAsync({ body: { id, title, state, version, ...values } }).catch(() => undefined)
    await inUse.reload()
  }
  const own: MenuEntry[] = data
    ? [
        { id: 'rename', label: t('rename'), icon: Pencil, onAction: () => setDialog('rename') },
        data.state === 'open'
          ? { id: 'close', label: t('close'), icon: Archive, onAction: () => void change({ state: 'closed' }) }
          : { id: 'reopen', label: t('reopen'), icon: ArchiveRestore, onAction: () => void change({ state: 'open' }) },
        ...(data.own
          ? [
              {
                id: 'delete',
                label: t('delete'),
                icon: Trash2,
                danger: true,
                onAction: () =>
                  void confirmDeletion({
                    title: t('delete'),
                    text: t('deleteText', { count: data.entries }),
                    action: t('delete'),
                  }).then(async (yes) => {
                    if (!yes) return
                    await remove.mutateAsync({ body: { id: data.id } })
                    deleted()
                    inUse.use(null)
                    await inUse.reload()
                  }),
              },
            ]
          : [{ id: 'take', label: t('take'), icon: UserCheck, onAction: () => void change({ take: true }) }]),
      ]
    : []
  const groups: MenuGroup[] = [
    ...(may && own.length > 0 ? [{ items: own }] : []),
    {
      title: t('choose'),
      items: [
        ...(list?.data ?? []).slice(0, 12).map((one) => ({
          id: one.id,
          label: one.title,
          hint: t('entries', { count: one.entries }),
          isChosen: one.id === data?.id,
          onAction: () => inUse.use(one.id),
        })),
        ...(may ? [{ id: 'fresh', label: t('fresh'), icon: Plus, onAction: () => setDialog('fresh') }] : []),
        ...(data ? [{ id: 'leave', label: t('leave'), icon: X, onAction: () => inUse.use(null) }] : []),
      ],
    },
  ]
  return (
    <>
      {data && <ReportMenu of="case" look="icon" subject={{ of: 'case', case: data.id }} />}
      <MenuButton
        label={t('choose')}
        items={groups}
        trigger={<IconButton size="small" label={t('choose')} icon={Ellipsis} />}
      />
      {dialog && (
        <TitleDialog
          title={t(dialog)}
          start={dialog === 'rename' ? (data?.title ?? '') : ''}
          onClose={() => setDialog(null)}
          onSave={async (title) => {
            if (dialog === 'rename') await change({ title })
            else {
              const answer = await save.mutateAsync({ body: { title } }).catch(() => undefined)
              if (answer) inUse.use(answer.data.id)
              await inUse.reload()
            }
          }}
        />
      )}
    </>
  )
}
