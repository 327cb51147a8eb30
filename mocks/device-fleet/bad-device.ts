import { gzipSync } from 'node:zlib'
import { COLLECT_EVENTS_PATH, COLLECT_LIMITS } from '#contracts/telemetry/wire.ts'
import type { Post, PostAnswer } from './http-post.ts'
import { hexText, type Rng, uuid } from './random.ts'

/** What bad senders do, and what the collector's documentation says that they get. */
type BadRequest = {
  name: string
  body: string | Uint8Array
  headers?: Record<string, string>
  /** The documented answer: its status and, for 202, what is counted. */
  expected: { status: number; counts?: Partial<Record<'accepted' | 'duplicates' | 'quarantined' | 'rejected', number>> }
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** One of each kind, in order: the duplicate needs the batch before it. `now` is the server's clock. */
function badRequests(rng: Rng, now: number): BadRequest[] {
  const event = (changes: Record<string, unknown> = {}) => ({
    event_id: uuid(rng),
    type: 'start',
    device_id: `bad-${hexText(rng, 8)}`,
    occurred_at: now - 1000,
    reported_at: now,
    ...changes,
  })
  const one = (changes: Record<string, unknown> = {}) => JSON.stringify([event(changes)])
  const first = one()
  const counted = (counts: BadRequest['expected']['counts']) => ({ status: 202, ...(counts ? { counts } : {}) })
  const refused = (status: number) => ({ status })
  return [
    { name: 'good batch', body: first, expected: counted({ accepted: 1, duplicates: 0 }) },
    { name: 'the same batch again', body: first, expected: counted({ accepted: 0, duplicates: 1 }) },
    { name: 'broken JSON', body: '[{"event_id":', expected: refused(400) },
    { name: 'no list', body: '"hello"', expected: refused(400) },
    { name: 'empty body', body: '', expected: refused(400) },
    {
      name: 'a body that is not gzip, named gzip',
      body: first,
      headers: { 'content-encoding': 'gzip' },
      expected: refused(400),
    },
    { name: 'not JSON by its type', body: '<a/>', headers: { 'content-type': 'text/xml' }, expected: refused(415) },
    {
      name: 'unknown key',
      body: one(),
      headers: { authorization: `Bearer aw_sk_${'x'.repeat(43)}` },
      expected: refused(401),
    },
    { name: 'no key', body: one(), headers: { authorization: '' }, expected: refused(401) },
    { name: 'too many bytes', body: Buffer.alloc(COLLECT_LIMITS.server.bytes + 1, 32), expected: refused(413) },
    {
      name: 'inflates without end',
      body: gzipSync(Buffer.alloc(COLLECT_LIMITS.server.inflatedBytes + 1, 32)),
      headers: { 'content-encoding': 'gzip' },
      expected: refused(413),
    },
    {
      name: 'too many events',
      body: JSON.stringify(Array.from({ length: COLLECT_LIMITS.server.events + 1 }, () => event())),
      expected: refused(413),
    },
    { name: 'no device', body: one({ device_id: undefined }), expected: counted({ accepted: 0, rejected: 1 }) },
    { name: 'unknown type', body: one({ type: 'party' }), expected: counted({ accepted: 0, rejected: 1 }) },
    { name: 'risk without its type', body: one({ type: 'risk' }), expected: counted({ accepted: 0, rejected: 1 }) },
    { name: 'unknown field', body: one({ evnet: 1 }), expected: counted({ accepted: 0, rejected: 1 }) },
    {
      name: 'text without end',
      body: one({ model: 'x'.repeat(COLLECT_LIMITS.text + 1) }),
      expected: counted({ accepted: 0, rejected: 1 }),
    },
    {
      name: 'list where text belongs',
      body: one({ event_id: ['a'] }),
      expected: counted({ accepted: 0, rejected: 1 }),
    },
    {
      name: 'reported in the future',
      body: one({ reported_at: now + HOUR_MS }),
      expected: counted({ accepted: 0, rejected: 1 }),
    },
    {
      name: 'happens tomorrow',
      body: one({ occurred_at: now + DAY_MS }),
      expected: counted({ accepted: 1, rejected: 0 }),
    },
    {
      name: 'happened long ago',
      body: one({ occurred_at: now - 8 * DAY_MS }),
      expected: counted({ accepted: 0, quarantined: 1 }),
    },
    { name: 'not a place', body: one({ place: { country: 'ZZ' } }), expected: counted({ accepted: 0, rejected: 1 }) },
    {
      name: 'only one of three is good',
      body: JSON.stringify([event(), 7, null]),
      expected: counted({ accepted: 1, rejected: 2 }),
    },
  ]
}

/** What differs from the documented answer, or undefined. A pending event was taken: the store only decides whether it was new. */
function misanswered({ expected }: BadRequest, { status, json }: PostAnswer): string | undefined {
  if (status !== expected.status) return `answered ${status}, not ${expected.status}`
  for (const [name, count] of Object.entries(expected.counts ?? {})) {
    const found = name === 'accepted' ? countOf(json, 'accepted') + countOf(json, 'pending') : countOf(json, name)
    if (found !== count) return `${name} is ${found}, not ${count}`
  }
  return undefined
}

function countOf(json: Record<string, unknown>, name: string): number {
  const value = json[name]
  return Array.isArray(value) ? value.length : Number(value)
}

/** Sends one of each; answers how many got what the documentation says, and what the others got. */
export async function playBadDevice(
  post: Post,
  key: string,
  rng: Rng,
  now: () => number,
): Promise<{ right: number; wrong: string[] }> {
  const wrong: string[] = []
  const list = badRequests(rng, now())
  for (const bad of list) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...bad.headers }
    const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''))
    const problem = misanswered(bad, await post(COLLECT_EVENTS_PATH, bad.body, given))
    if (problem) wrong.push(`${bad.name}: ${problem}`)
  }
  return { right: list.length - wrong.length, wrong }
}
