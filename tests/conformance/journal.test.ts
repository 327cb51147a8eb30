import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import type { JournalPendingDecisions } from '#contracts/telemetry/stored-event.ts'
import { connectJournal } from '#storage/journal/connect-journal.ts'
import { journalReader } from '#storage/journal/journal-reader.ts'
import { openJournal } from '#storage/journal/open-journal.ts'
import type { JournalGap } from '#storage/journal/port.ts'
import { serveJournal } from '#storage/journal/serve-journal.ts'
import { batch, type JournalFactory, journalSuite, take } from './journal.ts'

const root = mkdtempSync(join(tmpdir(), 'appwarden-journal-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let folders = 0
const newFolder = () => join(root, String(++folders))

const openIn: JournalFactory = async ({ again, maxBacklogBytes = 1e9, ...rest }) => {
  const folder = again ? join(root, String(folders)) : newFolder()
  const writer = await openJournal(folder, { maxBacklogBytes, ...rest })
  return { writer, reader: () => journalReader(writer) }
}
journalSuite('files, read in the same process', openIn)

journalSuite('files, read over the socket', async (options) => {
  const folder = options.again ? join(root, String(folders)) : newFolder()
  const writer = await openJournal(folder, { ...options, maxBacklogBytes: options.maxBacklogBytes ?? 1e9 })
  const socket = join(folder, 'journal.sock')
  const server = await serveJournal(writer, socket)
  const link = await connectJournal(folder, socket)
  return {
    writer: {
      ...writer,
      async close() {
        link.close()
        await server.close()
        await writer.close()
      },
    },
    reader: () => link,
  }
})

const segments = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.journal'))
    .sort()
    .map((name) => join(folder, name))

describe('journal files', { timeout: 60_000 }, () => {
  test('an interrupted write at the end of the last segment is cut off, and no valid entry with it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 400 }), async (count, cut) => {
        const folder = newFolder()
        const writer = await openJournal(folder, { maxBacklogBytes: 1e9 })
        const ends: number[] = []
        for (let i = 0; i < count; i++) ends.push((await writer.append(batch(i, 3))).end)
        await writer.close()
        const [file] = segments(folder) as [string]
        const left = Math.max(0, statSync(file).size - cut)
        truncateSync(file, left)
        const again = await openJournal(folder, { maxBacklogBytes: 1e9, log: () => {} })
        const whole = ends.filter((end) => end <= left)
        expect(again.durable()).toBe(whole.at(-1) ?? 0)
        await again.append(batch(100))
        const entries = await take(journalReader(again), 0, whole.length + 1)
        expect(entries.map(({ entry }) => entry.at)).toEqual([...whole.map((_, i) => i), 100])
        await again.close()
      }),
      { numRuns: 30 },
    )
  })

  test('garbage after the last entry is cut: random bytes, a huge length, a changed payload', async () => {
    const folder = newFolder()
    const writer = await openJournal(folder, { maxBacklogBytes: 1e9 })
    const { end } = await writer.append(batch(1))
    const { end: second } = await writer.append(batch(2))
    await writer.close()
    const [file] = segments(folder) as [string]
    for (const garbage of [Buffer.from([1, 2, 3]), Buffer.alloc(64, 0xff), Buffer.alloc(5000)]) {
      appendFileSync(file, garbage)
      const again = await openJournal(folder, { maxBacklogBytes: 1e9 })
      expect(again.durable()).toBe(second)
      await again.close()
      expect(statSync(file).size).toBe(second)
    }
    const bytes = readFileSync(file)
    bytes[second - 3] = (bytes[second - 3] as number) ^ 1
    writeFileSync(file, bytes)
    const again = await openJournal(folder, { maxBacklogBytes: 1e9 })
    expect(again.durable()).toBe(end)
    await again.close()
  })

  test('released segments are removed, all but the one before the position, and a reader steps over them', async () => {
    const folder = newFolder()
    const writer = await openJournal(folder, { maxBacklogBytes: 1e9, segmentBytes: 500 })
    for (let i = 0; i < 40; i++) await writer.append(batch(i, 2))
    const before = segments(folder).length
    expect(before).toBeGreaterThan(4)
    writer.release(writer.durable())
    await sleep(50)
    expect(segments(folder).length).toBe(2)
    const gaps: JournalGap[] = []
    for await (const { position } of journalReader(writer).read(0, AbortSignal.timeout(10_000), (gap) =>
      gaps.push(gap),
    )) {
      expect(gaps).toEqual([{ from: 0, to: position, reason: 'missing' }])
      break
    }
    await writer.close()
    const again = await openJournal(folder, { maxBacklogBytes: 1e9, segmentBytes: 500 })
    expect(again.durable()).toBe(writer.durable())
    await again.close()
  })

  test('over the socket: decisions are appended although the backlog is full, release frees it, the link reconnects', async () => {
    const folder = newFolder()
    const socket = join(`${folder}-run`, 'long-'.repeat(25), 'journal.sock')
    mkdirSync(dirname(socket), { recursive: true })
    const writer = await openJournal(folder, { maxBacklogBytes: 200 })
    let server = await serveJournal(writer, socket)
    const link = await connectJournal(folder, socket)
    await writer.append(batch(1, 10))
    expect(writer.state()).toBe('full')
    const decisions: JournalPendingDecisions = {
      kind: 'verdicts',
      at: 1,
      position: 0,
      accepted: [],
      duplicates: [0],
      quarantined: [],
    }
    await link.appendDecisions(decisions)
    expect((await take(link, 0, 2)).map(({ entry }) => entry)).toEqual([batch(1, 10), decisions])
    await server.close()
    await expect(link.appendDecisions(decisions)).rejects.toThrow('not reachable')
    server = await serveJournal(writer, socket)
    while (!link.connected()) await sleep(10)
    link.release(writer.durable())
    while (writer.state() === 'full') await sleep(10)
    await writer.append(batch(2))
    expect((await take(link, 0, 3)).length).toBe(3)
    link.close()
    await server.close()
    await writer.close()
  })

  test('[A5] over the socket: an owner that comes back with fewer positions than it announced is reported, one with the same is not', async () => {
    const folder = newFolder()
    const socket = `${folder}.sock`
    let shorter = 0
    let writer = await openJournal(folder, { maxBacklogBytes: 1e9 })
    let server = await serveJournal(writer, socket)
    const link = await connectJournal(folder, socket, undefined, undefined, () => shorter++)
    const restart = async (exchange = () => {}) => {
      await server.close()
      await writer.close()
      while (link.connected()) await sleep(10)
      exchange()
      writer = await openJournal(folder, { maxBacklogBytes: 1e9 })
      server = await serveJournal(writer, socket)
      await link.session(new AbortController().signal)
    }
    await writer.append(batch(1, 10))
    const backup = newFolder()
    cpSync(folder, backup, { recursive: true })
    await writer.append(batch(2, 10))
    while (link.durable() < writer.durable()) await sleep(10)
    await restart()
    expect(shorter).toBe(0)
    await restart(() => cpSync(backup, folder, { recursive: true }))
    expect(shorter).toBe(1)
    link.close()
    await server.close()
    await writer.close()
  })

  const canMount = process.platform === 'linux' && process.getuid?.() === 0
  test.skipIf(!canMount)(
    'a full disk refuses, leaves nothing of the refused entry, and recovers by itself',
    async (context) => {
      const folder = newFolder()
      mkdirSync(folder)
      try {
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=40m', 'tmpfs', folder], { stdio: 'ignore' })
      } catch {
        return context.skip() // mounting needs a privilege that this container lacks
      }
      try {
        const writer = await openJournal(folder, { maxBacklogBytes: 1e12, segmentBytes: 1e9 })
        const ballast = join(folder, 'ballast')
        writeFileSync(ballast, Buffer.alloc(38 * 1024 * 1024))
        const taken: number[] = []
        let refused = 0
        for (let i = 0; i < 60; i++)
          await writer.append(batch(i, 3000)).then(
            () => taken.push(i),
            (error: { key?: string }) => {
              expect(error.key).toBe('collect.disk')
              refused++
            },
          )
        expect(refused).toBeGreaterThan(0)
        expect(writer.state()).toBe('full')
        rmSync(ballast)
        while (writer.state() !== 'ok') await sleep(100)
        await writer.append(batch(1000))
        taken.push(1000)
        const seen = await take(journalReader(writer), 0, taken.length)
        expect(seen.map(({ entry }) => entry.at)).toEqual(taken)
        await writer.close()
        const again = await openJournal(folder, { maxBacklogBytes: 1e12 })
        expect(again.durable()).toBe(seen.at(-1)?.end)
        await again.close()
      } finally {
        execFileSync('umount', ['-l', folder])
      }
    },
  )

  test('killed while it writes: every acknowledged entry is there once, in order', async () => {
    const folder = newFolder()
    let acknowledged = 0
    for (let round = 0; round < 3; round++) {
      const child = spawn(
        process.execPath,
        ['--import', 'tsx', join(import.meta.dirname, 'journal-crash.ts'), folder, String(acknowledged)],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      )
      const lines = createInterface({ input: child.stdout })
      const gone = once(child, 'exit')
      let target = acknowledged + 50 + Math.floor(Math.random() * 1500)
      for await (const text of lines) {
        acknowledged = Number(text) + 1
        if (acknowledged < target) continue
        target = Number.POSITIVE_INFINITY
        child.kill('SIGKILL')
      }
      await gone
      expect(existsSync(folder)).toBe(true)
      const writer = await openJournal(folder, { maxBacklogBytes: 1e9 })
      const numbers: number[] = []
      for await (const { entry, end } of journalReader(writer).read(0, AbortSignal.timeout(10_000))) {
        numbers.push(entry.at)
        if (end === writer.durable()) break
      }
      await writer.close()
      expect(numbers).toEqual(numbers.map((_, index) => index))
      expect(numbers.length).toBeGreaterThanOrEqual(acknowledged)
      acknowledged = numbers.length
    }
  }, 60_000)
})
