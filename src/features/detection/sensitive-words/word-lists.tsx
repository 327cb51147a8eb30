import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  deleteWordGroup,
  saveWordGroup,
  sensitiveWords,
  type WordList,
  wordGroups,
} from '#contracts/http/sensitive-words.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { confirmDeletion, deleted } from '#src/shared/ui/deletion.ts'
import { MenuButton } from '#src/shared/ui/menu-button.tsx'
import { Switch } from '#src/shared/ui/switch.tsx'
import { ListDialog } from './list-dialog.tsx'
import { wordsTexts } from './words-texts.ts'

/** The lists, each with its switch; a list that is off is not looked for. */
export function WordLists({
  lists,
  chosen,
  onChoose,
}: {
  lists: readonly WordList[]
  chosen: string
  onChoose: (id: string) => void
}) {
  const t = useTexts(wordsTexts)
  const language = useLanguage()
  const [editing, setEditing] = useState<WordList>()
  const save = useAction(saveWordGroup, { refreshes: [wordGroups] })
  const remove = useAction(deleteWordGroup, {
    refreshes: [wordGroups, sensitiveWords],
    onSuccess: () => deleted(),
  })
  const drop = async (list: WordList) => {
    const name = list.name[language]
    const text = t('deleteText', { name, count: list.words })
    if (await confirmDeletion({ title: t('deleteList'), text, action: t('deleteList') }))
      remove.mutate({ body: { id: list.id } })
  }
  return (
    <nav
      aria-label={t('list')}
      // The switches inside are placed against it: else they would widen the page.
      className="relative w-72 flex-none overflow-y-auto border-r py-2 max-lg:flex max-lg:w-full max-lg:overflow-x-auto max-lg:border-r-0 max-lg:border-b max-lg:px-2"
    >
      {lists.map((list) => {
        const name = list.name[language]
        return (
          <div
            key={list.id}
            className={`flex h-10 items-center gap-2 pr-2 pl-3 max-lg:flex-none max-lg:rounded ${list.id === chosen ? 'bg-selected' : 'hover:bg-hover'}`}
          >
            <Switch
              label={t('switch', { name })}
              isSelected={list.enabled}
              onChange={(enabled) =>
                save.mutate({ body: { id: list.id, name: list.name.zh, note: list.note, enabled, rev: list.rev } })
              }
            />
            <button
              type="button"
              aria-current={list.id === chosen ? 'true' : undefined}
              onClick={() => onChoose(list.id)}
              className={`min-w-0 flex-1 text-clip-line text-left ${list.enabled ? '' : 'text-muted'} ${list.id === chosen ? 'font-semibold text-brand-text' : ''}`}
            >
              {name}
            </button>
            <span className="text-12 text-muted tabular-nums">{formatExact(list.words)}</span>
            <MenuButton
              iconOnly
              icon={Ellipsis}
              label={t('more', { name })}
              items={[
                { id: 'edit', label: t('editList'), icon: Pencil, onAction: () => setEditing(list) },
                {
                  id: 'delete',
                  label: t('deleteList'),
                  icon: Trash2,
                  danger: true,
                  isDisabled: list.built_in,
                  onAction: () => void drop(list),
                },
              ]}
            />
          </div>
        )
      })}
      {editing && <ListDialog list={editing} onClose={() => setEditing(undefined)} />}
    </nav>
  )
}
