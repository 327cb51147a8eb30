import type { EventRow } from '#domain/query.ts'
import type { ReplayPart } from './replay-part.ts'
import { addRow, addSecond, emptyTally, type Tally } from './replay-tally.ts'

/** Asks the replay endpoint for one part, [from, to) in epoch ms, at most an hour long. */
export type FetchWindow = (from: number, to: number) => Promise<ReplayPart>

const HOUR = 3_600_000
const SHORTEST = 60_000
/** Parts before and after the playhead whose sampled rows are kept; of the others only what was counted. */
const ROWS_BEFORE = 1
const ROWS_AFTER = 2
/** The store answers everyone else as well. */
const AT_ONCE = 3

export type WindowPart = Pick<ReplayPart, 'from' | 'to' | 'seconds'> & {
  /** Of the whole part. */
  tally: Tally
  /** By arrival; only around the playhead. */
  rows: EventRow[] | undefined
}

/** The parts of a window, fetched as the playhead needs them. */
export type ReplayWindow = {
  readonly parts: readonly (WindowPart | undefined)[]
  indexOf(at: number): number
  /** True when everything before `at` is counted and the rows around it are there. */
  ready(at: number): boolean
  /** Moves the playhead, fetches what ready() lacks there, then one part more. */
  need(at: number): Promise<void>
  /** Counts every part, wherever the playhead is. */
  countAll(): Promise<void>
}

export function createReplayWindow(fetchWindow: FetchWindow, from: number, to: number): ReplayWindow {
  // About two dozen parts, so that a jump to the end asks little and playing at 60x is never waited for.
  const partMs = Math.min(HOUR, Math.max(SHORTEST, Math.ceil((to - from) / 24 / 1000) * 1000))
  const count = Math.max(1, Math.ceil((to - from) / partMs))
  const parts = new Array<WindowPart | undefined>(count).fill(undefined)
  const asked = new Map<number, Promise<void>>()
  const indexOf = (at: number) => Math.min(count - 1, Math.max(0, Math.floor((at - from) / partMs)))
  let playhead = 0
  const near = (index: number) => index >= playhead - ROWS_BEFORE && index <= playhead + ROWS_AFTER

  function ask(index: number): Promise<void> {
    const running = asked.get(index)
    if (running) return running
    const start = from + index * partMs
    const asking = fetchWindow(start, Math.min(to, start + partMs))
      .then((part) => {
        const one = counted(part)
        if (!near(index)) one.rows = undefined
        parts[index] = one
      })
      .finally(() => asked.delete(index))
    asked.set(index, asking)
    return asking
  }
  async function askAll(indexes: readonly number[]): Promise<void> {
    const missing = indexes.filter((index) => !parts[index])
    for (let i = 0; i < missing.length; i += AT_ONCE) await Promise.all(missing.slice(i, i + AT_ONCE).map(ask))
  }
  return {
    parts,
    indexOf,
    ready(at) {
      const index = indexOf(at)
      for (let i = 0; i < index; i++) if (!parts[i]) return false
      return parts[index]?.rows !== undefined
    },
    async need(at) {
      const index = indexOf(at)
      playhead = index
      for (const [other, part] of parts.entries()) if (part && !near(other)) part.rows = undefined
      await askAll([...parts.keys()].slice(0, index))
      // The lines that stand before the playhead come from the part before.
      await Promise.all([index - 1, index].filter((one) => one >= 0 && !parts[one]?.rows).map(ask))
      if (index + 1 < count && !parts[index + 1]?.rows) void ask(index + 1).catch(() => {})
    },
    countAll: () => askAll([...parts.keys()]),
  }
}

function counted({ from, to, seconds, sample, sampleOf }: ReplayPart): WindowPart {
  const tally = emptyTally()
  for (const second of seconds) addSecond(tally, second)
  for (const row of sample) addRow(tally, row)
  tally.noPlace = tally.attacks - sampleOf
  return { from, to, seconds, tally, rows: sample.toSorted((x, y) => x.receivedAt - y.receivedAt) }
}
