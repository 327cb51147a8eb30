import type { StatusMessage } from '#contracts/live/messages.ts'
import type { EventStore, StoreStatus } from '#storage/events/port.ts'
import type { JournalState } from '#storage/journal/port.ts'

const OK_EVERY_MS = 5000
/** Polled more often while something is wrong, so that recovery shows at once. */
const TROUBLE_EVERY_MS = 1000

export type StatusDeps = {
  store: Pick<EventStore, 'status'>
  geo(): 'ok' | 'missing'
  journalState(): JournalState
  now(): number
  version: string
  demo: boolean
}

/** What is wrong or missing on this side; `onChange` when a prerequisite changes its state. */
export type StatusWatch = { message(): StatusMessage; close(): void }

export function watchStatus(deps: StatusDeps, onChange: () => void): StatusWatch {
  let store: StoreStatus | undefined
  let state: StatusMessage['prerequisites']['store'] = 'ok'
  let reported = ''
  let timer: NodeJS.Timeout | undefined
  let closed = false

  const prerequisites = () => ({ geo: deps.geo(), store: state, journal: deps.journalState() })
  function message(): StatusMessage {
    const behind = state === 'down' && store?.storedTo ? (deps.now() - store.storedTo) / 1000 : 0
    return {
      type: 'status',
      at: deps.now(),
      version: deps.version,
      prerequisites: prerequisites(),
      // While the store is unavailable its last count is kept and the lag keeps growing.
      backlog: { events: store?.backlogEvents ?? 0, seconds: Math.max(store?.lagSeconds ?? 0, behind) },
      demo: deps.demo,
    }
  }
  async function look(): Promise<void> {
    try {
      store = await deps.store.status()
      state = store.state
    } catch {
      state = 'down' // the status message shows it; the store's own log has the cause
    }
    if (closed) return
    const current = JSON.stringify(prerequisites())
    if (reported !== current) onChange()
    reported = current
    timer = setTimeout(look, state === 'ok' ? OK_EVERY_MS : TROUBLE_EVERY_MS)
    timer.unref()
  }
  void look()
  return {
    message,
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}
