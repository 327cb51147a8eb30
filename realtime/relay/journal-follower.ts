import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { StorePositions } from '#storage/events/port.ts'
import type { JournalReader } from '#storage/journal/port.ts'
import { createEntryDecoder, type DecodedEntry } from '../frames/decoded-entry.ts'

/** Entries are handled in slices of this length, so that sockets and timers are served during a backlog. */
const SLICE_MS = 8
const RETRY_MS = 500

/** Follows journals from where they are now, each entry decoded once for all topics. */
export type JournalFollower = {
  /** Positions up to which entries were passed to the listener. */
  positions(): StorePositions
  /**
   * Reads from `from` until it has caught up with positions(), then calls `done` before anything else can happen.
   * Rejects when the journal can't be read any more from there.
   */
  catchUp(from: () => StorePositions, apply: (entry: DecodedEntry) => void, done: () => void): Promise<void>
  close(): Promise<void>
}

export function followJournals(
  readers: readonly JournalReader[],
  now: () => number,
  listener: (entry: DecodedEntry) => void,
): JournalFollower {
  const stop = new AbortController()
  const read: StorePositions = Object.fromEntries(readers.map((reader) => [reader.name, reader.durable()]))
  const slice = createSlice()

  async function follow(reader: JournalReader): Promise<void> {
    const decode = createEntryDecoder(reader)
    while (!stop.signal.aborted) {
      try {
        for await (const placed of reader.read(read[reader.name] as number, stop.signal)) {
          const entry = decode(placed, now())
          // Only a pending decision whose batch must be re-read is a promise: usual entries are handled synchronously.
          listener(entry instanceof Promise ? await entry : entry)
          read[reader.name] = placed.end
          await slice()
        }
      } catch {
        // The journal's process restarts or its disk is unavailable: continue from the same position later.
      }
      await delay(RETRY_MS, undefined, { signal: stop.signal }).catch(() => {})
    }
  }
  const following = readers.map(follow)

  return {
    positions: () => ({ ...read }),
    async catchUp(from, apply, done) {
      const decoders = new Map(readers.map((reader) => [reader, createEntryDecoder(reader)]))
      for (;;) {
        const behind = readers.find(({ name }) => (from()[name] ?? 0) < (read[name] as number))
        if (!behind) return done()
        const { name } = behind
        const decode = decoders.get(behind) as ReturnType<typeof createEntryDecoder>
        for await (const placed of behind.read(from()[name] ?? 0, stop.signal)) {
          apply(await decode(placed, now()))
          if (placed.end >= (read[name] as number)) break
          await slice()
        }
        stop.signal.throwIfAborted()
      }
    },
    async close() {
      stop.abort()
      await Promise.all(following)
    },
  }
}

/** Yields to the event loop when the slice is used up. */
function createSlice(): () => Promise<void> | undefined {
  let started = performance.now()
  return () => {
    if (performance.now() - started < SLICE_MS) return undefined
    return nextTurn().then(() => {
      started = performance.now()
    })
  }
}
