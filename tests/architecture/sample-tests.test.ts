import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
// @ts-expect-error: plain JavaScript without types
import { longFiles, sampleTests } from '../../scripts/sample-tests.mjs'

type Sample = { taken: string[]; left: string[] }
const sample = sampleTests as (seed: string, seconds?: Record<string, number>, budgets?: object) => Sample
const RECORDED = JSON.parse(readFileSync('tests/long-files.json', 'utf8')) as Record<string, number>

test('[A0] a sample stays within its budgets, names every long file once and is the same for the same seed', () => {
  const files = fc.dictionary(
    fc
      .tuple(fc.stringMatching(/^[a-z]{1,8}$/), fc.constantFrom('.e2e.ts', '.test.ts'))
      .map(([name, end]) => `tests/contract/${name}${end}`),
    fc.integer({ min: 5, max: 300 }),
  )
  fc.assert(
    fc.property(fc.string(), files, (seed, seconds) => {
      const budgets = { process: 400, browser: 300 }
      const { taken, left } = sample(seed, seconds, budgets)
      expect([...taken, ...left].sort()).toEqual(Object.keys(seconds).sort())
      const spent = (browser: boolean) =>
        taken
          .filter((file) => file.endsWith('.e2e.ts') === browser)
          .reduce((sum, file) => sum + (seconds[file] ?? 0), 0)
      expect(spent(false)).toBeLessThanOrEqual(budgets.process)
      expect(spent(true)).toBeLessThanOrEqual(budgets.browser)
      expect(sample(seed, seconds, budgets)).toEqual({ taken, left })
    }),
  )
})

test('[A0] a hundred commits run every long file', () => {
  const taken = new Set(Array.from({ length: 100 }, (_, at) => sample(String(at)).taken).flat())
  expect(Object.keys(RECORDED).filter((file) => !taken.has(file))).toEqual([])
})

test('[A0] every long file of the record exists', () => {
  expect(Object.keys(RECORDED).filter((file) => !existsSync(file))).toEqual([])
})

test('[A0] only contract, process and browser tests of 5 seconds and more are sampled', () => {
  const seconds = {
    'tests/e2e/login.e2e.ts': 61.2,
    'tests/contract/cases.test.ts': 5,
    'engines/harden/vm.process.test.ts': 30.5,
    'tests/contract/odd-ids.test.ts': 4.9,
    'engines/zip/zip.test.ts': 40,
    'tests/architecture/plain-english.test.ts': 20,
  }
  expect(longFiles(seconds)).toEqual({
    'engines/harden/vm.process.test.ts': 31,
    'tests/contract/cases.test.ts': 5,
    'tests/e2e/login.e2e.ts': 62,
  })
})
