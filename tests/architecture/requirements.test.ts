import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const FOLDERS = 'contracts domain engines storage server realtime src mocks tests sdk cli'.split(' ')

test('every requirement id and every decision number that the code cites is explained in docs/', () => {
  const ids = new Set(
    [...readFileSync('docs/requirements.md', 'utf8').matchAll(/^\| ([A-Z]+-\d+) \|/gm)].map(([, id]) => id),
  )
  const decisions = new Set(
    [...readFileSync('docs/decisions/product-decisions.md', 'utf8').matchAll(/^\| (\d+) \|/gm)].map(([, no]) => no),
  )
  expect(ids.size).toBeGreaterThan(100)
  expect(decisions.size).toBe(39)
  const unknown: string[] = []
  for (const folder of FOLDERS)
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!/[.]tsx?$/.test(name)) continue
      const text = readFileSync(`${folder}/${name}`, 'utf8')
      for (const [, id] of text.matchAll(/(?:test|it|describe)(?:[.]each[^'"`]*)?\(\s*['"`]\[([A-Z]+-\d+)\]/g))
        if (!ids.has(id as string)) unknown.push(`${folder}/${name}: ${id}`)
      for (const [, no] of text.matchAll(/\bdecisions? (\d+)/g))
        if (!decisions.has(no as string)) unknown.push(`${folder}/${name}: decision ${no}`)
    }
  expect(unknown).toEqual([])
})
