import { Search } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { type Action, runAction, useOfferedActions } from '#src/shared/ui/actions.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { Kbd } from '#src/shared/ui/kbd.tsx'
import { actionTexts } from './action-texts.ts'
import { KeyHint } from './key-hint.tsx'
import { rank } from './rank.ts'

const MOST = 40

/** Ctrl+K: everything one can do or go to from here, found by any part of its words. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const t = useTexts(actionTexts)
  const list = useId()
  const box = useRef<HTMLDivElement>(null)
  const [search, setSearch] = useState('')
  const [at, setAt] = useState(0)
  const offered = useOfferedActions()
  const found = rank(
    offered.filter((one) => !one.isDisabled && one.id !== 'shell.palette'),
    search,
  ).slice(0, MOST)
  const current = found[Math.min(at, found.length - 1)]

  function run(action: Action): void {
    onClose()
    // After the dialog has given the focus back, so that what opens next can take it.
    setTimeout(() => runAction(action.id))
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step && found.length > 0) {
      event.preventDefault()
      const next = (at + step + found.length) % found.length
      setAt(next)
      box.current?.querySelectorAll('[role="option"]')[next]?.scrollIntoView({ block: 'nearest' })
    }
    if (event.key === 'Enter' && current && !event.nativeEvent.isComposing) {
      event.preventDefault()
      run(current)
    }
  }

  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={onClose}
      className="modal-layer pop fixed inset-0 z-40 flex items-start justify-center bg-scrim px-3 pt-[12vh]"
    >
      <Modal className="w-full max-w-[560px] rounded bg-raised text-text shadow-raised">
        <Dialog aria-label={t('palette')} className="flex flex-col">
          <div className="flex h-12 items-center gap-2.5 border-b px-4">
            <Icon of={Search} className="text-muted" />
            <input
              autoFocus
              role="combobox"
              aria-label={t('palette')}
              aria-expanded="true"
              aria-controls={list}
              aria-activedescendant={current ? `${list}-${current.id}` : undefined}
              autoComplete="off"
              value={search}
              placeholder={t('paletteHint')}
              onChange={(event) => {
                setSearch(event.target.value)
                setAt(0)
              }}
              onKeyDown={onKeyDown}
              className="h-full min-w-0 flex-1 bg-transparent text-14 shadow-none! outline-none!"
            />
            <Kbd>Esc</Kbd>
          </div>
          <div ref={box} id={list} role="listbox" aria-label={t('palette')} className="max-h-[50vh] overflow-auto p-1">
            {found.map((action, index) => {
              const isFirst = found[index - 1]?.group !== action.group
              const here = action === current
              return (
                <div key={action.id} role="presentation">
                  {isFirst && (
                    <div role="presentation" className="px-3 pt-2 pb-1 text-12 text-muted">
                      {action.group}
                    </div>
                  )}
                  <div
                    id={`${list}-${action.id}`}
                    role="option"
                    tabIndex={-1}
                    aria-selected={here}
                    onPointerMove={() => index !== at && setAt(index)}
                    onClick={() => run(action)}
                    onKeyDown={onKeyDown}
                    className={`flex h-9 cursor-pointer items-center gap-2.5 rounded-small px-3 ${here ? 'bg-selected' : ''}`}
                  >
                    <span className="flex w-4 justify-center text-muted">
                      {action.icon && <Icon of={action.icon} />}
                    </span>
                    <span className="text-clip-line min-w-0 flex-1">{action.label}</span>
                    {action.keys && <KeyHint keys={action.keys} />}
                  </div>
                </div>
              )
            })}
            {found.length === 0 && <p className="px-3 py-6 text-center text-muted">{t('nothing')}</p>}
          </div>
          <div className="flex h-9 items-center gap-4 border-t px-4 text-12 text-muted">
            <span className="flex items-center gap-1">
              <Kbd>↑</Kbd>
              <Kbd>↓</Kbd> {t('move')}
            </span>
            <span className="flex items-center gap-1">
              <Kbd>↵</Kbd> {t('run')}
            </span>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
