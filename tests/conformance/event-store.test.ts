import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openDuckStore } from '#storage/events/open-duck-store.ts'
import type { PartialLimits } from '#storage/events/partials.ts'
import { changingRowsSuite } from './changing-rows.ts'
import { eventStoreSuite } from './event-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'appwarden-store-'))
let opened = 0
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const open = (partials?: PartialLimits) => () =>
  openDuckStore({ folder: join(folder, String(++opened)), now: () => Date.now(), ...(partials && { partials }) })

eventStoreSuite('DuckDB', open())
changingRowsSuite('DuckDB', open())
changingRowsSuite('DuckDB, remembering little', open({ bytes: 30_000, added: 50 }))
