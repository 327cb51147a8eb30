import { Search } from 'lucide-react'
import { type KeyboardEvent, lazy, Suspense, useId, useRef, useState } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { useNavigate } from 'react-router-dom'
import type { SearchHit } from '#contracts/http/search.ts'
import { PAGES } from '#contracts/pages.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useAuthList } from '#src/shared/session/session-store.ts'
import { runAction, useOfferedActions } from '#src/shared/ui/actions.ts'
import { copyToClipboard } from '#src/shared/ui/copy-text.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { Kbd } from '#src/shared/ui/kbd.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { actionTexts } from './action-texts.ts'
import { type HitAction, hitActions } from './hit-actions.ts'
import { HitPreview } from './hit-preview.tsx'
import { PaletteList } from './palette-list.tsx'
import { type PaletteRow, paletteGroups } from './palette-rows.ts'
import { paletteTexts } from './palette-texts.ts'
import { rank } from './rank.ts'
import { recentHits, rememberHit } from './recent-hits.ts'
import { settingsActions } from './settings-actions.ts'
import { useSearch } from './use-search.ts'

const PinHitDialog = lazy(() => import('./pin-hit-dialog.tsx'))

/**
 * Ctrl+K: everything one can do or go to from here, and everything that the server knows by name or id. Pages, actions and settings are
 * found without the server.
 */
export default function CommandPalette({ onClose }: { onClose: () => void }) {
  const t = useTexts(paletteTexts)
  const a = useTexts(actionTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const auth = useAuthList()
  const list = useId()
  const box = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const firstAction = useRef<HTMLButtonElement>(null)
  const [text, setText] = useState('')
  const [kind, setKind] = useState<string | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const [pinned, setPinned] = useState<SearchHit | null>(null)
  const [recent] = useState(recentHits)
  const offered = useOfferedActions()
  const found = useSearch(text)
  const settings = settingsActions(auth, t, (path) => void navigate(path))
  const actions = rank(
    [...offered, ...settings].filter(
      (one) => !one.isDisabled && one.id !== 'shell.palette' && one.id !== 'shell.search',
    ),
    text,
  )
  const groups = paletteGroups({ actions, groups: found.groups, recent, text, language, recentTitle: t('recent') })
  const shown = kind === null ? groups : groups.filter(({ id }) => id === kind)
  const rows = shown.flatMap((group) => group.rows)
  const current = rows.find(({ id }) => id === chosen) ?? rows[0]
  const currentHit = current && 'hit' in current ? current.hit : undefined
  const verbs = currentHit ? hitActions(currentHit, auth) : []

  function runRow(row: PaletteRow, newTab = false): void {
    if ('hit' in row) {
      act(row.hit, { verb: newTab ? 'newTab' : 'open', to: row.hit.to })
      return
    }
    onClose()
    // After the dialog has given the focus back, so that what opens next can take it.
    setTimeout(() => (row.action.id.startsWith('setting.') ? row.action.run() : runAction(row.action.id)))
  }

  function act(hit: SearchHit, { verb, to }: Pick<HitAction, 'verb' | 'to'>): void {
    if (verb === 'copy') {
      void copyToClipboard(hit.copy).then((done) => done && toast.success(t('copied', { text: hit.copy })))
      return
    }
    rememberHit(hit)
    if (verb === 'pin') {
      setPinned(hit)
      return
    }
    onClose()
    if (verb === 'newTab') window.open(to, '_blank', 'noopener')
    else setTimeout(() => void navigate(to ?? hit.to))
  }

  function toTrace(): void {
    onClose()
    void navigate(PAGES.investigation.path)
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step && current) {
      event.preventDefault()
      const next = (rows.indexOf(current) + step + rows.length) % rows.length
      setChosen(rows[next]?.id ?? null)
      box.current?.querySelectorAll('[role="option"]')[next]?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter' && current) {
      event.preventDefault()
      runRow(current, event.ctrlKey || event.metaKey)
    } else if (event.key === 'Tab' && !event.shiftKey && firstAction.current?.offsetParent) {
      event.preventDefault()
      event.stopPropagation() // the dialog would move the focus one further
      firstAction.current.focus()
    } else if (event.key === 'c' && (event.ctrlKey || event.metaKey) && currentHit) {
      const { selectionStart, selectionEnd } = input.current as HTMLInputElement
      if (selectionStart !== selectionEnd) return
      event.preventDefault()
      act(currentHit, { verb: 'copy' })
    }
  }

  if (pinned)
    return (
      <Suspense>
        <PinHitDialog hit={pinned} onClose={onClose} />
      </Suspense>
    )
  const hits = found.groups.reduce((sum, group) => sum + group.hits.length, 0)
  const chips = groups.filter(({ isFound }) => isFound)
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={onClose}
      className="modal-layer pop fixed inset-0 z-40 flex items-start justify-center bg-scrim px-3 pt-[9vh] max-sm:pt-3"
    >
      <Modal className="w-full max-w-[920px] rounded bg-raised text-text shadow-raised">
        <Dialog aria-label={a('palette')} className="flex h-[min(620px,80vh)] flex-col max-sm:h-[88dvh]">
          <div className="flex h-12 flex-none items-center gap-2.5 border-b px-4">
            <Icon of={Search} className="text-muted" />
            <input
              ref={input}
              autoFocus
              role="combobox"
              aria-label={a('palette')}
              aria-expanded="true"
              aria-controls={list}
              aria-activedescendant={current ? `${list}-${current.id}` : undefined}
              autoComplete="off"
              spellCheck={false}
              maxLength={128}
              value={text}
              placeholder={t('hint')}
              onChange={(event) => {
                setText(event.target.value)
                setChosen(null)
                setKind(null)
              }}
              onKeyDown={onKeyDown}
              className="h-full min-w-0 flex-1 bg-transparent text-14 shadow-none! outline-none!"
            />
            <span aria-live="polite" className="flex-none text-12 text-muted max-sm:sr-only">
              {found.isSearching
                ? t('searching')
                : found.milliseconds !== undefined && t('found', { count: hits, ms: found.milliseconds })}
            </span>
            <Kbd>Esc</Kbd>
          </div>
          {chips.length > 1 && (
            <fieldset className="flex flex-none flex-wrap gap-1.5 border-b px-4 py-2">
              <legend className="sr-only">{t('kinds')}</legend>
              {[{ id: null, title: t('all'), rows: groups.flatMap((group) => group.rows) }, ...chips].map((one) => (
                <button
                  key={one.id ?? 'all'}
                  type="button"
                  aria-pressed={kind === one.id}
                  onClick={() => {
                    setKind(one.id)
                    setChosen(null)
                    input.current?.focus()
                  }}
                  className={`h-6 rounded-small border px-2 text-12 ${kind === one.id ? 'border-transparent bg-selected text-brand-text' : 'hover:bg-hover'}`}
                >
                  {one.title} {one.rows.length}
                </button>
              ))}
            </fieldset>
          )}
          <div
            className={`grid min-h-0 flex-1 ${currentHit ? 'grid-cols-[minmax(0,540fr)_minmax(0,380fr)] max-lg:grid-cols-1' : ''}`}
          >
            <PaletteList
              box={box}
              id={list}
              groups={shown}
              current={current}
              text={text}
              found={found}
              onChoose={setChosen}
              onRun={runRow}
              onTrace={auth.includes('mssa') ? toTrace : undefined}
            />
            {currentHit && (
              <div className="min-h-0 max-lg:hidden [&>section]:h-full">
                <HitPreview
                  hit={currentHit}
                  actions={verbs}
                  onAction={(action) => act(currentHit, action)}
                  first={firstAction}
                />
              </div>
            )}
          </div>
          <div className="flex h-9 flex-none items-center gap-4 overflow-hidden border-t px-4 text-12 whitespace-nowrap text-muted">
            <span className="flex items-center gap-1">
              <Kbd>↑</Kbd>
              <Kbd>↓</Kbd> {t('choose')}
            </span>
            <span className="flex items-center gap-1">
              <Kbd>↵</Kbd> {t('open')}
            </span>
            {currentHit && (
              <>
                <span className="flex items-center gap-1 max-lg:hidden">
                  <Kbd>Tab</Kbd> {t('toActions')}
                </span>
                <span className="flex items-center gap-1">
                  <Kbd>Ctrl ↵</Kbd> {t('newTab')}
                </span>
              </>
            )}
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
