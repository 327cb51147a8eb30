import { describe, expect, test } from 'vitest'
import {
  applyProblem,
  GRACE_DAYS,
  isClockBack,
  judgeLicence,
  missingModule,
  readRequest,
  TRIAL_DAYS,
  writeRequest,
} from './licence.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 10, 24)
const machine = { product: 'AW-0123-4567-89AB-CDEF', macs: ['3c:ec:ef:5a:81:d4', '3c:ec:ef:5a:81:d5'] }
const terms = {
  id: 'L1',
  ...machine,
  macs: ['3c:ec:ef:5a:81:d5'],
  issued_at: NOW - DAY,
  not_before: NOW - DAY,
  not_after: NOW + 30 * DAY,
}
const at = (time: number, more: Partial<Parameters<typeof judgeLicence>[0]> = {}) =>
  judgeLicence({ terms, installedAt: NOW, time, machine, misfitSince: null, ...more })

describe('trial', () => {
  const trial = (time: number) => at(time, { terms: null })

  test('[LIC-01] without a licence an installation is a trial of 90 days, then 15 days of grace, then ended', () => {
    expect(TRIAL_DAYS).toBe(90)
    expect(trial(NOW)).toMatchObject({ kind: 'trial', daysLeft: 90, problem: null })
    expect(trial(NOW + 90 * DAY)).toMatchObject({ kind: 'trial', daysLeft: 0 })
    expect(trial(NOW + 90 * DAY + 1)).toMatchObject({ kind: 'grace', problem: 'trial_over', daysLeft: 0 })
    expect(trial(NOW + (90 + GRACE_DAYS) * DAY)).toMatchObject({ kind: 'grace' })
    expect(trial(NOW + (90 + GRACE_DAYS) * DAY + 1)).toMatchObject({ kind: 'ended', problem: 'trial_over' })
  })
})

describe('licence', () => {
  test('[USER-04] days left are begun days', () => {
    expect(at(NOW)).toMatchObject({ kind: 'licensed', daysLeft: 30 })
    expect(at(NOW + 1)).toMatchObject({ daysLeft: 30 })
    expect(at(NOW + DAY)).toMatchObject({ daysLeft: 29 })
    expect(at(terms.not_after)).toMatchObject({ kind: 'licensed', daysLeft: 0 })
  })

  test('[LIC-01] one that has expired goes on for its grace, then ends', () => {
    expect(at(terms.not_after + 1)).toMatchObject({ kind: 'grace', problem: 'expired' })
    expect(at(terms.not_after + GRACE_DAYS * DAY + 1)).toMatchObject({ kind: 'ended', problem: 'expired' })
  })

  test('one whose machine has changed has its grace from when that was noticed', () => {
    const other = { ...machine, macs: ['00:11:22:33:44:55'] }
    expect(at(NOW, { machine: other })).toMatchObject({ kind: 'grace', problem: 'other_machine' })
    expect(at(NOW + GRACE_DAYS * DAY, { machine: other, misfitSince: NOW })).toMatchObject({ kind: 'grace' })
    expect(at(NOW + GRACE_DAYS * DAY + 1, { machine: other, misfitSince: NOW })).toMatchObject({ kind: 'ended' })
    const restored = { ...machine, product: 'AW-FFFF-FFFF-FFFF-FFFF' }
    expect(at(NOW, { machine: restored })).toMatchObject({ problem: 'other_product' })
  })

  test('[LIC-01] why a code is refused: another machine or product, expired, not yet, older, the same again', () => {
    const problem = (
      given: Partial<typeof terms>,
      now = NOW,
      current: { id: string; issued_at: number } | null = null,
    ) => applyProblem({ ...terms, ...given }, { machine, now, current })
    expect(problem({})).toBeNull()
    expect(problem({ product: 'AW-FFFF-FFFF-FFFF-FFFF' })).toBe('other_product')
    expect(problem({ macs: ['00:11:22:33:44:55'] })).toBe('other_machine')
    expect(problem({}, terms.not_after + 1)).toBe('expired')
    expect(problem({}, terms.not_before - 1)).toBe('not_yet')
    expect(problem({}, NOW, { id: 'L1', issued_at: terms.issued_at })).toBe('applied')
    expect(problem({}, NOW, { id: 'L0', issued_at: NOW })).toBe('older')
    expect(problem({}, NOW, { id: 'L0', issued_at: NOW - 2 * DAY })).toBeNull()
  })

  test('a module is missing where every item that the caller has needs it', () => {
    expect(missingModule(['asset.detect'], null)).toBeNull()
    expect(missingModule(['asset.detect'], ['detection'])).toBeNull()
    expect(missingModule(['asset.detect', 'asset.detect_sdk'], [])).toBe('detection')
    expect(missingModule(['asset.detect', 'detect.view'], [])).toBeNull()
    expect(missingModule(['user.manage'], [])).toBeNull()
    expect(missingModule([], [])).toBeNull()
  })

  test('the clock may be a day behind what was seen, no more', () => {
    expect(isClockBack(NOW, NOW + DAY)).toBe(false)
    expect(isClockBack(NOW, NOW + DAY + 1)).toBe(true)
    expect(isClockBack(NOW, 0)).toBe(false)
  })
})

test('a request holds product code and addresses, and what is no request is not read', () => {
  const text = writeRequest(machine)
  expect(text).toBe('AWR1/AW-0123-4567-89AB-CDEF/3CECEF5A81D4,3CECEF5A81D5')
  expect(readRequest(` ${text.toLowerCase()}\n`)).toEqual(machine)
  for (const bad of [
    '',
    'AWR2/AW-0123-4567-89AB-CDEF/3CECEF5A81D4',
    'AWR1/AW-0123/3CECEF5A81D4',
    `${text},`,
    'AWR1/AW-0123-4567-89AB-CDEF/',
  ])
    expect(readRequest(bad), bad).toBeUndefined()
})
