import type { QueuedEvent, Store } from '#sdk/web/port.ts'

/** The store of the web SDK in memory, for tests that restart pages: each step is whole or not done, as in a transaction. */
export function memoryStore(capacity = 2000): Store & { readonly size: number; readonly names: () => string[] } {
  const values = new Map<string, unknown>()
  const queue = new Map<number, QueuedEvent>()
  let last = 0
  return {
    get size() {
      return queue.size
    },
    names: () => [...values.keys()],
    get: async <T>(name: string) => values.get(name) as T | undefined,
    async set(name, value) {
      if (value === undefined) values.delete(name)
      else values.set(name, value)
    },
    async add(waiting) {
      if (queue.size >= capacity) return false
      queue.set(++last, structuredClone(waiting))
      return true
    },
    async take(limit, stamp) {
      const kept = [...queue].slice(0, limit).map(([key, waiting]) => ({ key, waiting: stamp(waiting) }))
      for (const { key, waiting } of kept) queue.set(key, waiting)
      return structuredClone(kept)
    },
    async put({ key, waiting }) {
      queue.set(key, structuredClone(waiting))
    },
    async remove(keys) {
      for (const key of keys) queue.delete(key)
    },
    async clear() {
      values.clear()
      queue.clear()
    },
  }
}
