import type { QueuedEvent, Store, StoredEvent } from './port.ts'

/** Events that may wait: some days of a busy page. */
export const CAPACITY = 2000

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** IndexedDB, opened when first used: nothing is on the machine before that. */
export function idbStore(name: string): Store {
  let opened: Promise<IDBDatabase> | undefined

  function open(): Promise<IDBDatabase> {
    opened ??= (() => {
      const request = indexedDB.open(name, 1)
      request.onupgradeneeded = () => {
        request.result.createObjectStore('values')
        request.result.createObjectStore('queue', { autoIncrement: true })
      }
      return done(request).then((database) => {
        // Another tab deletes it: let go.
        database.onversionchange = () => {
          database.close()
          opened = undefined
        }
        return database
      })
    })()
    return opened
  }
  async function use(of: 'values' | 'queue', mode: IDBTransactionMode): Promise<IDBObjectStore> {
    return (await open()).transaction(of, mode).objectStore(of)
  }

  return {
    get: async (key) => done((await use('values', 'readonly')).get(key)),
    async set(key, value) {
      await done((await use('values', 'readwrite')).put(value, key))
    },
    async add(waiting) {
      const queue = await use('queue', 'readwrite')
      if ((await done(queue.count())) >= CAPACITY) return false
      await done(queue.add(waiting))
      return true
    },
    async take(limit, stamp) {
      const queue = await use('queue', 'readwrite')
      const kept: StoredEvent[] = []
      const cursor = queue.openCursor()
      return new Promise((resolve, reject) => {
        cursor.onsuccess = () => {
          const at = cursor.result
          if (!at || kept.length === limit) return
          const before = at.value as QueuedEvent
          const waiting = stamp(before)
          if (waiting !== before) at.update(waiting)
          kept.push({ key: at.key as number, waiting })
          at.continue()
        }
        queue.transaction.oncomplete = () => resolve(kept)
        queue.transaction.onabort = queue.transaction.onerror = () => reject(queue.transaction.error)
      })
    },
    async put({ key, waiting }) {
      await done((await use('queue', 'readwrite')).put(waiting, key))
    },
    async remove(keys) {
      const queue = await use('queue', 'readwrite')
      await Promise.all(keys.map((key) => done(queue.delete(key))))
    },
    async clear() {
      ;(await opened)?.close()
      opened = undefined
      await done(indexedDB.deleteDatabase(name))
    },
  }
}
