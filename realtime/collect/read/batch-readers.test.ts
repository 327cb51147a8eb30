import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { COLLECT_LIMITS } from '#contracts/telemetry/wire.ts'
import { NO_PLACE } from '#engines/geo/place.ts'
import { startThread } from '#server/programs.ts'
import { decodeBatch } from '#storage/journal/decode-batch.ts'
import { payloadOf } from '#storage/journal/segments.ts'
import { batchReaders } from './batch-readers.ts'
import { bodyPool } from './body-pool.ts'
import { keyedHash } from './keyed-hash.ts'
import { knownDevices } from './known-devices.ts'
import { type BatchBody, type BatchFacts, type ReadBatch, readBatch } from './read-batch.ts'

const pepper = Buffer.alloc(32, 5)
const hash = keyedHash(pepper)
const tools = { hash, devices: knownDevices(hash, () => NO_PLACE), validAddress: () => true }
const started: ReturnType<typeof startThread>[] = []
const readers = batchReaders(tools, pepper, (data) => {
  const thread = startThread('reading-thread', data)
  started.push(thread)
  return thread
})
afterAll(() => readers.close())

const arrival = Date.UTC(2026, 10, 22)
const facts: BatchFacts = {
  app: 3,
  site: 0,
  arrival,
  newest: arrival,
  trusted: true,
  importing: false,
  retainedFrom: 0,
  clockOffset: 0,
  address: '10.0.0.1',
  enrolledDevice: '',
}
const pool = bodyPool(64 * 1024 * 1024)
/** As in collect-routes.ts: large bodies are in memory of the pool. */
const bodyOf = (events: unknown, gzip = false): BatchBody => {
  const text = Buffer.from(typeof events === 'string' ? events : JSON.stringify(events))
  const sent = gzip ? gzipSync(text, { level: 0 }) : text
  const bytes = sent.length < 16_384 ? sent : (pool.acquire(sent.length) as Buffer)
  bytes.set(sent)
  return { bytes, form: { lines: false, gzip }, limits: COLLECT_LIMITS.server }
}
const many = (change: (event: Record<string, unknown>, index: number) => void = () => {}) =>
  Array.from({ length: 300 }, (_, index) => {
    const event = {
      event_id: `e${index}`,
      type: 'start',
      device_id: `d${index}`,
      reported_at: arrival,
      x_pad: 'p'.repeat(60),
    }
    change(event, index)
    return event
  })
/** Another thread writes its result after the body. */
const readElsewhere = ({ bytes }: BatchBody) => Buffer.from(bytes.buffer, bytes.length).some((byte) => byte !== 0)
/** Sends bodies until one is read in another thread. */
async function apart(): Promise<void> {
  for (;;) {
    const body = bodyOf(many())
    await readers.read(body, facts)
    if (readElsewhere(body)) return
    await new Promise((resume) => setTimeout(resume, 20))
  }
}
const plain = ({ frame, ...rest }: ReadBatch) => ({ ...rest, batch: frame && decodeBatch(payloadOf(frame)) })

describe('[OBS-01] large bodies are read in another thread', () => {
  test('a small body is read in this thread, and the first large ones do not wait for the worker to start', async () => {
    const small = bodyOf([{ event_id: 'a', type: 'start', device_id: 'd' }])
    expect((await readers.read(small, facts)).outcomes).toEqual(Uint8Array.of(1))
    expect(started).toHaveLength(0)
    const large = bodyOf(many())
    expect((await readers.read(large, facts)).outcomes).toEqual(new Uint8Array(300).fill(1))
    expect(readElsewhere(large)).toBe(false)
    expect(started).toHaveLength(1)
    await apart()
  })

  test('another thread gives the same events, quarantine and rejections, and leaves the body unchanged', async () => {
    await apart()
    const odd = fc.constantFrom<[string, unknown]>(
      ['type', 'nonsense'],
      ['event_id', ''],
      ['reported_at', arrival + 9e8],
      ['occurred_at', arrival - 9e9],
      ['risk_type', 'hook'],
      ['model', '型号 "七"'],
      ['session_id', '\ud83d'],
      ['detail', { a: [1, '\u0000'] }],
      ['client_ip', '114.114.114.114'],
      ['reported_at', null],
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(299), odd), { maxLength: 20 }), fc.boolean(), async (changes, gzip) => {
        const events = many((event, index) => {
          for (const [at, [field, value]] of changes) if (at === index && field !== 'client_ip') event[field] = value
        })
        const here = bodyOf(events, gzip)
        const there = bodyOf(events, gzip)
        const read = await readers.read(there, facts)
        expect(readElsewhere(there)).toBe(true)
        expect(there.bytes.equals(here.bytes)).toBe(true)
        expect(plain(read)).toEqual(plain(readBatch(here, facts, tools)))
        pool.release(there.bytes)
        new Uint8Array(there.bytes.buffer).fill(0)
      }),
      { numRuns: 30 },
    )
  })

  test('another thread refuses a whole body with the same error', async () => {
    await apart()
    const bad = ['['.repeat(20_000), `${JSON.stringify(many()).slice(0, -1)}`, Array(1001).fill({ x: 'long enough' })]
    for (const one of bad) {
      const refused = readers.read(bodyOf(one), facts)
      let expected: unknown
      try {
        readBatch(bodyOf(one), facts, tools)
      } catch (error) {
        expected = error
      }
      await expect(refused).rejects.toEqual(expected)
    }
  })

  test('when a thread ends, its pending bodies are answered with collect.busy and another thread is started', async () => {
    await apart()
    // Terminated before the request, because a quick thread may answer before it ends.
    const ended = started.at(-1)?.terminate()
    const waiting = readers.read(bodyOf(many()), facts)
    await Promise.all([expect(waiting).rejects.toMatchObject({ key: 'collect.busy' }), ended])
    await apart()
    expect(started.length).toBeGreaterThan(1)
  })

  test('an idle thread ends; the next large body starts another', async () => {
    const ended: Promise<unknown>[] = []
    const short = batchReaders(
      tools,
      pepper,
      (data) => {
        const thread = startThread('reading-thread', data)
        ended.push(once(thread, 'exit'))
        return thread
      },
      300,
    )
    await short.read(bodyOf(many()), facts)
    expect(ended).toHaveLength(1)
    await ended[0]
    expect((await short.read(bodyOf(many()), facts)).outcomes).toHaveLength(300)
    expect(ended).toHaveLength(2)
    await short.close()
  })
})
