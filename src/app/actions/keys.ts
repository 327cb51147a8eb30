import { type Action, offeredActions, runAction } from '#src/shared/ui/actions.ts'

/** The key handler over the action registry: single keys, sequences (`g o`) and `Mod+k`; never while somebody types, but for function keys. */

const SEQUENCE_MS = 1200
const TEXT_ROLES = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton'])
const TEXT_INPUTS = /^(?!button|checkbox|radio|submit|reset|range|color|file|image).*/

/** Whether this element takes text: inputs, contenteditable, ARIA text roles, also inside a shadow tree. */
export function takesText(target: EventTarget | null | undefined): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || TEXT_ROLES.has(target.getAttribute('role') ?? '')) return true
  if (target instanceof HTMLInputElement) return TEXT_INPUTS.test(target.type)
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
}

/** `k`, `?`, `Mod+k`: the key of an event as actions name it. */
export function keyOf(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  return event.ctrlKey || event.metaKey ? `Mod+${key}` : key
}

/** The action for the keys pressed so far, or 'wait' when they begin a longer sequence. The newest offer of a key wins. */
export function match(pressed: readonly string[], actions: readonly Action[]): Action | 'wait' | undefined {
  const text = pressed.join(' ')
  const usable = actions.filter((one) => one.keys && !one.isDisabled)
  return (
    usable.findLast((one) => one.keys === text) ??
    (usable.some((one) => one.keys?.startsWith(`${text} `)) ? 'wait' : undefined)
  )
}

/** Listens on the document; the answer stops it. */
export function listenToKeys(): () => void {
  let pressed: string[] = []
  let last = 0
  function onKeyDown(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.isComposing || event.altKey) return
    const key = keyOf(event)
    if (!/^(?:Mod[+]|F\d)/.test(key) && takesText(event.composedPath()[0])) return
    // A modal dialog, a popover or a menu has the keyboard for itself.
    if (document.querySelector('.modal-layer, [data-trigger], [role="menu"]')) return
    if (event.timeStamp - last > SEQUENCE_MS) pressed = []
    last = event.timeStamp
    pressed = [...pressed, key]
    let found = match(pressed, offeredActions())
    if (found === undefined && pressed.length > 1) {
      pressed = [key]
      found = match(pressed, offeredActions())
    }
    if (found === 'wait') return
    pressed = []
    if (!found) return
    event.preventDefault()
    runAction(found.id)
  }
  document.addEventListener('keydown', onKeyDown)
  return () => document.removeEventListener('keydown', onKeyDown)
}
