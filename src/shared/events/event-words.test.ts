import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RISK_TYPES } from '#domain/vocabulary.ts'
import { delayText, eventParam, eventTitle, isBlocked, readEventParam } from './event-words.ts'

test('[RT-01] the address parameter of an event comes back whole, and nothing else is taken for one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999_999 }), fc.uuid(), (app, id) => {
      expect(readEventParam(eventParam({ app: String(app), id }))).toEqual({ appid: String(app), id })
    }),
  )
  for (const text of [null, '', 'x', '1', '1:', ':1', '1:a b', '1:<script>', `1:${'a'.repeat(65)}`, '1234567890:a'])
    expect(readEventParam(text), String(text)).toBeNull()
})

test('an attack is named by its risk, another event by its type', () => {
  expect(eventTitle({ type: 'risk', risk: 'hook' }, 'zh')).toBe(RISK_TYPES.hook.zh)
  expect(eventTitle({ type: 'crash', risk: '' }, 'en')).toBe('Crash')
  expect([
    isBlocked({ action: 'block' }),
    isBlocked({ action: 'exit' }),
    isBlocked({ action: 'warn' }),
    isBlocked({ action: '?' }),
  ]).toEqual([true, true, false, false])
})

test('delays read in the unit that fits', () => {
  expect([400, 45_000, 180_000, 7_200_000, 5 * 86_400_000, -2000].map(delayText)).toEqual([
    '+0.4 s',
    '+45 s',
    '+3 min',
    '+2 h',
    '+5 d',
    '−2.0 s',
  ])
})
