/**
 * A bounded cache of two generations: entries not used while the young generation filled up are dropped with the old one. At most
 * twice `size` entries; a hit costs one or two map look-ups.
 */
export type RecentCache<V> = {
  get(key: string): V | undefined
  set(key: string, value: V): void
  clear(): void
}

export function recentCache<V>(size: number): RecentCache<V> {
  let young = new Map<string, V>()
  let old = new Map<string, V>()
  function set(key: string, value: V): void {
    if (young.size >= size && !young.has(key)) {
      old = young
      young = new Map()
    }
    young.set(key, value)
  }
  return {
    get(key) {
      const value = young.get(key)
      if (value !== undefined) return value
      const older = old.get(key)
      if (older !== undefined) set(key, older)
      return older
    },
    set,
    clear() {
      young = new Map()
      old = new Map()
    },
  }
}
