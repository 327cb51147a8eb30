import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openJournal } from './open-journal.ts'
import type { JournalGap } from './port.ts'
import { openCursor } from './segment-cursor.ts'

test('an entry that was half written when the reader looked at the file is read whole later, not stepped over', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'appwarden-cursor-'))
  const journal = await openJournal(folder, { maxBacklogBytes: 1e9 })
  const spans = []
  for (const at of [1, 2, 3]) spans.push(await journal.append({ kind: 'batch', at, events: [] }))
  await journal.close()
  const [first, second, third] = spans as [(typeof spans)[0], (typeof spans)[0], (typeof spans)[0]]
  const file = join(folder, readdirSync(folder).find((name) => name.endsWith('.journal')) as string)
  const whole = readFileSync(file)
  const gaps: JournalGap[] = []
  const cursor = openCursor(folder, 0, (gap) => gaps.push(gap))
  try {
    writeFileSync(file, whole.subarray(0, second.position + 5))
    expect((await cursor.next(first.end)).map(({ position }) => position)).toEqual([first.position])
    writeFileSync(file, whole)
    const rest = []
    while (cursor.position() < third.end) rest.push(...(await cursor.next(third.end)))
    expect(rest.map(({ position }) => position)).toEqual([second.position, third.position])
    expect(gaps).toEqual([])
  } finally {
    await cursor.close()
    rmSync(folder, { recursive: true })
  }
})
