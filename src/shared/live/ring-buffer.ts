/** The newest `capacity` items, outside React. */
export type RingBuffer<T> = {
  readonly size: number
  push(item: T): void
  newestFirst(): T[]
  oldestFirst(): T[]
  clear(): void
}

export function createRingBuffer<T>(capacity: number): RingBuffer<T> {
  let items: T[] = []
  let next = 0
  const oldestFirst = () => (items.length < capacity ? items.slice() : [...items.slice(next), ...items.slice(0, next)])
  return {
    get size() {
      return items.length
    },
    push(item) {
      if (items.length < capacity) items.push(item)
      else items[next] = item
      next = (next + 1) % capacity
    },
    oldestFirst,
    newestFirst: () => oldestFirst().reverse(),
    clear() {
      items = []
      next = 0
    },
  }
}
