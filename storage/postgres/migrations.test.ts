import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MIGRATIONS } from './database.ts'

const files = readdirSync(join(import.meta.dirname, 'migrations')).sort()

test('every file of migrations/ is registered in database.ts under its own name, in the order of the numbers', () => {
  expect(Object.keys(MIGRATIONS)).toEqual(files.map((file) => file.replace('.ts', '')))
  const source = readFileSync(join(import.meta.dirname, 'database.ts'), 'utf8')
  for (const file of files) {
    const [, alias, back] =
      source.match(new RegExp(`import \\{ up as (\\w+)(?:, down as (\\w+))? \\} from './migrations/${file}'`)) ?? []
    const registered = back ? `{ up: ${alias}, down: ${back} }` : `{ up: ${alias} }`
    expect(source, file).toContain(`'${file.replace('.ts', '')}': ${registered}`)
  }
})

test('no two migrations have the same number', () => {
  const numbers = files.map((file) => file.slice(0, 4))
  expect(numbers.filter((number) => !/^\d{4}$/.test(number))).toEqual([])
  expect(new Set(numbers).size).toBe(numbers.length)
})
