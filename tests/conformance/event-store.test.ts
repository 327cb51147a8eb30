import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openDuckStore } from '#storage/events/open-duck-store.ts'
import { eventStoreSuite } from './event-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'appwarden-store-'))
let opened = 0
afterAll(() => rmSync(folder, { recursive: true, force: true }))

eventStoreSuite('DuckDB', () => openDuckStore({ folder: join(folder, String(++opened)), now: () => Date.now() }))
