import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { log } from '#runtime/log.ts'
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
  /** The journals were exchanged for older ones: goes on at where they end now, and ends what catches up meanwhile. */
  restart(): void
  close(): Promise<void>
}

export function followJournals(
  readers: readonly JournalReader[],
  now: () => number,
  listener: (entry: DecodedEntry) => void,
): JournalFollower {
  const stop = new AbortController()
  const ends = (): StorePositions => Object.fromEntries(readers.map((reader) => [reader.name, reader.durable()]))
  const read = ends()
  /** Aborted once positions of before no longer mean anything. */
  let session = new AbortController()
  const slice = createSlice()

  async function follow(reader: JournalReader): Promise<void> {
    let decode = createEntryDecoder(reader)
    let failing = false
    while (!stop.signal.aborted) {
      const { signal } = session
      try {
        for await (const placed of reader.read(read[reader.name] as number, AbortSignal.any([stop.signal, signal]))) {
          const decoded = decode(placed, now())
          // Only a pending decision whose batch must be re-read is a promise: usual entries are handled synchronously.
          const entry = decoded instanceof Promise ? await decoded : decoded
          if (signal.aborted) break
          listener(entry)
          read[reader.name] = placed.end
          failing = false
          await slice()
          if (signal.aborted) break
        }
      } catch (err) {
        // The journal's process restarts or its disk is unavailable: continue from the same position later, nothing is lost.
        if (!failing) log.warn({ err, journal: reader.name }, 'relay: cannot read the journal, trying again')
        failing = true
      }
      if (signal.aborted) decode = createEntryDecoder(reader)
      await delay(RETRY_MS, undefined, { signal: stop.signal }).catch(() => {}) // close() ends the wait
    }
  }
  const following = readers.map(follow)

  return {
    positions: () => ({ ...read }),
    async catchUp(from, apply, done) {
      const reading = AbortSignal.any([stop.signal, session.signal])
      const decoders = new Map(readers.map((reader) => [reader, createEntryDecoder(reader)]))
      for (;;) {
        const behind = readers.find(({ name }) => (from()[name] ?? 0) < (read[name] as number))
        if (!behind) return done()
        const { name } = behind
        const decode = decoders.get(behind) as ReturnType<typeof createEntryDecoder>
        for await (const placed of behind.read(from()[name] ?? 0, reading)) {
          const entry = await decode(placed, now())
          reading.throwIfAborted()
          apply(entry)
          if (placed.end >= (read[name] as number)) break
          await slice()
        }
        reading.throwIfAborted()
      }
    },
    restart() {
      Object.assign(read, ends())
      session.abort(new Error('the journal came back shorter'))
      session = new AbortController()
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
