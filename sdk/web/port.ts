import type { WireEvent } from '#contracts/telemetry/wire.ts'

/** What the SDK needs of its environment: the browser in the product; the test's own clock, network and storage in tests. */
export type Port = {
  /** Epoch milliseconds of this machine, right or wrong. */
  now(): number
  /** A number from 0 to 1, so that many pages do not come back at once. */
  random(): number
  /** False when the machine is certainly offline. */
  online(): boolean
  /** Calls later; answers what takes that back. */
  later(work: () => void, ms: number): () => void
  fetch(path: string, init: { method: 'GET' | 'POST'; headers: Record<string, string>; body?: string }): Promise<Reply>
  store: Store
  /** Runs the work while no other tab of this site does. */
  alone(work: () => Promise<void>): Promise<void>
}
/** status 0: no answer. */
export type Reply = { status: number; header(name: string): string | null; body: Uint8Array<ArrayBuffer> }

/** An event that waits. Times are this machine's until it is first sent. */
export type QueuedEvent = {
  event: Omit<WireEvent, 'occurred_at' | 'reported_at'>
  at: number
  /** How far this machine's clock was behind the server's when it occurred; null before the server's first answer. */
  offset: number | null
  /** Given when it is first sent and kept on every retry. */
  stamps?: { occurred_at: number; reported_at: number }
}
export type StoredEvent = { key: number; waiting: QueuedEvent }

/** What outlives a page: the queue, and small values by name. */
export type Store = {
  get<T>(name: string): Promise<T | undefined>
  set(name: string, value: unknown): Promise<void>
  /** False where the queue is full. */
  add(waiting: QueuedEvent): Promise<boolean>
  /** The oldest `limit` of the queue, changed by `stamp` and kept so in one step. */
  take(limit: number, stamp: (waiting: QueuedEvent) => QueuedEvent): Promise<StoredEvent[]>
  put(kept: StoredEvent): Promise<void>
  remove(keys: readonly number[]): Promise<void>
  /** Deletes all of it. */
  clear(): Promise<void>
}
