import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimSequence, emptyReplayWindow, REPLAY_WINDOW } from '#engines/session/replay-window.ts'
import { MAX_SEQUENCE } from '#engines/session/session.ts'
import type { BundledPostgres } from '#storage/postgres/bundled.ts'
import { startTestPostgres } from '#tests/support/test-postgres.ts'

/** The statement that protocol.md gives for PostgreSQL, as it is there. */
const [, STATEMENT = ''] = /```sql\n([\s\S]*?)```/.exec(readFileSync('sdk/session/protocol.md', 'utf8')) ?? []

let folder: string
let postgres: BundledPostgres
/** Two servers. */
let servers: [pg.Client, pg.Client]
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aw-window-'))
  postgres = await startTestPostgres(join(folder, 'postgres'))
  const open = () => new pg.Client({ ...postgres.address, options: '-c search_path=replay' })
  servers = [open(), open()]
  for (const one of servers) await one.connect()
  // The product has a table of that name.
  await servers[0].query('CREATE SCHEMA replay')
  await servers[0].query(
    `CREATE TABLE sessions (id bytea PRIMARY KEY, highest integer NOT NULL DEFAULT 0,
     bits bit(${REPLAY_WINDOW}) NOT NULL DEFAULT B'0'::bit(${REPLAY_WINDOW}))`,
  )
})
afterAll(async () => {
  for (const one of servers) await one.end()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function newSession(): Promise<Buffer> {
  const id = randomBytes(16)
  await servers[0].query('INSERT INTO sessions (id) VALUES ($1)', [id])
  return id
}
const claim = async (id: Buffer, sequence: number, server = servers[0]) =>
  (await server.query(STATEMENT, [id, sequence])).rowCount === 1

test('the statement accepts exactly the numbers that the replay window of the code accepts', async () => {
  const number = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 5000 }))
  const base = fc.integer({ min: 0, max: MAX_SEQUENCE - 5000 })
  await fc.assert(
    fc.asyncProperty(fc.array(number, { minLength: 1, maxLength: 40 }), base, async (numbers, from) => {
      const id = await newSession()
      let window = emptyReplayWindow()
      for (const one of numbers) {
        const next = claimSequence(window, from + one)
        expect([one, await claim(id, from + one)]).toEqual([one, next !== undefined])
        window = next ?? window
      }
      const { rows } = await servers[0].query('SELECT highest, bits::text FROM sessions WHERE id = $1', [id])
      const bits = Array.from(window.bits, (byte) => byte.toString(2).padStart(8, '0')).join('')
      expect(rows).toEqual([{ highest: window.highest, bits }])
    }),
    { numRuns: 40 },
  )
})

test('of claims of the same number by two servers at the same time one alone is accepted', async () => {
  const id = await newSession()
  const numbers = Array.from({ length: 200 }, (_, at) => at + 1)
  const accepted: number[] = []
  await Promise.all(
    servers.map(async (server) => {
      for (const one of numbers) if (await claim(id, one, server)) accepted.push(one)
    }),
  )
  expect(accepted.sort((a, b) => a - b)).toEqual(numbers)
  expect(await claim(randomBytes(16), 1)).toBe(false)
})
