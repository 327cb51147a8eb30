import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { DuckFile } from './duck-file.ts'
import { readHex } from './hex-words.ts'
import { IdFilter } from './id-filter.ts'

/** A file whose one table holds these ids, as DuckDB hands UUIDs over. */
function holding(ids: readonly string[]): DuckFile {
  return {
    async eachBlock(_sql, _widths, take) {
      for (let from = 0; from < ids.length; from += 2048) {
        const block = ids.slice(from, from + 2048)
        const words = new Uint32Array(block.length * 4)
        const hex = new Uint32Array(4)
        for (const [row, id] of block.entries()) {
          readHex(id, hex)
          words.set([hex[3], hex[2], hex[1], (hex[0] as number) ^ 0x80000000] as number[], row * 4)
        }
        take([words], block.length)
        await sleep(1)
      }
    },
  } as Partial<DuckFile> as DuckFile
}

test('the id filter never reports a stored id as new, even when it is written during the build, and recognises most new ids', async () => {
  const stored = Array.from({ length: 20_000 }, () => randomUUID())
  const filter = new IdFilter(holding(stored), stored.length)
  const unknown = Array.from({ length: 20_000 }, () => randomUUID())
  expect(filter.mayHold(unknown[0] as string)).toBe(true)
  const meanwhile = Array.from({ length: 1000 }, () => randomUUID())
  for (const id of meanwhile) filter.add(id)
  while (filter.mayHold(unknown[0] as string)) await sleep(5)
  const later = Array.from({ length: 1000 }, () => randomUUID())
  for (const id of later) filter.add(id)
  expect([...stored, ...meanwhile, ...later].filter((id) => !filter.mayHold(id))).toEqual([])
  expect(unknown.filter((id) => filter.mayHold(id)).length).toBeLessThan(20)
  expect(filter.mayHold('not an id')).toBe(true)
})
