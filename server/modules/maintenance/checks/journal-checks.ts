import { open, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectJournal, type RemoteJournal } from '#storage/journal/connect-journal.ts'
import type { JournalIncident } from '#storage/journal/port.ts'
import { countEvents, scanSegment } from '#storage/journal/scan-segment.ts'
import { listSegments, type Segment } from '#storage/journal/segments.ts'
import type { Check, CheckDeps, Found } from './check.ts'
import { nothing } from './event-store-checks.ts'

const CONNECT_MS = 10_000
const SET_ASIDE_MS = 30_000
const POLL_MS = 200
/** So often the list of segments is read before the check gives up. */
const LOOKS = 5

/** Spans of a segment that are no valid entries, between valid ones. What is behind the last one may be a write that is under way. */
async function damagedSpans({ file, start }: Segment): Promise<{ from: number; to: number; events?: number }[]> {
  const handle = await open(file, 'r')
  try {
    const { size } = await handle.stat()
    const spans = await scanSegment(handle, size)
    const found: { from: number; to: number; events?: number }[] = []
    let end = 0
    for (const { from, to } of spans) {
      if (from > end) {
        const events = await countEvents(handle, end, from)
        found.push({ from: start + end, to: start + from, ...(events !== undefined && { events }) })
      }
      end = to
    }
    return found
  } finally {
    await handle.close()
  }
}

const entries: Check = {
  id: 'journal.entries',
  async find({ config }, signal) {
    const segments = await listSegments(config.paths.journal)
    const found: Found[] = []
    for (const segment of segments) {
      signal.throwIfAborted()
      // Released and removed at this moment: then it is of no use any more.
      const spans = await damagedSpans(segment).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return []
        throw error
      })
      for (const { from, to, events } of spans) {
        const params = { bytes: to - from, events: events === undefined ? '' : ` (${events} events)` }
        found.push({ name: `${from}-${to}`, text: 'entries_damaged', params, repairable: true })
      }
    }
    return { checked: segments.length, found }
  },
  /** The owner of the journal sets the segment aside, as it does for a reader that meets the damage. */
  repair: (deps, { name }) =>
    withJournal(deps, async (journal) => {
      const [from = 0, to = 0] = name.split('-').map(Number)
      journal.reportGap({ from, to, reason: 'damaged' })
      const until = performance.now() + SET_ASIDE_MS
      while (performance.now() < until) {
        await sleep(POLL_MS)
        const segments = await listSegments(deps.config.paths.journal)
        const holds = segments.findLast(({ start }) => start <= from)
        const end = holds ? await endOf(holds) : from
        if (end !== undefined && end <= from) return // undefined: set aside at this moment, the next look sees what came in its place
      }
      throw new Error('the owner of the journal has not set the segment aside')
    }),
}

/** Where the segment ends; undefined where its owner has just removed it. */
async function endOf({ file, start }: Segment): Promise<number | undefined> {
  try {
    return start + (await stat(file)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** All segments of one moment: where one is removed while they are measured, they are listed again. */
async function segmentsWithEnds(folder: string): Promise<{ start: number; end: number }[]> {
  for (let attempt = 1; ; attempt++) {
    const measured: { start: number; end: number }[] = []
    const segments = await listSegments(folder)
    for (const segment of segments) {
      const end = await endOf(segment)
      if (end === undefined) break
      measured.push({ start: segment.start, end })
    }
    if (measured.length === segments.length) return measured
    if (attempt === LOOKS) throw new Error('segments of the journal are removed faster than they are measured')
  }
}

const gaps: Check = {
  id: 'journal.gaps',
  async find({ config }) {
    const segments = await segmentsWithEnds(config.paths.journal)
    const known = await readIncidents(config.paths.journal).catch(() => []) // another check says so
    const found: Found[] = []
    for (const [index, { end: from }] of segments.entries()) {
      const next = segments[index + 1]
      if (!next) break
      const to = next.start
      // Explained: positions that were skipped without loss, and entries whose damage was found and reported before.
      const isKnown = known.some((one) => one.from <= from && to <= one.to && one.reason !== 'missing')
      if (to > from && !isKnown)
        found.push({
          name: `${from}-${to}`,
          text: 'positions_missing',
          params: { from, to, bytes: to - from },
          repairable: false,
        })
    }
    return { checked: segments.length, found }
  },
  repair: nothing,
}

const name: Check = {
  id: 'journal.name',
  find: (deps) =>
    withJournal(deps, async (journal) => {
      const stored = await readFile(join(deps.config.paths.journal, 'name'), 'utf8').catch(() => '') // it is missing
      if (stored.trim() === journal.name) return { checked: 1, found: [] }
      return { checked: 1, found: [{ name: journal.name, text: 'name_missing', repairable: true }] }
    }),
  repair: (deps) =>
    withJournal(deps, (journal) => replaceFile(join(deps.config.paths.journal, 'name'), `${journal.name}\n`)),
}

const incidents: Check = {
  id: 'journal.incidents',
  async find({ config }) {
    const names = await readdir(config.paths.journal)
    if (!names.includes('incidents.json')) return { checked: 0, found: [] }
    try {
      return { checked: (await readIncidents(config.paths.journal)).length, found: [] }
    } catch {
      // What is wrong with it is what was looked for.
      return { checked: 0, found: [{ name: 'incidents.json', text: 'incidents_unreadable', repairable: true }] }
    }
  },
  repair: ({ config }) => replaceFile(join(config.paths.journal, 'incidents.json'), '[]'),
}

async function readIncidents(folder: string): Promise<JournalIncident[]> {
  const text = await readFile(join(folder, 'incidents.json'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]'
    throw error
  })
  const parsed: unknown = JSON.parse(text)
  if (!Array.isArray(parsed)) throw new Error('incidents.json holds no list')
  return parsed as JournalIncident[]
}

async function replaceFile(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
}

async function withJournal<T>({ config }: CheckDeps, task: (journal: RemoteJournal) => Promise<T>): Promise<T> {
  const { journal: folder, journalSocket } = config.paths
  const journal = await connectJournal(folder, journalSocket, AbortSignal.timeout(CONNECT_MS))
  try {
    return await task(journal)
  } finally {
    journal.close()
  }
}

export const JOURNAL_CHECKS: readonly Check[] = [entries, gaps, name, incidents]
