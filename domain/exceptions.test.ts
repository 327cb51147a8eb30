import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareVersions } from './exceptions.ts'

test('[EXC-01] versions are ordered by value, and what comes before a release is older than it', () => {
  const ordered = [
    '',
    '0.9',
    '5.8.0-alpha',
    '5.8.0-rc.1',
    '5.8.0-rc.2',
    '5.8.0',
    '5.8.0.1',
    '5.8.2',
    '5.8.10',
    '5.10',
    '12.0.0+7',
  ]
  for (let i = 1; i < ordered.length; i++) {
    expect(compareVersions(ordered[i - 1] as string, ordered[i] as string)).toBeLessThan(0)
    expect(compareVersions(ordered[i] as string, ordered[i - 1] as string)).toBeGreaterThan(0)
  }
})

test('the order of versions is one: whatever the texts, sorting is stable and consistent', () => {
  const version = fc.oneof(fc.string(), fc.stringMatching(/^\d{1,3}(\.\d{1,3}){0,3}(-[a-z]{1,4}\.?\d?)?$/))
  fc.assert(
    fc.property(version, version, version, (a, b, c) => {
      expect(Math.sign(compareVersions(a, b))).toBe(-Math.sign(compareVersions(b, a)) + 0)
      if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0) expect(compareVersions(a, c)).toBeLessThanOrEqual(0)
    }),
  )
})
