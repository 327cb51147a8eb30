import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { ProductError } from '#contracts/errors.ts'
import type { EventTuple, JournalBatch, JournalPendingDecisions } from '#contracts/telemetry/stored-event.ts'
import type { JournalReader, JournalWriter, PositionedEntry } from '#storage/journal/port.ts'

export type OpenedJournal = { writer: JournalWriter; reader(): JournalReader | Promise<JournalReader> }
export type JournalFactory = (options: {
  maxBacklogBytes?: number
  segmentBytes?: number
  again?: boolean
}) => Promise<OpenedJournal>

export function batch(number: number, size = 1): JournalBatch {
  const tuple: EventTuple = [`${number}`, 1, '消息 "x"', null, 1.5]
  return { kind: 'batch', at: number, events: Array.from({ length: size }, () => tuple) }
}

/** Reads until `count` entries came. */
export async function take(reader: JournalReader, from: number, count: number): Promise<PositionedEntry[]> {
  const entries: PositionedEntry[] = []
  if (count === 0) return entries
  for await (const placed of reader.read(from, AbortSignal.timeout(10_000))) {
    entries.push(placed)
    if (entries.length === count) break
  }
  return entries
}

/** Holds for every adapter of the journal's port. `again` opens the journal that was closed last. */
export function journalSuite(name: string, open: JournalFactory): void {
  describe(`journal: ${name}`, { timeout: 60_000 }, () => {
    let writer: JournalWriter | undefined
    afterEach(async () => {
      await writer?.close()
      writer = undefined
    })
    const opened = async (options: Parameters<JournalFactory>[0] = {}) => {
      const journal = await open(options)
      writer = journal.writer
      return journal
    }

    test('entries come back in order, without gaps, from any of their positions', async () => {
      const { writer, reader } = await opened({ segmentBytes: 2000 })
      const spans = await Promise.all(Array.from({ length: 100 }, (_, i) => writer.append(batch(i, 1 + (i % 7)))))
      expect(spans.map(({ position }) => position)).toEqual([0, ...spans.map(({ end }) => end).slice(0, -1)])
      expect(writer.durable()).toBe(spans.at(-1)?.end)
      for (const from of [0, 1, 50, 99]) {
        const entries = await take(await reader(), (spans[from] as { position: number }).position, 100 - from)
        expect(entries.map(({ entry }) => entry)).toEqual(
          Array.from({ length: 100 - from }, (_, i) => batch(from + i, 1 + ((from + i) % 7))),
        )
        expect(entries.map(({ position, end }) => ({ position, end }))).toEqual(spans.slice(from))
      }
    })

    test('a reader waits at the end and goes on with what comes, also when it is slower than the writer', async () => {
      const { writer, reader } = await opened({ segmentBytes: 20_000 })
      await writer.append(batch(0))
      const seen: number[] = []
      const reading = (async () => {
        for await (const { entry } of (await reader()).read(0, AbortSignal.timeout(10_000))) {
          seen.push(entry.at)
          if (seen.length % 50 === 0) await sleep(5)
          if (seen.length === 1500) break
        }
      })()
      await sleep(20)
      for (let i = 1; i < 1500; i += 10)
        await Promise.all(Array.from({ length: 10 }, (_, k) => writer.append(batch(i + k))).slice(0, 1500 - i))
      await reading
      expect(seen).toEqual(Array.from({ length: 1500 }, (_, i) => i))
    })

    test('an aborted reader ends while it waits', async () => {
      const { reader } = await opened()
      const controller = new AbortController()
      setTimeout(() => controller.abort(), 20)
      for await (const _ of (await reader()).read(0, controller.signal)) throw new Error('nothing was appended')
    })

    test('followers get each entry once, in order, when it is durable', async () => {
      const { writer } = await opened()
      const heard: number[] = []
      const unfollow = writer.follow(({ end, entry }) => {
        expect(writer.durable()).toBeGreaterThanOrEqual(end)
        heard.push(entry.at)
      })
      await Promise.all(Array.from({ length: 30 }, (_, i) => writer.append(batch(i))))
      unfollow()
      await writer.append(batch(99))
      expect(heard).toEqual(Array.from({ length: 30 }, (_, i) => i))
    })

    test('the barrier waits for everything appended before it', async () => {
      const { writer } = await opened()
      let done = 0
      for (let i = 0; i < 20; i++) void writer.append(batch(i, 50)).then(() => done++)
      await writer.barrier()
      expect(done).toBe(20)
      await writer.barrier()
    })

    test('a backlog at its bound refuses batches, takes decisions, and takes batches again once it is released', async () => {
      const { writer } = await opened({ maxBacklogBytes: 3000 })
      let refused: unknown
      let last = 0
      for (let i = 0; i < 200 && !refused; i++)
        await writer.append(batch(i)).then(
          ({ end }) => (last = end),
          (error: unknown) => (refused = error),
        )
      expect(refused).toBeInstanceOf(ProductError)
      expect((refused as ProductError).key).toBe('collect.busy')
      expect(writer.state()).toBe('full')
      const decisions: JournalPendingDecisions = {
        kind: 'verdicts',
        at: 1,
        position: 0,
        accepted: [0],
        duplicates: [],
        quarantined: [],
      }
      await writer.append(decisions)
      writer.release(last)
      expect(writer.state()).toBe('ok')
      expect(writer.backlogBytes()).toBe(writer.durable() - last)
      await writer.append(batch(1000))
    })

    test('after a close everything is there, and positions go on', async () => {
      const first = await opened({ segmentBytes: 1000 })
      const { name } = first.writer
      for (let i = 0; i < 40; i++) await first.writer.append(batch(i))
      const end = first.writer.durable()
      await first.writer.close()
      const second = await opened({ segmentBytes: 1000, again: true })
      expect(second.writer.name).toBe(name)
      expect(second.writer.durable()).toBe(end)
      expect((await second.writer.append(batch(40))).position).toBe(end)
      const entries = await take(await second.reader(), 0, 41)
      expect(entries.map(({ entry }) => entry.at)).toEqual(Array.from({ length: 41 }, (_, i) => i))
    })

    test('any text survives', async () => {
      const { writer, reader } = await opened()
      await fc.assert(
        fc.asyncProperty(fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 }), async (texts) => {
          const entry: JournalBatch = { kind: 'batch', at: 1, events: [texts] }
          const { position } = await writer.append(entry)
          const [placed] = await take(await reader(), position, 1)
          expect(placed?.entry).toEqual(JSON.parse(JSON.stringify(entry)))
        }),
        { numRuns: 50 },
      )
    })

    test('a closed journal refuses', async () => {
      const { writer } = await opened()
      await writer.close()
      await expect(writer.append(batch(1))).rejects.toThrow()
      expect(writer.state()).toBe('down')
    })
  })
}
