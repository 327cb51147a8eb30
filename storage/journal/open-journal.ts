import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, statfs, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ProductError } from '#contracts/errors.ts'
import type { JournalEntry } from '#contracts/telemetry/stored-event.ts'
import { log as processLog } from '#runtime/log.ts'
import { decodeEntry } from './entry-codec.ts'
import { openIncidentFile } from './incident-file.ts'
import type { DurableEntry, EntryMark, JournalGap, JournalState, JournalWriter } from './port.ts'
import { createSegment, type HeldSegment, recoverSegments, removeDamaged, salvageClosed } from './recover-segments.ts'
import { checksumAt } from './scan-segment.ts'
import { openFrame, payloadOf, segmentFile } from './segments.ts'
import { type EntrySpan, type PendingAppend, type WriteGroup, writeGroup } from './write-group.ts'

/** A journal in a folder of this machine: what in-process readers and the journal's socket are made from. */
export type DiskJournal = JournalWriter & { readonly folder: string }

export type JournalLog = (
  level: 'info' | 'warn' | 'error',
  message: string,
  fields: Readonly<Record<string, unknown>>,
) => void

export type JournalOptions = {
  /** Name in frames and store positions; by default made once and kept in the folder, so that a new journal never takes an old one's place. */
  name?: string
  /** Durable and unreleased bytes from which on batches are refused (collect.busy); pending decisions are exempt. */
  maxBacklogBytes: number
  /** A segment is closed once it is this long, or its first entry this old. */
  segmentBytes?: number
  segmentMs?: number
  /** Closed, released segments are removed once this old: no shorter than what dedup reads again at a start. */
  keptMs?: number
  now?: () => number
  /** State changes and losses; the log of the process by default. */
  log?: JournalLog
}

const FULL_CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
/** A full disk counts as usable again from this much room on. */
const ROOM_BYTES = 16 * 1024 * 1024
/** Faults are probed, and segments looked through by age, this often. */
const TICK_MS = 1000
const HOUR_MS = 3_600_000
/** Dedup reads 21 minutes of entries again at a start. */
const KEPT_MS = 30 * 60_000
/** A segment that is to go at once is kept this long after it was closed, for readers a little behind the flusher. */
const DROP_GRACE_MS = 3000
/** A journal that went on beyond the store's position begins at a multiple of this. */
const POSITION_STEP = 1024 * 1024

type Fault = { state: 'full' | 'down'; since: number }

/**
 * Opens or creates the journal of `folder` and cuts off an interrupted write; what else recoverSegments found goes to the log and to
 * incidents(). Appends reject with ProductError collect.busy (backlog) or collect.disk (disk full), or with the system's error. Any fault
 * is probed once a second until the journal can write again. One process at a time may hold it open.
 */
export async function openJournal(folder: string, options: JournalOptions): Promise<DiskJournal> {
  const { maxBacklogBytes, segmentBytes = 64 * 1024 * 1024, segmentMs = HOUR_MS, keptMs = KEPT_MS } = options
  const { now = Date.now, log = (level, message, fields) => processLog[level](fields, message) } = options
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const name = options.name ?? (await loadOrCreateName(folder))
  const incidents = openIncidentFile(folder, now)
  const recovered = await recoverSegments(folder)
  const { segments } = recovered
  let { handle, durable } = recovered
  let released = segments[0]?.start ?? 0
  let dropTo = 0
  /** Files whose removal is under way or failed. */
  const removing = new Set<string>()
  /** Being copied because it is damaged: not removed meanwhile. */
  let beingSetAside: HeldSegment | undefined
  let settingAside = Promise.resolve()
  let filling = writeGroup()
  let underWay = writeGroup()
  let working: Promise<void> | undefined
  let fault: Fault | undefined
  /** Bytes behind the last durable entry may be on disk. */
  let torn = false
  let closed = false
  const followers = new Set<(placed: DurableEntry) => void>()
  const gapListeners = new Set<(gap: JournalGap) => void>()

  if (recovered.cut > 0)
    log('warn', 'journal: cut off an interrupted write', { position: durable, bytes: recovered.cut })
  for (const gap of recovered.gaps) noteGap(gap)
  await incidents.saved()

  const active = () => segments[segments.length - 1] as HeldSegment
  const waitingBytes = () => filling.bytes().length + underWay.bytes().length

  /** Positions between segments hold no bytes. */
  function backlogBytes(): number {
    let bytes = durable - released
    for (let index = 1; index < segments.length; index++) {
      const from = Math.max(released, (segments[index - 1] as HeldSegment).end)
      bytes -= Math.max(0, (segments[index] as HeldSegment).start - from)
    }
    return bytes
  }

  function append(entry: JournalEntry | Buffer): Promise<EntrySpan> {
    if (closed) return Promise.reject(new Error('the journal is closed'))
    const isBatch = Buffer.isBuffer(entry) || entry.kind === 'batch'
    if (isBatch && backlogBytes() + waitingBytes() >= maxBacklogBytes)
      return Promise.reject(new ProductError('collect.busy'))
    const done = filling.add(Buffer.isBuffer(entry) ? entry : openFrame(entry))
    working ??= writeAll()
    return done
  }

  async function writeAll(): Promise<void> {
    while (filling.entries.length > 0) {
      const group = filling
      filling = underWay
      underWay = group
      try {
        await write(group.bytes())
        recover()
        settle(group)
      } catch (error) {
        fail(error as NodeJS.ErrnoException)
        const refusal = fault?.state === 'full' ? new ProductError('collect.disk') : (error as Error)
        for (const one of group.entries) one.reject(refusal)
      }
      group.clear()
    }
    working = undefined
  }

  /** Runs a task between two writes: tasks and writes change the same file. */
  async function betweenWrites(task: () => Promise<void>): Promise<void> {
    while (working) await working
    if (closed) return
    let failure: unknown
    working = (async () => {
      try {
        await task()
      } catch (error) {
        failure = error
      }
      await writeAll()
    })()
    await working
    if (failure !== undefined) throw failure
  }

  function fail(error: NodeJS.ErrnoException): void {
    const state = FULL_CODES.has(error.code ?? '') ? 'full' : 'down'
    if (fault?.state !== state)
      log('error', `journal: cannot write, state ${state}`, { err: error, position: durable, file: active().file })
    fault = { state, since: fault?.since ?? now() }
  }

  function recover(): void {
    if (!fault) return
    log('info', 'journal: writes again', { position: durable, after_ms: now() - fault.since })
    fault = undefined
  }

  async function write(bytes: Buffer): Promise<void> {
    if (torn) await truncateToDurable()
    if (isRollDue()) await roll(durable)
    torn = true
    let offset = durable - active().start
    for (let left = bytes; left.length > 0; ) {
      const { bytesWritten } = await handle.write(left, 0, left.length, offset)
      offset += bytesWritten
      left = left.subarray(bytesWritten)
    }
    try {
      await handle.datasync()
    } catch (error) {
      await truncateToDurable().catch(() => {}) // tried again before the next write
      throw error
    }
    torn = false
  }

  /** Takes back what a failed write left behind the last durable entry. */
  async function truncateToDurable(): Promise<void> {
    await handle.truncate(durable - active().start)
    await handle.datasync()
    torn = false
  }

  function isRollDue(): boolean {
    const { start, startedAt } = active()
    return durable - start >= segmentBytes || (startedAt !== undefined && now() - startedAt >= segmentMs)
  }

  async function roll(start: number): Promise<void> {
    const next: HeldSegment = {
      start,
      file: segmentFile(folder, start),
      end: start,
      startedAt: undefined,
      writtenAt: now(),
      closedAt: 0,
    }
    const opened = await createSegment(folder, next)
    const before = handle
    handle = opened
    active().closedAt = now()
    segments.push(next)
    durable = start
    await before.close().catch((error: unknown) => log('warn', 'journal: cannot close a segment', { err: error }))
  }

  function settle(group: WriteGroup): void {
    const bytes = group.bytes()
    let at = 0
    const placed = group.entries.map(({ length }) => {
      const position = durable
      durable += length
      at += length
      const frame = bytes.subarray(at - length, at)
      return durableEntry({ position, end: durable, checksum: checksumAt(frame, 0) }, payloadOf(frame))
    })
    const segment = active()
    segment.end = durable
    segment.writtenAt = now()
    segment.startedAt ??= segment.writtenAt
    placed.forEach((one, index) => {
      for (const listener of followers) {
        try {
          listener(one)
        } catch (error) {
          queueMicrotask(() => {
            throw error // a listener's mistake must not lose the journal's own answer
          })
        }
      }
      ;(group.entries[index] as PendingAppend).resolve({ position: one.position, end: one.end })
    })
  }

  function noteGap(gap: JournalGap): void {
    if (!incidents.add(gap)) return
    const { from, to, reason, events } = gap
    if (reason === 'renumbered')
      log('error', 'journal: older than the event store, goes on beyond the position of the store', { from, to })
    else
      log('error', `journal: entries are ${reason}, these positions are skipped`, {
        from,
        to,
        bytes: to - from,
        ...(events !== undefined && { events }),
      })
    for (const listener of gapListeners) listener(gap)
  }

  function reportGap(gap: JournalGap): void {
    noteGap(gap)
    if (gap.reason !== 'damaged') return
    settingAside = settingAside
      .then(() => setAside(gap.from))
      .catch((error: unknown) => log('error', 'journal: cannot set a damaged segment aside', { err: error }))
      .finally(() => {
        beingSetAside = undefined
      })
  }

  /** Sets the segment of the position aside if it is damaged. The one that is written is closed first. */
  async function setAside(position: number): Promise<void> {
    const isActive = () => position >= active().start && position < durable
    if (isActive()) await betweenWrites(async () => void (isActive() && (await roll(durable))))
    const segment = segments.find(({ start, end }) => start <= position && position < end)
    if (!segment || segment === active()) return
    beingSetAside = segment
    const salvaged = await salvageClosed(folder, segment)
    if (!salvaged) return // set aside before, or whole, but not of a form that the reader knows
    segments.splice(segments.indexOf(segment), 1, ...salvaged.segments)
    released = Math.max(released, (segments[0] as HeldSegment).start)
    for (const gap of salvaged.gaps) noteGap(gap)
    log('warn', 'journal: a damaged segment is set aside', { file: segment.file.replace(/journal$/, 'damaged') })
  }

  // ------------------------------------------------------------------------------------------------ faults, age and removal

  /** Makes the active segment writable again after a fault, or throws the error that still prevents it. */
  async function heal(): Promise<void> {
    if (fault?.state === 'full') {
      const { bavail, bsize } = await statfs(folder)
      if (bavail * bsize < ROOM_BYTES) return
    }
    const { start, file } = active()
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const opened = await open(file, 'r+').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    const isWhole = opened !== undefined && (await opened.stat()).size >= durable - start
    if (opened && isWhole) {
      await handle.close().catch(() => {}) // it may be what is broken
      handle = opened
      await truncateToDurable()
    } else {
      // The file is gone or shorter than what was acknowledged: readers step over what is missing.
      await opened?.close()
      await writeName(folder, name)
      if (durable > start) await roll(durable)
      else {
        const created = await createSegment(folder, active())
        await handle.close().catch(() => {}) // its file is gone
        handle = created
      }
      torn = false
    }
    recover()
  }

  async function tick(): Promise<void> {
    if (closed) return
    try {
      if (fault) await betweenWrites(async () => void (fault && (await heal())))
      else if (!fault && isRollDue()) await betweenWrites(async () => void (isRollDue() && (await roll(durable))))
    } catch (error) {
      fail(error as NodeJS.ErrnoException)
    }
    removeSegments()
    for (const file of removing) void remove(file)
    await removeDamaged(folder, now(), dropTo).catch(() => {}) // the next tick tries again
  }
  const ticking = setInterval(() => void tick(), TICK_MS)
  ticking.unref()

  /** One whole released segment is kept for readers that are a little behind the flusher, until it is old. */
  function removeSegments(): void {
    for (;;) {
      const [oldest, next, third] = segments
      if (!oldest || !next || next.start > released || oldest === beingSetAside) return
      const age = now() - Math.min(oldest.writtenAt, now())
      const isSpare = third !== undefined && third.start <= released
      const isClosedLong = Math.abs(now() - oldest.closedAt) >= DROP_GRACE_MS // also where the clock was set back since
      const isDropped = oldest.end <= dropTo && isClosedLong
      if (!isSpare && !isDropped && age < keptMs) return
      segments.shift()
      removing.add(oldest.file)
      void remove(oldest.file)
    }
  }

  async function remove(file: string): Promise<void> {
    try {
      await unlink(file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return // the next tick tries again
    }
    removing.delete(file)
  }

  function state(): JournalState {
    if (closed) return 'down'
    if (fault) return fault.state
    return backlogBytes() + waitingBytes() >= maxBacklogBytes ? 'full' : 'ok'
  }

  return {
    name,
    folder,
    append,
    durable: () => durable,
    follow(listener) {
      followers.add(listener)
      return () => followers.delete(listener)
    },
    onGap(listener) {
      gapListeners.add(listener)
      return () => gapListeners.delete(listener)
    },
    async barrier() {
      await Promise.all([...underWay.entries, ...filling.entries].map(({ done }) => done()))
    },
    release(position) {
      released = Math.max((segments[0] as HeldSegment).start, Math.min(position, durable))
      removeSegments()
    },
    oldest: () => (segments[0] as HeldSegment).start,
    async dropBefore(position) {
      dropTo = Math.max(dropTo, Math.min(position, durable))
      if (active().start < dropTo)
        await betweenWrites(async () => void (active().start < dropTo && (await roll(durable))))
      removeSegments()
      const isEmptied = await removeDamaged(folder, now(), dropTo).then(
        () => true,
        () => false,
      )
      return isEmptied && (segments[0] as HeldSegment).start >= dropTo && removing.size === 0
    },
    async startBeyond(position) {
      await betweenWrites(async () => {
        if (position <= durable) return
        const from = durable
        const to = (Math.floor(position / POSITION_STEP) + 1) * POSITION_STEP
        if (torn) await truncateToDurable()
        await roll(to)
        reportGap({ from, to, reason: 'renumbered' })
      })
      return durable
    },
    reportGap,
    incidents: incidents.list,
    backlogBytes,
    state,
    async close() {
      closed = true
      clearInterval(ticking)
      await settingAside
      while (working) await working
      await incidents.saved()
      await handle.close()
    },
  }
}

function durableEntry({ position, end, checksum }: EntryMark, payload: Buffer): DurableEntry {
  let entry: JournalEntry | undefined
  return {
    position,
    end,
    checksum,
    payload,
    get entry() {
      entry ??= decodeEntry(payload)
      return entry
    },
    copy: () =>
      entry ? { position, end, checksum, entry } : durableEntry({ position, end, checksum }, Buffer.from(payload)),
  }
}

async function loadOrCreateName(folder: string): Promise<string> {
  try {
    return (await readFile(join(folder, 'name'), 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const name = randomBytes(4).toString('hex')
  await writeName(folder, name)
  return name
}

async function writeName(folder: string, name: string): Promise<void> {
  const file = join(folder, 'name')
  await writeFile(`${file}.new`, `${name}\n`, { flush: true })
  await rename(`${file}.new`, file)
}
