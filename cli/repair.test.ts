import { mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { openDuckStore } from '#storage/events/serve/open-duck-store.ts'
import { repairStore } from './repair.ts'

test('appwarden repair without a running server sets a damaged event store aside and starts an empty one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'appwarden-repair-'))
  const config = readConfig({ APPWARDEN_DATA: folder }, '1.0.0')
  await (await openDuckStore({ folder: config.paths.events })).close()
  writeSync(openSync(join(config.paths.events, 'events.duckdb'), 'r+'), Buffer.alloc(12_288, 0x5a), 0, 12_288, 0)
  await expect(openDuckStore({ folder: config.paths.events })).rejects.toThrow('not a valid DuckDB database')
  const lines = await repairStore(config)
  expect(lines).toContain('Event store: new and empty')
  expect(readdirSync(config.paths.events).some((name) => name.startsWith('events.duckdb.damaged-'))).toBe(true)
  const store = await openDuckStore({ folder: config.paths.events })
  expect((await store.status()).rows).toBe(0)
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})
