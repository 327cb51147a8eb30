import type { TopList } from '#contracts/live/messages.ts'
import type { HashTable } from './hash-table.ts'

/** Exact counts by key, with an incrementally maintained list of the highest ones (counts only grow within a day). */
export type TopCounts = {
  add(key: string, by: number): void
  list(): TopList
  /** Whether the key is in the list. */
  lists(key: string): boolean
  clear(): void
}

const ROWS = 8
type Counter = Pick<HashTable, 'add' | 'clear'> & { readonly size: number }

export function createTopCounts(counter: Counter): TopCounts {
  let best: [key: string, count: number][] = []
  let total = 0
  return {
    add(key, by) {
      const count = counter.add(key, by)
      total += by
      const last = best[ROWS - 1]
      if (last && (count < last[1] || (count === last[1] && key > last[0]))) return
      let row = 0
      while (row < best.length && best[row]?.[0] !== key) row++
      // A new key takes the last place, then everything it outdid moves down.
      if (row === ROWS) row--
      for (; row > 0; row--) {
        const above = best[row - 1] as [string, number]
        if (above[1] > count || (above[1] === count && above[0] < key)) break
        best[row] = above
      }
      best[row] = [key, count]
    },
    list() {
      const listed = best.reduce((sum, row) => sum + row[1], 0)
      return { rows: best.map(([key, count]) => [key, count]), groupCount: counter.size, others: total - listed }
    },
    lists: (key) => best.some((row) => row[0] === key),
    clear() {
      counter.clear()
      best = []
      total = 0
    },
  }
}

/** Counts by any text: administrative codes, versions, applications. */
export type TextCounts = Counter & { entries(): [key: string, count: number][] }

export function createTextCounts(): TextCounts {
  const counts = new Map<string, number>()
  return {
    get size() {
      return counts.size
    },
    add(key, by) {
      const sum = (counts.get(key) ?? 0) + by
      counts.set(key, sum)
      return sum
    },
    entries: () => [...counts],
    clear: () => counts.clear(),
  }
}
