import { describe, expect, test } from 'vitest'
import { reportState } from './report-state.ts'

const NOW = Date.UTC(2026, 5, 1, 4)
const MINUTE = 60_000

describe('what the bar below the header says about reports', () => {
  test('a store that lags is named with its lag instead of an old last report', () => {
    const state = reportState({ at: NOW - 5 * MINUTE, lagSeconds: 308 }, false, NOW)
    expect(state).toEqual({ kind: 'late', lagMs: 308_000, storedUntil: NOW - 308_000 })
  })

  test('an empty store that lags says that it is late, not that no phone reports', () => {
    expect(reportState({ at: undefined, lagSeconds: 60 }, false, NOW)?.kind).toBe('late')
    expect(reportState({ at: undefined, lagSeconds: 0 }, false, NOW)?.kind).toBe('none')
  })

  test('a report of the last five minutes is fresh, an older one is not', () => {
    expect(reportState({ at: NOW - MINUTE, lagSeconds: 1 }, false, NOW)).toEqual({ kind: 'fresh', at: NOW - MINUTE })
    expect(reportState({ at: NOW - 6 * MINUTE, lagSeconds: 1 }, false, NOW)?.kind).toBe('old')
  })

  test('nothing is said before the first answer; a store that does not answer is named', () => {
    expect(reportState(null, false, NOW)).toBeNull()
    expect(reportState(null, true, NOW)).toEqual({ kind: 'away' })
  })

  test('an answer that is kept while the next one fails still counts', () => {
    expect(reportState({ at: NOW - MINUTE, lagSeconds: 0 }, true, NOW)?.kind).toBe('fresh')
  })
})
