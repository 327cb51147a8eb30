import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { method } from '#tests/support/code-body.ts'
import { apkBytes, makePackage } from '#tests/support/detect-package.ts'
import { mutate } from '#tests/support/zip-writer.ts'
import { FormatError } from '../bytes/format-error.ts'
import { readPackage } from '../package/read-package.ts'
import { SCAN_CHOICES, ScanCancelled } from './input/scan-choices.ts'
import type { FindingLevel, ItemResult, OwnerKind, Verdict } from './result/scan-result.ts'
import { scoreItems } from './result/score-items.ts'
import { scan } from './scan.ts'

const main = (id: string, lines: number) => ({
  id,
  classes: [
    {
      name: 'Lorg/maker/app/Main;',
      methods: [
        method('run()V', (body) => {
          for (let i = 0; i < lines; i++) body.static('Ljava/lang/System;->gc()V')
          body.static('Ljavax/crypto/Cipher;->getInstance(Ljava/lang/String;)Ljavax/crypto/Cipher;', 'DES')
        }),
      ],
    },
  ],
})

describe('a scan', () => {
  test('fingerprints stay where offsets move', () => {
    const of = (lines: number) =>
      scan(makePackage(main('org.maker.app', lines)), { ...SCAN_CHOICES, items: ['android-crypto-weak-cipher'] })
        .items[0]!.findings[0]!
    expect(of(0).fingerprint).toBe(of(9).fingerprint)
    expect(of(0).evidence.offset).not.toBe(of(9).evidence.offset)
  })

  test('of the same package says the same, byte for byte', () => {
    const bytes = apkBytes({ ...main('org.maker.app', 3), application: { debuggable: true } })
    const [one, other] = [bytes, bytes.slice()].map((copy) =>
      JSON.stringify(scan(readPackage(copy, 'a.apk'), SCAN_CHOICES)),
    )
    expect(one).toContain('android-debuggable')
    expect(one).toBe(other)
  })

  test('reports its stages in order and stops when cancelled', () => {
    const stages: string[] = []
    const source = makePackage(main('org.maker.app', 0))
    scan(source, SCAN_CHOICES, { onStage: (stage) => stages.at(-1) !== stage && stages.push(stage) })
    expect(stages).toEqual(['manifest', 'code', 'native', 'rules', 'privacy', 'content', 'result'])
    let steps = 0
    expect(() => scan(source, SCAN_CHOICES, { cancelled: () => ++steps > 4 })).toThrow(ScanCancelled)
  })

  test('a broken package gives a named error or a result', () => {
    const sound = apkBytes(main('org.maker.app', 3))
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 }), fc.nat(20), (changes, cut) => {
        const bytes = mutate(sound, changes, cut)
        try {
          expect(scan(readPackage(bytes, 'a.apk'), { ...SCAN_CHOICES, kinds: ['static'] }).schema).toBe(
            'appwarden-scan/1',
          )
        } catch (error) {
          expect(error).toBeInstanceOf(FormatError)
        }
      }),
      { numRuns: 60 },
    )
  })
})

test('DET-03 the score is the published formula: points by level, half for SDKs, caps', () => {
  const failed = (level: FindingLevel, count: number, owner: OwnerKind = 'own') =>
    Array.from({ length: count }, (_, i) => ({ id: `${level}-${owner}-${i}`, level, verdict: 'fail' as const, owner }))
  const score = (...items: ReturnType<typeof failed>) => scoreItems(items).value
  expect(score()).toBe(100)
  expect(score(...failed('high', 2), ...failed('middle', 3), ...failed('low', 4))).toBe(100 - 20 - 9 - 4)
  expect(score(...failed('high', 1, 'sdk'), ...failed('middle', 1, 'sdk'), ...failed('low', 1, 'sdk'))).toBe(93)
  expect(score(...failed('high', 1, 'unknown'))).toBe(90)
  expect(score(...failed('high', 9))).toBe(40)
  expect(score(...failed('middle', 30))).toBe(70)
  expect(score(...failed('low', 30))).toBe(90)
  expect(score(...failed('high', 9), ...failed('middle', 30), ...failed('low', 30))).toBe(0)
  expect(score(...failed('info', 30))).toBe(100)
  const { deductions } = scoreItems(failed('high', 7))
  expect(deductions.at(-1)).toEqual({ item: 'cap-high', points: -10 })
})

test('DET-03 one more failed item never raises the score, and the lines add up to it', () => {
  const item = fc.record({
    id: fc.uuid(),
    level: fc.constantFrom<FindingLevel>('high', 'middle', 'low', 'info'),
    verdict: fc.constantFrom<Verdict>('fail', 'pass', 'not_assessed', 'not_applicable'),
    owner: fc.constantFrom<ItemResult['owner']>('own', 'sdk', 'unknown', null),
  })
  fc.assert(
    fc.property(fc.array(item, { maxLength: 60 }), item, (items, more) => {
      const before = scoreItems(items)
      const after = scoreItems([...items, { ...more, verdict: 'fail' as const }])
      expect(after.value).toBeLessThanOrEqual(before.value)
      expect(before.value).toBeGreaterThanOrEqual(0)
      expect(100 - before.deductions.reduce((sum, { points }) => sum + points, 0)).toBeCloseTo(before.value)
    }),
  )
})
