import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { toTuple } from '#contracts/telemetry/stored-event.ts'
import { recentEntries } from '#realtime/collect/recent-entries.ts'
import { journalReader } from '#storage/journal/journal-reader.ts'
import { type DiskJournal, type JournalOptions, openJournal } from '#storage/journal/open-journal.ts'
import type { JournalGap } from '#storage/journal/port.ts'
import { segmentFile } from '#storage/journal/segments.ts'
import { madeEvent } from '#tests/support/made-events.ts'
import { batch, take } from './journal.ts'

const root = mkdtempSync(join(tmpdir(), 'appwarden-journal-faults-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let folders = 0
const newFolder = () => join(root, String(++folders))

type Line = { level: string; message: string; fields: Readonly<Record<string, unknown>> }

async function openLogged(folder: string, options: Partial<JournalOptions> = {}) {
  const lines: Line[] = []
  const journal = await openJournal(folder, {
    maxBacklogBytes: 1e12,
    log: (level, message, fields) => lines.push({ level, message, fields }),
    ...options,
  })
  return { journal, lines, messages: () => lines.map(({ message }) => message) }
}

async function until(condition: () => boolean, milliseconds = 8000): Promise<void> {
  for (const end = Date.now() + milliseconds; !condition(); await sleep(20))
    if (Date.now() > end) throw new Error('the condition was not met in time')
}

const segments = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.journal'))
const numbersOf = async (journal: DiskJournal, count: number) =>
  (await take(journalReader(journal), 0, count)).map(({ entry }) => entry.at)

describe('a journal that cannot write', { timeout: 30_000 }, () => {
  test('heals by itself once the next segment can be created again, without anybody appending', async () => {
    const folder = newFolder()
    const { journal, messages } = await openLogged(folder, { segmentBytes: 100 })
    await journal.append(batch(0, 5))
    const obstacle = segmentFile(folder, journal.durable())
    mkdirSync(obstacle)
    await expect(journal.append(batch(1))).rejects.toMatchObject({ code: 'EISDIR' })
    expect(journal.state()).toBe('down')
    await sleep(1500)
    rmdirSync(obstacle)
    await until(() => journal.state() === 'ok')
    await journal.append(batch(2))
    expect(await numbersOf(journal, 2)).toEqual([0, 2])
    expect(messages().slice(0, 2)).toEqual(['journal: cannot write, state down', 'journal: writes again'])
    await journal.close()
  })

  test('heals when its folder was removed: goes on at the next position, and a reader steps over what was removed', async () => {
    const folder = newFolder()
    const { journal, messages } = await openLogged(folder, { segmentBytes: 100 })
    const { end } = await journal.append(batch(0, 5))
    rmSync(folder, { recursive: true })
    await expect(journal.append(batch(1))).rejects.toMatchObject({ code: 'ENOENT' })
    await until(() => journal.state() === 'ok')
    await journal.append(batch(2))
    const gaps: JournalGap[] = []
    for await (const { entry } of journalReader(journal).read(0, AbortSignal.timeout(5000), (gap) => gaps.push(gap))) {
      expect(entry.at).toBe(2)
      break
    }
    expect(gaps).toEqual([{ from: 0, to: end, reason: 'missing' }])
    expect(messages()).toContain('journal: writes again')
    await journal.close()
    const again = await openLogged(folder)
    expect(again.journal.name).toBe(journal.name)
    await again.journal.close()
  })

  const canMount = process.platform === 'linux' && process.getuid?.() === 0
  const onSmallDisk = async (skip: () => never, task: (mount: string) => Promise<void>) => {
    const mount = newFolder()
    mkdirSync(mount)
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=40m', 'tmpfs', mount], { stdio: 'ignore' })
    } catch {
      return skip() // mounting needs a privilege that this container lacks
    }
    try {
      await task(mount)
    } finally {
      execFileSync('umount', ['-l', mount])
    }
  }

  test.skipIf(!canMount)('heals when a read-only file system is replaced by a writable one', async (context) => {
    const folder = newFolder()
    const { journal } = await openLogged(folder, { segmentBytes: 100 })
    await journal.append(batch(0, 5))
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', folder], { stdio: 'ignore' })
    } catch {
      return context.skip() // mounting needs a privilege that this container lacks
    }
    try {
      await expect(journal.append(batch(1))).rejects.toMatchObject({ code: 'EROFS' })
      await sleep(1500)
      expect(journal.state()).toBe('down')
    } finally {
      execFileSync('umount', ['-l', folder])
    }
    await until(() => journal.state() === 'ok')
    await journal.append(batch(2))
    expect(await numbersOf(journal, 2)).toEqual([0, 2])
    await journal.close()
  })

  test.skipIf(!canMount)('survives a probe that fails: the folder of a full disk cannot be read', (context) =>
    onSmallDisk(context.skip, async (mount) => {
      const folder = join(mount, 'journal')
      const { journal } = await openLogged(folder, { segmentBytes: 1e9 })
      const ballast = join(mount, 'ballast')
      writeFileSync(ballast, Buffer.alloc(39 * 1024 * 1024))
      const refused: unknown[] = []
      for (let i = 0; i < 40 && refused.length === 0; i++)
        await journal.append(batch(i, 3000)).catch((error: unknown) => refused.push(error))
      expect(refused).toEqual([expect.objectContaining({ key: 'collect.disk' })])
      expect(journal.state()).toBe('full')
      renameSync(folder, `${folder}-away`) // statfs rejects from now on
      await sleep(2500)
      expect(journal.state()).not.toBe('ok')
      rmSync(ballast)
      rmSync(folder, { recursive: true, force: true })
      renameSync(`${folder}-away`, folder)
      await until(() => journal.state() === 'ok')
      await journal.append(batch(1000))
      await journal.close()
    }),
  )
})

describe('a damaged journal', { timeout: 30_000 }, () => {
  const flip = (file: string, at: number) => {
    const bytes = readFileSync(file)
    bytes[at] = (bytes[at] as number) ^ 0x40
    writeFileSync(file, bytes)
  }
  async function written(count: number) {
    const folder = newFolder()
    const journal = await openJournal(folder, { maxBacklogBytes: 1e9 })
    const spans = []
    for (let i = 0; i < count; i++) spans.push(await journal.append(batch(i, 3)))
    await journal.close()
    return { folder, spans, end: journal.durable() }
  }

  for (const part of ['payload', 'length'] as const)
    test(`loses only the entry whose ${part} changed: what follows is read, the file is set aside, log and health name the span`, async () => {
      const { folder, spans, end } = await written(20)
      const { position, end: next } = spans[7] as (typeof spans)[number]
      flip(segmentFile(folder, 0), position + (part === 'payload' ? 40 : 1))
      const { journal, lines } = await openLogged(folder)
      expect(journal.durable()).toBe(end)
      await journal.append(batch(99))
      const expected = [...Array.from({ length: 20 }, (_, i) => i).filter((i) => i !== 7), 99]
      expect(await numbersOf(journal, 20)).toEqual(expected)
      const lost = { from: position, to: next, reason: 'damaged', ...(part === 'payload' && { events: 3 }) }
      expect(journal.incidents()).toEqual([{ ...lost, at: expect.any(Number) }])
      expect(lines).toEqual([
        {
          level: 'error',
          message: 'journal: entries are damaged, these positions are skipped',
          // Where the length is what changed, the number of events is unknown.
          fields: { from: position, to: next, bytes: next - position, ...(part === 'payload' && { events: 3 }) },
        },
      ])
      expect(readdirSync(folder)).toContain('0000000000000000.damaged')
      await journal.close()
      const again = await openLogged(folder)
      expect(await numbersOf(again.journal, 20)).toEqual(expected)
      expect(again.lines).toEqual([])
      expect(again.journal.incidents().length).toBe(1)
      await again.journal.close()
    })

  test('a start that died while it set a damaged file aside is finished by the next one', async () => {
    const { folder, spans } = await written(12)
    flip(segmentFile(folder, 0), (spans[3] as { position: number }).position + 30)
    const copy = newFolder()
    cpSync(folder, copy, { recursive: true })
    const first = await openLogged(folder)
    const numbers = await numbersOf(first.journal, 11)
    await first.journal.close()
    // As if it had died before the original was set aside, and after, before the last copy was put in place.
    const head = '0000000000000000'
    const tail = segments(folder).find((name) => !name.startsWith(head)) as string
    for (const died of ['while it copied', 'while it copied again', 'before all copies were in place'] as const) {
      const broken = newFolder()
      cpSync(copy, broken, { recursive: true })
      cpSync(join(folder, `${head}.journal`), join(broken, `${head}.${head}.new`))
      if (died === 'before all copies were in place') {
        cpSync(join(broken, `${head}.journal`), join(broken, `${head}.damaged`))
        cpSync(join(folder, tail), join(broken, tail))
      } else {
        cpSync(join(broken, `${head}.journal`), join(broken, `${head}.damaged.new`))
        writeFileSync(join(broken, `${tail.slice(0, 16)}.${head}.new`), 'half')
        if (died === 'while it copied again') writeFileSync(join(broken, `${head}.damaged`), 'of another time')
      }
      const { journal } = await openLogged(broken)
      expect(await numbersOf(journal, 11)).toEqual(numbers)
      expect(readdirSync(broken).filter((name) => name.endsWith('.new'))).toEqual([])
      await journal.close()
    }
  })

  /** Four segments of five entries each, the entry with the number damaged while the journal is open. */
  async function damagedWhileOpen(damaged: number, options: Partial<JournalOptions> = {}) {
    const folder = newFolder()
    const opened = await openLogged(folder, { segmentBytes: 1500, ...options })
    const { journal } = opened
    const spans: { position: number; end: number }[] = []
    for (let i = 0; i < 20; i++) spans.push(await journal.append(batch(i, 3)))
    const { position, end } = spans[damaged] as (typeof spans)[number]
    const starts = segments(folder).map((name) => Number(name.slice(0, 16)))
    const start = starts.findLast((one) => one <= position) as number
    flip(segmentFile(folder, start), position - start + 60)
    const lost = { from: position, to: end, reason: 'damaged', events: 3 }
    const others = Array.from({ length: 20 }, (_, i) => i).filter((i) => i !== damaged)
    /** What the flusher does: reads, and reports what it steps over. */
    const readAll = async (count = 19) => {
      const numbers: number[] = []
      const link = journalReader(journal)
      for await (const { entry } of link.read(0, AbortSignal.timeout(5000), link.reportGap)) {
        numbers.push(entry.at)
        if (numbers.length === count) break
      }
      return numbers
    }
    const setAside = () => readdirSync(folder).filter((name) => name.endsWith('.damaged'))
    return { ...opened, folder, lost, start, others, readAll, setAside }
  }

  for (const { which, damaged } of [
    { which: 'first entry of an older segment', damaged: 0 },
    { which: 'entry in the middle of an older segment', damaged: 7 },
    { which: 'entry of the segment that is being written', damaged: 19 },
  ])
    test(`[A5] the damaged ${which} is stepped over while the journal runs, and the segment set aside`, async () => {
      const bed = await damagedWhileOpen(damaged)
      const { journal, folder, lost, others } = bed
      await journal.append(batch(20, 3)) // a valid entry behind it
      const expected = [...others, 20]
      expect(await bed.readAll(20)).toEqual(expected)
      await until(() => journal.incidents()[0]?.events === 3)
      expect(journal.incidents()).toEqual([{ ...lost, at: expect.any(Number) }])
      await until(() => bed.messages().includes('journal: a damaged segment is set aside'))
      expect(bed.setAside()).toEqual([`${String(bed.start).padStart(16, '0')}.damaged`])
      // The list of incidents is written beside its old version, also after the last message.
      await until(() => !readdirSync(folder).some((name) => name.endsWith('.new')))
      // What is valid is at the same positions, the journal goes on, and nothing is found again.
      expect(await bed.readAll(20)).toEqual(expected)
      const { position } = await journal.append(batch(99))
      expect((await take(journalReader(journal), position, 1)).map(({ entry }) => entry.at)).toEqual([99])
      expect(journal.backlogBytes()).toBe(journal.durable() - (lost.to - lost.from))
      await journal.close()
      const again = await openLogged(folder)
      expect(again.journal.durable()).toBe(journal.durable())
      expect(await numbersOf(again.journal, 20)).toEqual(expected)
      expect(again.lines).toEqual([])
      await again.journal.close()
    })

  test('[A5] readers miss no valid entry while a segment is set aside', async () => {
    const { journal, others, readAll, setAside } = await damagedWhileOpen(7)
    const readers: Promise<number[]>[] = []
    const reading = setInterval(() => readers.push(numbersOf(journal, 19)), 1)
    expect(await readAll()).toEqual(others)
    await until(() => setAside().length === 1)
    await sleep(20)
    clearInterval(reading)
    expect(readers.length).toBeGreaterThan(3)
    for (const numbers of await Promise.all(readers)) expect(numbers).toEqual(others)
    await journal.close()
  })

  test('[A5] damage in a segment that is not the last one is found and set aside by what the collector reads at its start', async () => {
    const { journal, folder, lost, others, setAside } = await damagedWhileOpen(7)
    await journal.close()
    const again = await openLogged(folder)
    const numbers: number[] = []
    for await (const { entry } of recentEntries(again.journal, 0)) numbers.push(entry.at)
    expect(numbers).toEqual(others)
    await until(() => setAside().length === 1)
    expect(again.journal.incidents()).toEqual([{ ...lost, at: expect.any(Number) }])
    await again.journal.close()
  })

  for (const removal of ['age', 'erasure'] as const)
    test(`[A6] a segment that was set aside while the journal runs is removed by ${removal}, and its valid entries as any other`, async () => {
      let clock = Date.now()
      const bed = await damagedWhileOpen(7, { now: () => clock })
      const { journal, folder, setAside } = bed
      await bed.readAll()
      await until(() => setAside().length === 1)
      journal.release(journal.durable())
      if (removal === 'age') {
        clock += 7 * 86_400_000 - 60_000
        await sleep(1500)
        expect(setAside().length).toBe(1)
        clock += 120_000
        await until(() => setAside().length === 0)
      } else {
        const end = journal.durable()
        for (const late = Date.now() + 8000; !(await journal.dropBefore(end)) && Date.now() < late; clock += 500)
          await sleep(50)
        // Said to be gone, so nothing may be left.
        expect(setAside()).toEqual([])
      }
      expect(segments(folder).length).toBe(1)
      expect(journal.oldest()).toBe(journal.durable())
      await journal.close()
    })
})

describe('age of what the journal holds', { timeout: 30_000 }, () => {
  const HOUR = 3_600_000
  const holds = (folder: string, text: string) =>
    readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(text))

  test('an address is gone once its segment is an hour old and stored', async () => {
    const folder = newFolder()
    let clock = Date.now()
    const { journal } = await openLogged(folder, { now: () => clock })
    const event = madeEvent({ address: '203.0.113.77' })
    await journal.append({ kind: 'batch', at: clock, events: [toTuple(event)] })
    journal.release(journal.durable())
    expect(holds(folder, '203.0.113.77')).toBe(true)
    clock += HOUR - 60_000
    await sleep(1500)
    expect(segments(folder).length).toBe(1)
    clock += 60_000
    await until(() => !holds(folder, '203.0.113.77')) // without anybody appending
    expect(holds(folder, event.device)).toBe(false)
    await journal.append({ kind: 'batch', at: clock, events: [toTuple(madeEvent())] })
    await journal.close()
  })

  test('what is not stored yet is kept whatever its age', async () => {
    const folder = newFolder()
    let clock = Date.now()
    const { journal } = await openLogged(folder, { now: () => clock })
    await journal.append(batch(1))
    clock += 400 * 24 * HOUR
    await until(() => segments(folder).length === 2)
    await sleep(1500)
    expect(await numbersOf(journal, 1)).toEqual([1])
    await journal.close()
  })

  test('a clock that is set back delays no removal', async () => {
    const folder = newFolder()
    let clock = Date.now()
    const { journal } = await openLogged(folder, { now: () => clock })
    await journal.append(batch(1))
    const end = journal.durable()
    journal.release(end)
    expect(await journal.dropBefore(end)).toBe(false)
    clock -= HOUR
    while (!(await journal.dropBefore(end))) await sleep(20) // the file goes in the background
    expect(segments(folder)).toHaveLength(1)
    await journal.close()
  })

  test('dropBefore removes stored segments at once, set-aside files too, and says when they are gone', async () => {
    const folder = newFolder()
    const { journal } = await openLogged(folder)
    const event = madeEvent({ address: '203.0.113.78' })
    await journal.append({ kind: 'batch', at: Date.now(), events: [toTuple(event)] })
    writeFileSync(join(folder, '0000000000000000.damaged'), '203.0.113.78')
    const end = journal.durable()
    expect(await journal.dropBefore(end)).toBe(false) // not stored
    journal.release(end)
    const begun = Date.now()
    while (!(await journal.dropBefore(end))) await sleep(100)
    expect(Date.now() - begun).toBeLessThan(6000)
    await until(() => !holds(folder, '203.0.113.78'))
    expect(journal.oldest()).toBe(end)
    await journal.append(batch(2))
    expect((await take(journalReader(journal), end, 1)).map(({ entry }) => entry.at)).toEqual([2])
    await journal.close()
  })
})
