import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ProductError } from '#contracts/errors.ts'
import { followsRule } from '#domain/password-rule.ts'
import { generatePassword } from './first-administrator.ts'
import { lockedUntil } from './lock-out.ts'
import { checkForm, isCommon } from './password-policy.ts'

const refusal = (old_password: string, new_password1: string, new_password2 = new_password1) => {
  try {
    checkForm({ old_password, new_password1, new_password2 })
    return undefined
  } catch (error) {
    return (error as ProductError).key
  }
}

describe('[PASS-01] passwords', () => {
  test('8 to 64 characters, three of four kinds, no spaces', () => {
    // Letters of every script count, and a character is one however many units it takes.
    for (const good of [
      'Abcdef12',
      'abcdef1!',
      'ABCDEF1!',
      'Abcdefg!',
      `Aa1${'x'.repeat(61)}`,
      'ÄäÖöÜü12',
      `Aa1${'😀'.repeat(61)}`,
    ])
      expect(followsRule(good)).toBe(true)
    for (const bad of [
      'Abcde12',
      'abcdefgh',
      'Abcdefgh',
      'abcdefg1',
      'Abc def12',
      'Abc\u3000def12',
      `Aa1${'x'.repeat(62)}`,
      '',
    ])
      expect(followsRule(bad)).toBe(false)
  })
  test('the form is refused in the order of its fields', () => {
    expect(refusal('', 'x')).toBe('password.old_empty')
    expect(refusal('x', '')).toBe('password.new_empty')
    expect(refusal('x', 'x', '')).toBe('password.confirm_empty')
    expect(refusal('Abcdef12%', 'short')).toBe('password.characters')
    expect(refusal('Abcdef12', 'Abcdef12*', 'x')).toBe('password.characters')
    expect(refusal('Abcdef12', 'short')).toBe('password.rule')
    expect(refusal('Abcdef12', 'Abcdef12')).toBe('password.same')
    expect(refusal('Abcdef12', 'Abcdef13', 'Abcdef14')).toBe('password.confirm')
    expect(refusal('Abcdef12', 'Abcdef13')).toBeUndefined()
  })
  test('common words and the account name are refused whatever digits, signs or look-alike letters surround them', () => {
    for (const common of [
      'Password123',
      'P@ssw0rd!',
      'Qwerty2026!',
      'Admin@1234',
      '!!Welcome1',
      'Marigold99!',
      '1234567!8',
    ])
      expect(isCommon(common, 'marigold@example.com')).toBe(true)
    for (const fine of ['Granite-Harbour-27', 'tK9#mq2Lw', 'ÄäÖöÜü12'])
      expect(isCommon(fine, 'marigold@example.com')).toBe(false)
  })
  test('a long passphrase and one of another script are not common', () => {
    for (const fine of [
      `Aa1${'😀'.repeat(61)}`,
      '春眠不觉晓处处闻啼鸟夜来风雨声花落知多少Aa1',
      '我家的猫爱吃鱼A1',
      'Aa1-------------------------',
    ])
      expect(isCommon(fine, 'marigold@example.com')).toBe(false)
  })
  test('generated ones follow the rule', () => {
    for (let n = 0; n < 50; n++) expect(followsRule(generatePassword())).toBe(true)
  })
})

describe('lock-out', () => {
  const minute = 60_000
  test('four failures lock nothing, the fifth within 15 minutes does, then the lock doubles', () => {
    const at = (...minutes: number[]) => minutes.map((one) => one * minute)
    expect(lockedUntil(at(0, 1, 2, 3))).toBe(0)
    expect(lockedUntil(at(0, 1, 2, 3, 4))).toBe(19 * minute)
    expect(lockedUntil(at(0, 5, 10, 15.1, 20.1))).toBe(0)
    expect(lockedUntil(at(0, 1, 2, 3, 4, 20, 21, 22, 23, 24))).toBe(54 * minute)
  })
  test('a lock never ends before it began, and more failures never shorten it', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 10_000_000 }), { maxLength: 60 }), (times) => {
        const sorted = times.toSorted((a, b) => a - b)
        expect(lockedUntil(sorted)).toBeGreaterThanOrEqual(lockedUntil(sorted.slice(0, -1)))
      }),
    )
  })
})
