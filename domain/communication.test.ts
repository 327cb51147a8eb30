import { expect, test } from 'vitest'
import { keyExtension } from './communication.ts'

const DAY = 86_400_000

test('an extension of a replaced key moves its end later, never earlier, and not beyond 180 days or its expiry', () => {
  const of = (closes: number, expires: number) =>
    keyExtension({ closes_at: closes * DAY, expires_at: expires * DAY }, 0)
  expect(of(10, 365)).toEqual({ days: 40, more: 30 })
  expect(of(100, 365)).toEqual({ days: 130, more: 30 })
  expect(of(170, 365)).toEqual({ days: 180, more: 10 })
  expect(of(180, 365)).toEqual({ days: 180, more: 0 })
  expect(of(10, 15)).toEqual({ days: 15, more: 5 })
  expect(of(15, 15)).toEqual({ days: 15, more: 0 })
})
