import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { type DuckFile, openDuckFile } from './duck-file.ts'
import { KeyTable } from './key-table.ts'

const root = mkdtempSync(join(tmpdir(), 'appwarden-keys-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const open = (name: string): Promise<DuckFile> => openDuckFile({ folder: join(root, name), memoryMb: 64, threads: 1 })
const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 32, maxLength: 32 })

test('device and user keys keep their numbers across growth and restart, and a failed transaction adds none', {
  timeout: 30_000,
}, async () => {
  const file = await open('a')
  const table = await KeyTable.open(file)
  const keys = fc.sample(hex, { numRuns: 20_000, seed: 3 })
  const numbers = new Map(keys.map((key) => [key, table.intern(key)]))
  await file.write((connection) => table.save(connection))
  const mark = table.mark()
  const failed = file.write(
    async (connection) => {
      table.intern('f'.repeat(32))
      await table.save(connection)
      throw new Error('disk full')
    },
    () => table.restore(mark),
  )
  await expect(failed).rejects.toThrow('disk full')
  expect(table.find('f'.repeat(32))).toBeUndefined()
  await file.close()

  const again = await open('a')
  const loaded = await KeyTable.open(again)
  expect(keys.filter((key) => loaded.find(key) !== numbers.get(key))).toEqual([])
  expect(keys.filter((key) => loaded.textOf(numbers.get(key) as number) !== key)).toEqual([])
  expect(loaded.intern('e'.repeat(32))).toBe(numbers.size + 1)
  await again.close()
})

test('KeyTable assigns no number to a text that is not 32 hex digits', { timeout: 30_000 }, async () => {
  const file = await open('b')
  const table = await KeyTable.open(file)
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      if (/^[0-9a-f]{32}$/.test(text.replaceAll('-', ''))) return
      expect(table.find(text)).toBeUndefined()
      expect(() => table.intern(text)).toThrow(RangeError)
    }),
    { numRuns: 30 },
  )
  await file.close()
})
