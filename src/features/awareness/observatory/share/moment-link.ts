import { type ViewState, viewToParams } from '../view-state.ts'

const MINUTE = 60_000
/** A live moment is shared as the replay of the minutes before it. */
const BEFORE = 10 * MINUTE

/** The address that brings the moment `at` back: its replay, with the same filters, map and layers. A replay keeps its window and place in it. */
export function momentLink(address: string, state: ViewState, at: number): string {
  const url = new URL(address)
  const end = Math.ceil(at / MINUTE) * MINUTE
  const moment: ViewState =
    state.mode === 'replay' && state.window
      ? { ...state, offset: Math.max(0, at - state.window.from) }
      : {
          ...state,
          mode: 'replay',
          window: { from: end - BEFORE, to: end },
          offset: Math.max(0, at - (end - BEFORE) - MINUTE),
        }
  for (const [name, value] of Object.entries(viewToParams({ ...moment, wall: false, event: null })))
    if (value === null) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  url.searchParams.delete('rotate')
  url.hash = ''
  return url.href
}
