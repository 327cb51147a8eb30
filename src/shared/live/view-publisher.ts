import { untilTick } from './half-second-tick.ts'
import type { WallView } from './wall-view.ts'

/** Holds the current view and tells listeners of a new one on the next beat: at most every half second. */
export type ViewPublisher = {
  view(): WallView
  /** The next notification will build the view anew. */
  touch(): void
  /** Builds and tells at once: a button was pressed. */
  flush(): void
  subscribe(listener: () => void): () => void
  /** Nothing more is told until the next touch. */
  close(): void
}

/** `now` is the clock whose beats are kept. */
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
