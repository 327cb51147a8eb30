import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DuckFile, openDuckFile } from '#storage/events/duckdb/duck-file.ts'
import { Random } from '#tests/fuzz/mutate-input.ts'

const folder = mkdtempSync(join(tmpdir(), 'cancelled-reads-'))
let file: DuckFile
beforeAll(async () => {
  file = await openDuckFile({ folder, memoryMb: 288, threads: 2 })
})
afterAll(async () => {
  await file.close()
  rmSync(folder, { recursive: true, force: true })
})

const one = () => file.read((select) => select('SELECT 1'))

test('whenever a query is cancelled, also while its transaction ends, the next one on its connection is answered', {
  timeout: 60_000,
}, async () => {
  const random = new Random(26)
  const ask = (signal?: AbortSignal) =>
    file.read(async (select) => void [await select('SELECT 1'), await select('SELECT count(*) FROM range(20000)')], {
      ...(signal && { signal }),
    })
  await ask()
  const before = performance.now()
  for (let round = 0; round < 10; round++) await ask()
  const usual = (performance.now() - before) / 10
  let [cancelled, answered] = [0, 0]
  for (let round = 0; round < 500; round++) {
    const controller = new AbortController()
    const end = performance.now() + (usual * random.below(2000)) / 1000
    const cancelling = (async () => {
      while (performance.now() < end) await turn()
      controller.abort()
    })()
    await ask(controller.signal).then(
      () => answered++,
      () => cancelled++,
    )
    await cancelling
    expect(await one()).toEqual([[1]])
  }
  // Both happened, so that the moments of the cancellations lay around the end of a query.
  expect(cancelled).toBeGreaterThan(0)
  expect(answered).toBeGreaterThan(0)
})

test('a query that fails beside others of the same task leaves no statement on its connection', async () => {
  let ask: ((sql: string) => Promise<unknown>) | undefined
  const failing = file.read(async (select) => {
    ask = (sql) => select(sql)
    await Promise.all([select('SELECT count(*) FROM range(3000000)'), select('SELECT * FROM nothing')])
  })
  await expect(failing).rejects.toThrow(/nothing/)
  // What the task would ask next finds it over.
  await expect(ask?.('SELECT count(*) FROM nothing')).rejects.toMatchObject({ key: 'server.query_cancelled' })
  expect(await one()).toEqual([[1]])
})
