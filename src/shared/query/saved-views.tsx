import { useQueryClient } from '@tanstack/react-query'
import { Bookmark, RotateCcw, Save, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { deleteView, MAY_KEEP_VIEWS, type SavedView, savedViews, saveView } from '#contracts/http/saved-views.ts'
import { PAGES, type PageName } from '#contracts/pages.ts'
import { confirmDeletion } from '#src/shared/ui/deletion.ts'
import { call } from '../api/call.ts'
import { endpointKey, useEndpoint } from '../api/use-endpoint.ts'
import { useTexts } from '../i18n/texts.ts'
import { useMay, useSession } from '../session/session-store.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { errorMessage } from '../ui/error-state.tsx'
import { MenuButton, type MenuGroup } from '../ui/menu-button.tsx'
import { TextField } from '../ui/text-field.tsx'
import { toast } from '../ui/toast.ts'
import { queryTexts } from './query-texts.ts'
import { linkParams } from './query-url.ts'
import type { QueryState } from './use-query-state.ts'

/** What a view saves: all of the address except open drawers and page positions. */
const NOT_KEPT = ['rows', 'event', 'open', 'page', 'paused', 'view']

/** A page's address: with a query, or (pages that ask no statistics) the parameters alone. */
type ViewState = QueryState | Pick<QueryState, 'params' | 'setParams'>

/** Views of a page: open, save, update, revert, delete; personal or for the team. `view` in the address names the one that is open. */
export function SavedViews(props: { state: ViewState; page: PageName }) {
  const mayKeep = useSession(({ user }) => MAY_KEEP_VIEWS.some((item) => user?.auth_list.includes(item)))
  return mayKeep ? <Views {...props} /> : null
}

function Views({ state, page }: { state: ViewState; page: PageName }) {
  const t = useTexts(queryTexts)
  const navigate = useNavigate()
  const client = useQueryClient()
  const mayShare = useMay('view.share')
  const [isSaving, setSaving] = useState(false)
  const { data } = useEndpoint(savedViews, { query: { page } })
  const views = data?.data ?? []
  const open = views.find((view) => view.id === state.params.get('view'))
  const search = searchOf(state)
  const modified = open !== undefined && open.search !== search
  const go = (view: SavedView) => void navigate(`${PAGES[page].path}?${view.search}&view=${view.id}`)
  const reload = () => client.invalidateQueries({ queryKey: endpointKey(savedViews) })
  const attempt = async (work: () => Promise<unknown>, done: string) => {
    try {
      await work()
      await reload()
      toast.success(done)
    } catch (error) {
      toast.error(errorMessage(error))
    }
  }
  const store = (values: { name: string; shared: boolean }, existing?: SavedView) =>
    attempt(async () => {
      const { data: saved } = await call(
        saveView,
        {
          body: { ...values, page, search, ...(existing && { id: existing.id, version: existing.version }) },
        },
        { quiet: true },
      )
      state.setParams({ view: saved.id }, true)
    }, t('saved'))
  const remove = async (view: SavedView) => {
    if (
      !(await confirmDeletion({
        title: t('deleteTitle', { name: view.name }),
        text: t('deleteText'),
        action: t('deleteView'),
      }))
    )
      return
    await attempt(() => call(deleteView, { body: { id: view.id } }, { quiet: true }), t('deleted'))
  }
  const listed = views.map((view) => ({
    id: view.id,
    label: view.name,
    hint: t(view.shared ? 'team' : 'personal'),
    isChosen: view.id === open?.id,
    onAction: () => go(view),
  }))
  const changeable = open && (open.own || mayShare)
  const items: MenuGroup[] = [
    {
      items:
        listed.length > 0
          ? listed
          : [{ id: 'empty', label: t('noViews'), isDisabled: true, onAction: () => undefined }],
    },
    {
      items: [
        { id: 'new', label: t('saveAs'), icon: Bookmark, onAction: () => setSaving(true) },
        ...(changeable && modified
          ? [
              {
                id: 'update',
                label: t('updateView', { name: open.name }),
                icon: Save,
                onAction: () => void store({ name: open.name, shared: open.shared }, open),
              },
            ]
          : []),
        ...(open && modified
          ? [{ id: 'revert', label: t('revertView', { name: open.name }), icon: RotateCcw, onAction: () => go(open) }]
          : []),
        ...(changeable
          ? [{ id: 'delete', label: t('deleteView'), icon: Trash2, danger: true, onAction: () => void remove(open) }]
          : []),
      ],
    },
  ]
  return (
    <span className="max-lg:hidden">
      <MenuButton
        label={open ? `${open.name}${modified ? ` · ${t('modified')}` : ''}` : t('saveView')}
        icon={Bookmark}
        variant="quiet"
        items={items}
      />
      {isSaving && (
        <SaveDialog
          mayShare={mayShare}
          onClose={() => setSaving(false)}
          onSave={(name, shared) => {
            setSaving(false)
            void store({ name, shared })
          }}
        />
      )}
    </span>
  )
}

function searchOf(state: ViewState): string {
  const params =
    'query' in state ? linkParams(state.params, state.query, state.defaults) : new URLSearchParams(state.params)
  for (const name of NOT_KEPT) params.delete(name)
  if (!('query' in state)) params.sort()
  return params.toString()
}

function SaveDialog({
  mayShare,
  onClose,
  onSave,
}: {
  mayShare: boolean
  onClose: () => void
  onSave: (name: string, shared: boolean) => void
}) {
  const t = useTexts(queryTexts)
  const [name, setName] = useState('')
  const [shared, setShared] = useState(false)
  const [asked, setAsked] = useState(false)
  const save = () => (name.trim() ? onSave(name.trim(), shared) : setAsked(true))
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={t('saveView')}
      width={420}
      footer={
        <>
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button variant="primary" onPress={save}>
            {t('save')}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <TextField
          label={t('viewName')}
          value={name}
          onChange={setName}
          maxLength={64}
          autoFocus
          error={asked && !name.trim() ? t('nameEmpty') : undefined}
        />
        {mayShare && (
          <Checkbox isSelected={shared} onChange={setShared}>
            {t('share')}
          </Checkbox>
        )}
      </form>
    </Dialog>
  )
}
