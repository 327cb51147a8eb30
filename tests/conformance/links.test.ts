import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StoredEvent } from '#contracts/telemetry/stored-event.ts'
import { buildKey, EXPAND_LIMITS, type LinkKind, linkId, type Subject } from '#domain/trail.ts'
import type { StoreQuery } from '#storage/events/port.ts'
import { type DuckStore, openDuckStore } from '#storage/events/serve/open-duck-store.ts'
import { deviceKey, NOON, numbered, storedEvent, userKey } from './random-events.ts'

const HOUR = 3_600_000
const signed = fc.tuple(storedEvent, fc.constantFrom('aa', 'bb', '')).map(([event, signer]) => ({
  ...event,
  extra: signer ? JSON.stringify({ detail: { signer: 'ff' }, signer }) : event.extra,
}))
const events = numbered(fc.sample(signed, { numRuns: 700, seed: 5 }))
const ALL: StoreQuery = {
  span: { from: NOON - 200 * HOUR, to: NOON + 200 * HOUR },
  basis: 'occurred',
  filters: [],
  scope: { apps: 'all' },
  zone: 'Asia/Shanghai',
}
let store: DuckStore
const folder = mkdtempSync(join(tmpdir(), 'links-'))
beforeAll(async () => {
  store = await openDuckStore({ folder })
  await store.load(events)
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const signerOf = (event: StoredEvent) =>
  event.extra ? ((JSON.parse(event.extra) as { signer?: string }).signer ?? '') : ''
const keyOf: Record<LinkKind, (event: StoredEvent) => string | null> = {
  device: (event) => event.device,
  user: (event) => event.user,
  address: (event) => event.address || null,
  build: (event) => buildKey(String(event.app), event.version, signerOf(event)),
}
function counts(rows: readonly StoredEvent[], kind: LinkKind): Map<string, number> {
  const found = new Map<string, number>()
  for (const row of rows) {
    const key = keyOf[kind](row)
    if (key !== null) found.set(key, (found.get(key) ?? 0) + 1)
  }
  return found
}

const subjects: Subject[] = [
  ...Array.from({ length: 13 }, (_, index): Subject => ({ kind: 'device', key: deviceKey(index) })),
  ...Array.from({ length: 9 }, (_, index): Subject => ({ kind: 'user', key: userKey(index) })),
  { kind: 'address', key: '203.0.113.7' },
]

test('[MSSA-01] neighbours, weights and totals match the stored rows, and every second-hop node is connected', async () => {
  for (const subject of subjects)
    for (const apps of ['all', [1, 3]] as const) {
      const scope = { apps }
      const rows = events.filter(
        (event) => keyOf[subject.kind](event) === subject.key && (apps === 'all' || apps.includes(event.app as 1)),
      )
      const links = await store.links({ ...ALL, scope }, { subject, limit: 4, expand: [] })
      expect(links.nodes[0]).toMatchObject({ ...subject, hop: 0 })
      for (const kind of ['device', 'user', 'address', 'build'] as const) {
        if (kind === subject.kind) continue
        const expected = [...counts(rows, kind)].sort(([, m], [, n]) => n - m)
        expect(links.totals[kind], `${subject.key} ${kind}`).toBe(expected.length)
        const direct = links.nodes.filter((node) => node.kind === kind && node.hop === 1)
        expect(direct.map(({ events: count }) => count)).toEqual(expected.slice(0, 4).map(([, count]) => count))
        for (const node of direct) expect(counts(rows, kind).get(node.key)).toBe(node.events)
      }
      const ids = new Set(links.nodes.map(linkId))
      expect(ids.size).toBe(links.nodes.length)
      for (const node of links.nodes.slice(1)) {
        const through = links.edges.filter(({ to }) => to === linkId(node))
        expect(through.length, linkId(node)).toBeGreaterThan(0)
        expect(through.every(({ from }) => ids.has(from))).toBe(true)
        if (node.kind === 'user' || node.kind === 'address') {
          const seen = events.filter(
            (event) => keyOf[node.kind](event) === node.key && (apps === 'all' || apps.includes(event.app as 1)),
          )
          expect(node.devices).toBe(new Set(seen.map(({ device }) => device)).size)
        }
      }
    }
})

test('[MSSA-01] expanding a node adds neighbours, the graph stays bounded, and the same query returns the same graph', async () => {
  const subject: Subject = { kind: 'device', key: deviceKey(1) }
  const first = await store.links(ALL, { subject, limit: 2, expand: [] })
  const build = first.nodes.find(({ kind }) => kind === 'build')
  if (!build) throw new Error('no build')
  const ask = { subject, limit: 2, expand: [{ kind: build.kind, key: build.key }] }
  const wide = await store.links(ALL, ask)
  const others = counts(
    events.filter((event) => keyOf.build(event) === build.key && event.device !== subject.key),
    'device',
  )
  const tied = wide.edges.filter(({ from, to }) => [from, to].includes(linkId(build)) && !from.endsWith(subject.key))
  expect(tied).toHaveLength(Math.min(EXPAND_LIMITS.neighbours, others.size))
  expect(wide.nodes.length).toBeLessThanOrEqual(EXPAND_LIMITS.graph)
  expect(await store.links(ALL, ask)).toEqual(wide)
  const nothing = await store.links(ALL, {
    subject: { kind: 'address', key: "' OR 1=1 --" },
    limit: 5,
    expand: [{ kind: 'build', key: "1|aa|' OR 1=1 --" }],
  })
  expect(nothing.nodes).toHaveLength(1)
})

test('[MSSA-01] an address of many devices is marked as shared and followed only when it is expanded', async () => {
  const many = numbered(
    Array.from({ length: 40 }, (_, index) => ({
      ...(events[0] as StoredEvent),
      device: `e${String(index).padStart(31, '0')}`,
      user: null,
      address: '198.51.100.4',
      extra: '',
    })),
  ).map((event, index) => ({ ...event, id: `00000000-0000-4000-8000-${String(900_000 + index).padStart(12, '0')}` }))
  await store.load(many)
  const subject: Subject = { kind: 'device', key: `e${'0'.repeat(31)}` }
  const links = await store.links(ALL, { subject, limit: 5, expand: [] })
  expect(links.nodes.find(({ kind }) => kind === 'address')).toMatchObject({ devices: 40, shared: true })
  expect(links.nodes.filter(({ kind }) => kind === 'device')).toHaveLength(1)
  const asked = await store.links(ALL, { subject, limit: 5, expand: [{ kind: 'address', key: '198.51.100.4' }] })
  expect(asked.nodes.filter(({ kind }) => kind === 'device')).toHaveLength(1 + EXPAND_LIMITS.neighbours)
})

test('[MSSA-01] a device or user hash is found by its first and last digits within the scope', async () => {
  const whole = deviceKey(3)
  const found = await store.findKeys(whole.slice(0, 4), whole.slice(-4), { apps: 'all' })
  expect(found).toContainEqual(expect.objectContaining({ kind: 'device', key: whole }))
  expect(found.every(({ key }) => key.startsWith(whole.slice(0, 4)) && key.endsWith(whole.slice(-4)))).toBe(true)
  expect(await store.findKeys('', whole.slice(-8), { apps: [] })).toEqual([])
  const own = await store.findKeys('', userKey(2).slice(-8), { apps: [2] })
  const expected = events
    .filter(({ user, app }) => user === userKey(2) && app === 2)
    .map(({ occurredAt }) => occurredAt)
  expect(own.find(({ kind }) => kind === 'user')).toMatchObject({ apps: [2], firstAt: Math.min(...expected) })
  await expect(store.findKeys('zz', '', { apps: 'all' })).rejects.toThrow('hex')
})
