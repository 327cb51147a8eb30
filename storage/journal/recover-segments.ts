import { constants } from 'node:fs'
import { copyFile, type FileHandle, link, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeEntry } from './entry-codec.ts'
import type { JournalGap } from './port.ts'
import { type ByteSpan, countEvents, entryLength, FRAME_HEAD, readAt, scanSegment } from './scan-segment.ts'
import { listSegments, paddedPosition, type Segment, segmentFile } from './segments.ts'

/** Damaged originals are kept so long, for inspection; they hold personal data, so not longer. */
const DAMAGED_KEPT_MS = 7 * 86_400_000
const DAMAGED = /^\d{16}\.damaged$/
/** The copies of this segment are not complete. */
const UNFINISHED = /^(\d{16})\.damaged\.new$/
/** A copied span: position of its first byte, and name of the segment that it was copied from. */
const COPIED = /^(\d{16})\.(\d{16})\.new$/
const COPY_BYTES = 1024 * 1024

/** A segment with what decides when it is closed and removed. `end`: position behind its last valid entry. */
export type HeldSegment = Segment & {
  end: number
  /** When its first entry came, epoch ms; undefined while it is empty. */
  startedAt: number | undefined
  /** When it was last written to. */
  writtenAt: number
  /** When the next one was begun; 0 where that was before this start. */
  closedAt: number
}

export type Recovered = {
  segments: HeldSegment[]
  /** Of the last segment. */
  handle: FileHandle
  durable: number
  /** Damage found in the last segment. */
  gaps: JournalGap[]
  /** Bytes of an interrupted write that were cut off. */
  cut: number
}

/**
 * The segments of the folder, the last one open for writing. An interrupted write at its end is cut off. Where valid entries follow an
 * invalid one the file is set aside as `NAME.damaged`, and its valid spans become segments of their own at the same positions.
 */
export async function recoverSegments(folder: string): Promise<Recovered> {
  await finishSalvage(folder)
  const found = await listSegments(folder)
  const last = found.pop()
  const segments: HeldSegment[] = []
  for (const segment of found) {
    const { size, mtimeMs } = await stat(segment.file)
    segments.push({ ...segment, end: segment.start + size, startedAt: undefined, writtenAt: mtimeMs, closedAt: 0 })
  }
  if (!last) {
    const first = { start: 0, file: segmentFile(folder, 0), end: 0, startedAt: undefined, writtenAt: 0, closedAt: 0 }
    return { segments: [first], handle: await createSegment(folder, first), durable: 0, gaps: [], cut: 0 }
  }
  let handle = await open(last.file, 'r+')
  const { size, mtimeMs } = await handle.stat()
  const spans = await scanSegment(handle, size)
  const isDamaged = spans.length > 1 || (spans[0]?.from ?? 0) > 0
  const end = spans.at(-1)?.to ?? 0
  if (!isDamaged) {
    if (end < size) await handle.truncate(end)
    await handle.datasync() // entries may have been written but not synced when the process died
    segments.push({
      ...last,
      end: last.start + end,
      startedAt: await timeOfFirstEntry(handle, end),
      writtenAt: mtimeMs,
      closedAt: 0,
    })
    return { segments, handle, durable: last.start + end, gaps: [], cut: size - end }
  }
  const gaps = await gapsBetween(handle, last.start, spans, end)
  await salvage(folder, last, handle, spans)
  await handle.close()
  const damaged = { ...last, end: last.start + end, startedAt: mtimeMs, writtenAt: mtimeMs, closedAt: 0 }
  segments.push(...heldSpans(folder, damaged, spans))
  handle = await open((segments.at(-1) as HeldSegment).file, 'r+')
  return { segments, handle, durable: last.start + end, gaps, cut: size - end }
}

/**
 * Does the same to a closed segment while readers and the writer go on: at every moment each valid entry is in a file under its position.
 * Answers what takes its place and what is lost; undefined where all of the segment is valid.
 */
export async function salvageClosed(
  folder: string,
  segment: HeldSegment,
): Promise<{ segments: HeldSegment[]; gaps: JournalGap[] } | undefined> {
  const handle = await open(segment.file, 'r')
  try {
    const size = segment.end - segment.start
    const spans = await scanSegment(handle, size)
    if (spans[0]?.from === 0 && spans[0].to === size) return undefined
    const gaps = await gapsBetween(handle, segment.start, spans, size)
    await salvage(folder, segment, handle, spans)
    return { segments: heldSpans(folder, segment, spans), gaps }
  } finally {
    await handle.close()
  }
}

function heldSpans(folder: string, segment: HeldSegment, spans: ByteSpan[]): HeldSegment[] {
  return spans.map(({ from, to }) => {
    const start = segment.start + from
    return { ...segment, start, file: segmentFile(folder, start), end: segment.start + to }
  })
}

/** What lies between the spans, and behind them up to `size`. */
async function gapsBetween(handle: FileHandle, start: number, spans: ByteSpan[], size: number): Promise<JournalGap[]> {
  const gaps: JournalGap[] = []
  for (const [index, { from }] of [...spans, { from: size }].entries()) {
    const before = spans[index - 1]?.to ?? 0
    if (from <= before) continue
    const events = await countEvents(handle, before, from)
    gaps.push({
      from: start + before,
      to: start + from,
      reason: 'damaged',
      ...(events !== undefined && { events }),
    })
  }
  return gaps
}

/**
 * Copies the spans to segments of their own and keeps the damaged file under another name; a crash in between is finished, or undone, by the
 * next start.
 */
async function salvage(folder: string, segment: Segment, handle: FileHandle, spans: ByteSpan[]): Promise<void> {
  const damaged = segment.file.replace(/journal$/, 'damaged')
  try {
    await rm(`${damaged}.new`, { force: true })
    // Not every file system has links.
    await link(segment.file, `${damaged}.new`).catch(() => copyFile(segment.file, `${damaged}.new`))
    const { atime, mtime } = await handle.stat()
    for (const { from, to } of spans) {
      const name = `${paddedPosition(segment.start + from)}.${paddedPosition(segment.start)}.new`
      const copy = await open(join(folder, name), 'w', 0o600)
      try {
        for (let at = from; at < to; at += COPY_BYTES)
          await copy.writeFile(await readAt(handle, at, Math.min(COPY_BYTES, to - at)))
        await copy.utimes(atime, mtime) // its age decides when it is removed
        await copy.sync()
      } finally {
        await copy.close()
      }
    }
    await syncFolder(folder)
    await rename(`${damaged}.new`, damaged)
  } catch (error) {
    await finishSalvage(folder).catch(() => {}) // the next start finishes it
    throw error
  }
  if (spans.length > 0) await finishSalvage(folder)
  else await rm(segment.file)
}

/**
 * Puts copied spans in place of their original once that is set aside; copies of an interrupted salvage are dropped, they are made again.
 * From the highest position down, so that the one that takes the original's name comes last: until then the original holds what has no
 * other place yet.
 */
async function finishSalvage(folder: string): Promise<void> {
  const names = await readdir(folder)
  const unfinished = names.filter((name) => UNFINISHED.test(name))
  const copies = names.filter((name) => COPIED.test(name))
  if (copies.length + unfinished.length === 0) return
  const emptied = new Map<string, string>()
  for (const name of copies.sort().reverse()) {
    const [, position, original] = COPIED.exec(name) as unknown as [string, string, string]
    const isSetAside = names.includes(`${original}.damaged`) && !unfinished.includes(`${original}.damaged.new`)
    if (!isSetAside) await rm(join(folder, name))
    else {
      await rename(join(folder, name), join(folder, `${position}.journal`))
      emptied.set(original, position)
    }
  }
  for (const [original, lowest] of emptied)
    if (lowest !== original) await rm(join(folder, `${original}.journal`), { force: true })
  for (const name of unfinished) await rm(join(folder, name))
  await syncFolder(folder)
}

/** Removes damaged originals: those set aside longer ago than they are kept, and those that begin before `dropTo`. */
export async function removeDamaged(folder: string, now: number, dropTo: number): Promise<void> {
  for (const name of (await readdir(folder)).filter((one) => DAMAGED.test(one))) {
    const file = join(folder, name)
    if (Number(name.slice(0, 16)) < dropTo || now - (await stat(file)).ctimeMs >= DAMAGED_KEPT_MS)
      await rm(file, { force: true })
  }
}

/** Creates the file and makes its name durable. */
export async function createSegment(folder: string, segment: Segment): Promise<FileHandle> {
  const handle = await open(segment.file, constants.O_RDWR | constants.O_CREAT, 0o600)
  try {
    await syncFolder(folder)
  } catch (error) {
    await handle.close()
    throw error
  }
  return handle
}

async function syncFolder(folder: string): Promise<void> {
  const directory = await open(folder, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

async function timeOfFirstEntry(handle: FileHandle, size: number): Promise<number | undefined> {
  const head = await readAt(handle, 0, Math.min(FRAME_HEAD, size))
  if (head.length < FRAME_HEAD) return undefined
  const bytes = await readAt(handle, 0, FRAME_HEAD + head.readUInt32LE(0))
  const length = entryLength(bytes, 0)
  try {
    return length > 0 ? decodeEntry(bytes.subarray(FRAME_HEAD, length)).at : undefined
  } catch {
    return 0 // written by another version: as if old
  }
}
