import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readFile, rename, statfs, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ProductError } from '#contracts/errors.ts'
import type { JournalEntry } from '#contracts/telemetry/stored-event.ts'
import { decodeEntry } from './entry-codec.ts'
import type { DurableEntry, JournalState, JournalWriter } from './port.ts'
import { listSegments, openFrame, payloadOf, type Segment, segmentFile, validLength } from './segments.ts'
import { type EntrySpan, type PendingAppend, type WriteGroup, writeGroup } from './write-group.ts'

/** A journal in a folder of this machine: what in-process readers and the journal's socket are made from. */
export type DiskJournal = JournalWriter & { readonly folder: string }

export type JournalOptions = {
  /** Name in frames and store positions; by default made once and kept in the folder, so that a new journal never takes an old one's place. */
  name?: string
  /** Durable and unreleased bytes from which on batches are refused (collect.busy); verdicts are exempt. */
  maxBacklogBytes: number
  /** A segment is closed once it is this long. */
  segmentBytes?: number
  now?: () => number
}

const FULL_CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
/** A full disk counts as usable again from this much room on. */
const ROOM_BYTES = 16 * 1024 * 1024
const RETRY_MS = 1000

/**
 * Opens or creates the journal of `folder` and cuts a torn tail left by a crash. Appends reject with ProductError collect.busy (backlog)
 * or collect.disk (disk full), or with the system's error. One process at a time may hold it open.
 */
export async function openJournal(folder: string, options: JournalOptions): Promise<DiskJournal> {
  const { maxBacklogBytes, segmentBytes = 64 * 1024 * 1024, now = Date.now } = options
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const name = options.name ?? (await loadOrCreateName(folder))
  const recovered = await recover(folder)
  let { segments, handle } = recovered
  let durable = recovered.durable
  let released = segments[0]?.start ?? 0
  let filling = writeGroup()
  let underWay = writeGroup()
  let writing: Promise<void> | undefined
  let fault: { state: 'full' | 'down'; at: number } | undefined
  let torn = false
  let closed = false
  const followers = new Set<(placed: DurableEntry) => void>()

  const active = () => segments[segments.length - 1] as Segment
  const backlogBytes = () => durable - released
  /** The backlog with what waits to be durable. */
  const standing = () => backlogBytes() + filling.bytes().length + underWay.bytes().length

  function append(entry: JournalEntry | Buffer): Promise<EntrySpan> {
    if (closed) return Promise.reject(new Error('the journal is closed'))
    const isBatch = Buffer.isBuffer(entry) || entry.kind === 'batch'
    if (isBatch && standing() >= maxBacklogBytes) return Promise.reject(new ProductError('collect.busy'))
    const done = filling.add(Buffer.isBuffer(entry) ? entry : openFrame(entry))
    writing ??= writeAll()
    return done
  }

  async function writeAll(): Promise<void> {
    while (filling.entries.length > 0) {
      const group = filling
      filling = underWay
      underWay = group
      try {
        await write(group.bytes())
        fault = undefined
        settle(group)
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code ?? ''
        fault = { state: FULL_CODES.has(code) ? 'full' : 'down', at: now() }
        const refusal = fault.state === 'full' ? new ProductError('collect.disk') : (error as Error)
        for (const one of group.entries) one.reject(refusal)
      }
      group.clear()
    }
    writing = undefined
  }

  async function write(bytes: Buffer): Promise<void> {
    if (torn) await cut()
    if (durable - active().start >= segmentBytes) await roll()
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
      await cut().catch(() => {}) // tried again before the next write
      throw error
    }
    torn = false
  }

  /** Takes back what a failed write left behind the last durable entry. */
  async function cut(): Promise<void> {
    await handle.truncate(durable - active().start)
    await handle.datasync()
    torn = false
  }

  async function roll(): Promise<void> {
    const next: Segment = { start: durable, file: segmentFile(folder, durable) }
    const opened = await createSegment(folder, next)
    await handle.close()
    handle = opened
    segments.push(next)
  }

  function settle(group: WriteGroup): void {
    const bytes = group.bytes()
    let at = 0
    const placed = group.entries.map(({ length }) => {
      const position = durable
      durable += length
      at += length
      return durableEntry(position, durable, payloadOf(bytes.subarray(at - length, at)))
    })
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

  /** A full disk is looked at again once a second, so that the journal recovers even when nobody appends. */
  const probe = setInterval(async () => {
    if (fault?.state !== 'full' || now() - fault.at < RETRY_MS) return
    if (torn && !writing) await cut().catch(() => {})
    const { bavail, bsize } = await statfs(folder)
    if (bavail * bsize >= ROOM_BYTES) fault = undefined
  }, RETRY_MS)
  probe.unref()

  function state(): JournalState {
    if (closed) return 'down'
    if (fault) return fault.state
    return backlogBytes() + filling.bytes().length + underWay.bytes().length >= maxBacklogBytes ? 'full' : 'ok'
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
    async barrier() {
      await Promise.all([...underWay.entries, ...filling.entries].map(({ done }) => done()))
    },
    release(position) {
      released = Math.max(released, Math.min(position, durable))
      // One whole segment more is kept for readers that are a little behind the flusher.
      while (segments.length > 2 && (segments[2] as Segment).start <= released) {
        const [oldest] = segments.splice(0, 1) as [Segment]
        unlink(oldest.file).catch(() => {}) // found and dropped again by the next start
      }
    },
    backlogBytes,
    state,
    async close() {
      closed = true
      clearInterval(probe)
      await writing
      await handle.close()
    },
  }
}

function durableEntry(position: number, end: number, payload: Buffer): DurableEntry {
  let entry: JournalEntry | undefined
  return {
    position,
    end,
    payload,
    get entry() {
      entry ??= decodeEntry(payload)
      return entry
    },
    copy: () => (entry ? { position, end, entry } : durableEntry(position, end, Buffer.from(payload))),
  }
}

async function loadOrCreateName(folder: string): Promise<string> {
  const file = join(folder, 'name')
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const name = randomBytes(4).toString('hex')
  await writeFile(`${file}.new`, `${name}\n`, { flush: true })
  await rename(`${file}.new`, file)
  return name
}

async function recover(folder: string): Promise<{ segments: Segment[]; handle: FileHandle; durable: number }> {
  const segments = await listSegments(folder)
  const last = segments.at(-1)
  if (!last) {
    const first: Segment = { start: 0, file: segmentFile(folder, 0) }
    return { segments: [first], handle: await createSegment(folder, first), durable: 0 }
  }
  const handle = await open(last.file, 'r+')
  const { size } = await handle.stat()
  const valid = await validLength(handle, size)
  if (valid < size) await handle.truncate(valid)
  await handle.datasync() // entries may have been written but not synced when the process died
  return { segments, handle, durable: last.start + valid }
}

/** Creates the file and makes its name durable. */
async function createSegment(folder: string, segment: Segment): Promise<FileHandle> {
  const handle = await open(segment.file, constants.O_RDWR | constants.O_CREAT, 0o600)
  const directory = await open(folder, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
  return handle
}
