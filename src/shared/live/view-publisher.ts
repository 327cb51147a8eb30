import { NOTIFY_MS, type WallView } from './wall-view.ts'

/** Holds the current view and tells listeners of a new one, at most every half second. */
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

export function createViewPublisher(build: () => WallView): ViewPublisher {
  const listeners = new Set<() => void>()
  let current = build()
  let timer: ReturnType<typeof setTimeout> | undefined
  let toldAt = 0

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    toldAt = performance.now()
    current = build()
    for (const listener of listeners) listener()
  }
  return {
    view: () => current,
    touch() {
      timer ??= setTimeout(flush, Math.max(0, Math.min(NOTIFY_MS, toldAt + NOTIFY_MS - performance.now())))
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
