import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PIRATED } from '#engines/similarity/judge-copy.ts'
import { THRESHOLDS } from '#engines/similarity/thresholds.ts'
import { reportPackages } from '../detection-report/report-packages.ts'
import { measurePairs, verdictOf } from './measure-pairs.ts'
import { originalsAmong } from './originals.ts'
import { chooseThresholds, meanF1, resultsOf } from './write-report.ts'

test('[MON-02] copies of the real packages among the dev dependencies are judged as what they are', {
  timeout: 120_000,
}, () => {
  const originals = originalsAmong(reportPackages({ corpus: undefined, mirrors: undefined }), 3, false)
  expect(originals.length).toBeGreaterThanOrEqual(2)
  const { pairs } = measurePairs(originals, 2, () => {})
  expect(pairs.length).toBeGreaterThanOrEqual(12)
  const wrong = pairs.filter((pair) => verdictOf(pair) !== pair.truth)
  expect(wrong.map((pair) => `${pair.reference.package}: ${pair.kind} is judged ${verdictOf(pair)}`)).toEqual([])
  expect(pairs.some(({ kind }) => kind === 'other name')).toBe(true)
  expect(pairs.filter((pair) => !PIRATED.has(pair.truth) && PIRATED.has(verdictOf(pair)))).toEqual([])
  const results = resultsOf(pairs, THRESHOLDS).filter(
    (one) => one.pairs > 0 && !['clone', 'unrelated'].includes(one.verdict),
  )
  for (const one of results) expect([one.precision, one.recall], one.verdict).toEqual([1, 1])
  expect(meanF1(pairs, chooseThresholds(pairs))).toBeGreaterThanOrEqual(meanF1(pairs, THRESHOLDS))
})

test('[MON-02] the thresholds of the product are those that the proof has chosen', () => {
  const proof = readFileSync(join('docs', 'monitoring-proof.md'), 'utf8')
  for (const [key, value] of Object.entries(THRESHOLDS)) expect(proof).toContain(`| ${key} | ${value} |`)
})
