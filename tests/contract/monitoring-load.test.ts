import { expect, test } from 'vitest'
import { HOSTILE_PROBLEMS, runMarkets } from '#tests/monitoring-load/run-markets.ts'

/** A sample of what `npm run test:monitoring` does with 600 markets. */
const MARKETS = 24
const HOSTILE = [
  'hangs',
  'lies-about-size',
  'redirects-inside',
  'bomb-page',
  'zip-bomb',
  'always-busy',
  'refuses-robots',
]

test('[MON-01] twenty-four markets, hostile ones among them, are asked at their own pace by a process that is killed in between and goes on where it was', {
  timeout: 150_000,
}, async () => {
  const lines: string[] = []
  const run = await runMarkets(MARKETS, HOSTILE, (line) => lines.push(line))
  expect(run.state, lines.join('\n')).toBe('monitored')
  expect(run.wrong).toEqual([])
  expect(run.tooFast).toEqual([])
  expect(run.answeredBefore).toBeGreaterThanOrEqual(MARKETS / 2)
  expect(run.askedAgain).toEqual([])
  for (const problem of Object.keys(run.problems)) expect(Object.values(HOSTILE_PROBLEMS)).toContain(problem)
  expect(run.asked + Object.values(run.problems).reduce((sum, one) => sum + one, 0)).toBe(MARKETS)
  expect(run.peak.own).toBeGreaterThan(0)
  expect(run.peak.own).toBeLessThanOrEqual(400)
})
