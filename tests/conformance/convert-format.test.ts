import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, expect, test } from 'vitest'
import { EVENT_TYPES } from '#domain/vocabulary.ts'
import { convertFormat, type FormatProgress } from '#storage/events/duckdb/convert-format.ts'
import { eventHash } from '#storage/events/duckdb/event-table.ts'
import type { StoreQuery } from '#storage/events/port.ts'
import { openDuckStore } from '#storage/events/serve/open-duck-store.ts'

const root = mkdtempSync(join(tmpdir(), 'appwarden-convert-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const AT = Date.UTC(2026, 4, 1)
const ROWS = 5000
const EVERYTHING: StoreQuery = {
  span: { from: 0, to: AT * 2 },
  basis: 'received',
  filters: [],
  scope: { apps: 'all' },
  zone: 'UTC',
}
const idOf = (i: number) => `${i.toString(16).padStart(8, '0')}-0000-4000-8000-00000000beef`
const keyOf = (kind: string, i: number) => `${kind}${String(i).padStart(7, '0')}0123456789abcdef01234567`
const uuidOf = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** A file as format 1 wrote it: no table `format`, devices and users as UUIDs with hashes beside them, no groups and build columns. */
async function writeFormat1(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const instance = await DuckDBInstance.create(join(folder, 'events.duckdb'))
  const connection = await instance.connect()
  for (const sql of [
    'CREATE TABLE events (id UUID, eh UINTEGER, app UINTEGER, type UTINYINT, risk UTINYINT, level UTINYINT, action UTINYINT, platform UTINYINT, occurred BIGINT, received BIGINT, reported BIGINT, device UUID, dh UINTEGER, uid UUID, uh UINTEGER, version VARCHAR, channel VARCHAR, os VARCHAR, model VARCHAR, brand VARCHAR, network VARCHAR, sdk VARCHAR, country VARCHAR, province UINTEGER, city UINTEGER, place UTINYINT, fineness UTINYINT, lon DOUBLE, lat DOUBLE, site UINTEGER, flags UTINYINT, address VARCHAR, extra VARCHAR, reduced UTINYINT)',
    'CREATE TABLE positions (journal VARCHAR, position BIGINT)',
    'CREATE TABLE verdicts (position BIGINT, body VARCHAR)',
    'CREATE TABLE first_seen (app UINTEGER, kind UTINYINT, k UUID, seen BIGINT)',
    'CREATE TABLE quarantine (seq BIGINT, received BIGINT, app UINTEGER, reason VARCHAR, event_id VARCHAR, device VARCHAR, note VARCHAR, raw VARCHAR)',
    "INSERT INTO positions VALUES ('j1', 4711)",
    `INSERT INTO quarantine VALUES (1, ${AT}, 1, 'implausible', 'x', '', 'note', '')`,
  ])
    await connection.run(sql)
  const type = EVENT_TYPES.start.code
  for (let from = 0; from < ROWS; from += 1000) {
    const rows = Array.from({ length: 1000 }, (_, k) => {
      const i = from + k
      const user = i % 3 === 0 ? 'NULL' : `'${uuidOf(keyOf('f', i % 70))}'`
      return `('${idOf(i)}', ${eventHash(idOf(i))}, ${1 + (i % 2)}, ${type}, 0, 1, 0, 1, ${AT + i * 1000}, ${AT + i * 1000 + 5}, NULL, '${uuidOf(keyOf('a', i % 400))}', 1, ${user}, 0, '1.0', 'c', 'Android 14', 'm', 'b', 'wifi', '1', 'CN', 11, 1101, 1, 1, 116.4, 39.9, 0, 0, '10.0.0.${i % 250}', '', 0)`
    })
    await connection.run(`INSERT INTO events VALUES ${rows.join(', ')}`)
  }
  await connection.run('INSERT INTO first_seen SELECT app, 1, device, min(occurred) FROM events GROUP BY app, device')
  await connection.run(
    'INSERT INTO first_seen SELECT app, 2, uid, min(occurred) FROM events WHERE uid IS NOT NULL GROUP BY app, uid',
  )
  connection.closeSync()
  instance.closeSync()
}

test('an event store of format 1 is converted: every event, key, first time, position and quarantined event is kept', {
  timeout: 60_000,
}, async () => {
  const folder = join(root, 'whole')
  await writeFormat1(folder)
  const progress: FormatProgress[] = []
  const store = await openDuckStore({ folder, onProgress: (one) => progress.push(one) })
  expect(progress.at(-1)).toEqual({ from: 1, to: 2, rows: ROWS, total: ROWS })
  expect(await store.status()).toMatchObject({ state: 'ok', rows: ROWS, positions: { j1: 4711 } })
  const devices = await store.answer(EVERYTHING, { kind: 'total', measures: ['events', 'devices', 'users'], and: [] })
  expect(devices).toMatchObject({ row: { events: ROWS, devices: 400, users: 70 } })
  const event = await store.event(2, idOf(1))
  expect(event).toMatchObject({ id: idOf(1), app: '2', device: keyOf('a', 1), user: keyOf('f', 1), version: '1.0' })
  expect(await store.event(1, idOf(3 * 400))).toMatchObject({ device: keyOf('a', 0), user: '' })
  const own: StoreQuery = { ...EVERYTHING, filters: [{ field: 'device', op: 'is', values: [keyOf('a', 7)] }] }
  expect(await store.count(own)).toBe(Math.ceil((ROWS - 7) / 400))
  const late = { ...EVERYTHING, basis: 'occurred' as const, span: { from: AT + 350_000, to: AT * 2 } }
  expect(await store.answer(late, { kind: 'total', measures: ['newDevices'], and: [] })).toMatchObject({
    row: { newDevices: 50 },
  })
  expect((await store.quarantined({ scope: { apps: 'all' }, limit: 5 })).rows).toHaveLength(1)
  await store.close()
  expect(readdirSync(folder).filter((name) => name.endsWith('.duckdb'))).toEqual(['events.duckdb'])
})

test('a conversion that was stopped between two transactions continues where it was', { timeout: 60_000 }, async () => {
  const folder = join(root, 'stopped')
  await writeFormat1(folder)
  const options = { memoryMb: 100, threads: 1, chunkRows: 700 }
  const seen: number[] = []
  for (let stops = 0; stops < 3; stops++) {
    let chunks = 0
    await expect(
      convertFormat(folder, 1, {
        ...options,
        onProgress({ rows }) {
          seen.push(rows)
          if (++chunks === 3) throw new Error('stopped')
        },
      }),
    ).rejects.toThrow('stopped')
  }
  // Each start goes on behind what the one before had converted.
  expect(seen).toEqual([0, 700, 1400, 1400, 2100, 2800, 2800, 3500, 4200])
  const store = await openDuckStore({ folder })
  expect((await store.status()).rows).toBe(ROWS)
  expect(await store.event(1, idOf(4998))).toMatchObject({ device: keyOf('a', 4998 % 400) })
  await store.close()
})

test('a conversion without room for both files is refused with the missing space, and the old file stays as it was', {
  timeout: 60_000,
}, async () => {
  const folder = join(root, 'no-room')
  await writeFormat1(folder)
  const options = { memoryMb: 100, threads: 1, onProgress() {}, freeBytes: async () => 1000 }
  await expect(convertFormat(folder, 1, options)).rejects.toMatchObject({ code: 'ENOSPC' })
  expect(readdirSync(folder)).toEqual(['events.duckdb'])
})
