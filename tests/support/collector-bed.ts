import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { ERRORS, type ErrorKey } from '#contracts/errors.ts'
import type { WireEvent } from '#contracts/telemetry/wire.ts'
import { type Collector, openCollector, type TestDatabase, testDatabase } from './collector.ts'

export const MINUTE = 60_000
export const DAY = 86_400_000
export type Headers = Record<string, string>
export type CollectorBed = {
  folder: string
  database: TestDatabase
  /** May be replaced by a restarted one. */
  collector: Collector
  /** An application with a site, and its server key. */
  appId: number
  key: string
  clock: number
}

/** A collector for the tests of a file; its clock advances 20 minutes before each test, past every window. */
export function collectorBed() {
  const bed = { clock: Date.UTC(2026, 10, 21, 6, 0, 0) } as CollectorBed

  beforeAll(async () => {
    bed.folder = await mkdtemp(join(tmpdir(), 'aw-collector-'))
    bed.database = await testDatabase(bed.folder)
    bed.appId = await bed.database.makeApp(true)
    bed.key = (await bed.database.makeKey(bed.appId, 'server')).text
    bed.collector = await open('journal')
    await bed.collector.ingest.ready
  })
  afterAll(async () => {
    await bed.collector?.close()
    await bed.database?.close()
    await rm(bed.folder, { recursive: true, force: true })
  })
  beforeEach(() => {
    bed.clock += 20 * MINUTE
  })

  /** A collector with a journal of this name: the same name again is a restart. */
  function open(
    journal: string,
    more: Partial<Pick<Parameters<typeof openCollector>[0], 'deps' | 'maxBacklogBytes'>> = {},
  ): Promise<Collector> {
    return openCollector({
      meta: bed.database.meta,
      folder: join(bed.folder, journal),
      now: () => bed.clock,
      ...more,
    })
  }

  function attack(change: Partial<WireEvent> & Record<string, unknown> = {}): Record<string, unknown> {
    return {
      event_id: randomUUID(),
      type: 'risk',
      risk_type: 'hook',
      action: 'block',
      device_id: 'device-1',
      reported_at: bed.clock,
      occurred_at: bed.clock - 1000,
      ...change,
    }
  }

  async function post(payload: unknown, headers: Headers = {}, to = bed.collector, url = '/collect/v1/events') {
    const answer = await to.app.inject({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${bed.key}`, 'content-type': 'application/json', ...headers },
      payload: typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload),
      remoteAddress: '114.114.114.114',
    })
    return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(answer.body) }
  }

  /** Numbers that a refused or replayed request must not change. */
  function numbers(of = bed.collector) {
    const { accepted, pending, quarantined, imported, dedup } = of.ingest.status()
    return {
      accepted,
      pending,
      quarantined: { ...quarantined },
      imported,
      entries: dedup.entries,
      durable: of.journal.durable(),
      events: of.events.length,
    }
  }

  async function expectRefused(
    answer: Awaited<ReturnType<typeof post>>,
    error: ErrorKey,
    before: ReturnType<typeof numbers>,
  ) {
    expect(answer.body).toMatchObject({ key: error, code: ERRORS[error].code, server_time: bed.clock })
    expect(answer.status).toBe(ERRORS[error].status)
    expect(answer.headers['content-type']).toMatch(/^application\/json/)
    expect(numbers()).toEqual(before)
  }

  return { bed, open, attack, post, numbers, expectRefused }
}
