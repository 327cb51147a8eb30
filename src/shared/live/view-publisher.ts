import { untilTick } from './half-second-tick.ts'
import type { WallView } from './wall-view.ts'

/** Holds the current view and notifies listeners of a new one on the next tick: at most every half second. */
export type ViewPublisher = {
  view(): WallView
  /** The next notification rebuilds the view. */
  touch(): void
  /** Rebuilds and notifies at once: a button was pressed. */
  flush(): void
  subscribe(listener: () => void): () => void
  /** No more notifications until the next touch. */
  close(): void
}

/** `now` is the clock whose ticks are used. */
export function createViewPublisher(build: () => WallView, now: () => number): ViewPublisher {
  const listeners = new Set<() => void>()
  let current = build()
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    current = build()
    for (const listener of listeners) listener()
  }
  return {
    view: () => current,
    touch() {
      timer ??= setTimeout(flush, untilTick(now()))
    },
    flush,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
