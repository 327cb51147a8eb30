import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Gate, judgeResult } from './judge-result.ts'
import type { Finding, ItemResult, OwnerKind, PackageSummary } from './scan-result.ts'
import { scoreItems } from './score-items.ts'

const NO_GATE: Gate = {
  min_score: null,
  max: { high: null, middle: null, low: null },
  forbidden: [],
  own_only: false,
  need_assessed: false,
  need_signature: false,
}
const PACKAGE = { kind: 'apk', signature: 'verified' } as PackageSummary
const text = (one: string) => ({ zh: one, en: one })

function finding(fingerprint: string, kind: OwnerKind): Finding {
  return {
    fingerprint,
    owner: { kind, sdk: kind === 'sdk' ? 'x' : null },
    evidence: { entry: 'classes.dex', offset: 0 },
    detail: text(fingerprint),
  }
}
function item(id: string, level: ItemResult['level'], findings: Finding[], more: Partial<ItemResult> = {}): ItemResult {
  const kind = (['own', 'unknown', 'sdk'] as const).find((one) => findings.some(({ owner }) => owner.kind === one))
  return {
    id,
    category: 'code',
    level,
    confidence: 'high',
    name: text(id),
    verdict: findings.length > 0 ? 'fail' : 'pass',
    reason: null,
    findings,
    hits: findings.length,
    owner: kind ?? null,
    threat: text(''),
    advice: text(''),
    references: { masvs: [], maswe: [], mastg: [], cwe: [], cve: [], gbt: [] },
    ...more,
  }
}
const only =
  (...suppressed: string[]) =>
  (id: string, fingerprint: string | null) =>
    suppressed.includes(fingerprint === null ? id : `${id} ${fingerprint}`)

describe('suppressed findings', () => {
  const items = [item('a', 'high', [finding('1', 'own'), finding('2', 'sdk')]), item('b', 'low', [finding('3', 'own')])]

  test('do not count, are counted apart, and leave the item to who is left', () => {
    const judged = judgeResult({ items, package: PACKAGE }, only('a 1'), NO_GATE)
    expect(judged.items[0]).toMatchObject({ suppressed: 1, muted: false, owner: 'sdk', verdict: 'fail' })
    expect(judged.score.value).toBe(100 - 5 - 1)
    expect(judged).toMatchObject({ suppressedFindings: 1, ownCounts: { high: 0, low: 1 }, counts: { high: 1, low: 1 } })
  })
  test('mute an item when all of them are, or the item itself is', () => {
    for (const check of [only('a 1', 'a 2'), only('a')]) {
      const judged = judgeResult({ items, package: PACKAGE }, check, NO_GATE)
      expect(judged.items[0]).toMatchObject({ muted: true, suppressed: 2 })
      expect(judged.verdicts).toMatchObject({ fail: 1, suppressed: 1 })
      expect(judged.score.value).toBe(99)
    }
  })
  test('never hide what was not examined: findings beyond those that are kept count', () => {
    const many = [item('a', 'high', [finding('1', 'own')], { hits: 60 })]
    expect(judgeResult({ items: many, package: PACKAGE }, only('a 1'), NO_GATE).counts.high).toBe(1)
  })
})

test('a gate says each condition with the current value, in both languages', () => {
  const items = [
    item('a', 'high', [finding('1', 'sdk')]),
    item('b', 'middle', [finding('2', 'own')]),
    item('c', 'low', [], { verdict: 'not_assessed' }),
  ]
  const gate: Gate = {
    min_score: 95,
    max: { high: 0, middle: 2, low: null },
    forbidden: ['b', 'z'],
    own_only: false,
    need_assessed: true,
    need_signature: false,
  }
  const judged = judgeResult({ items, package: PACKAGE }, () => false, gate)
  expect(judged.gate.conditions.map(({ key, now, required, met }) => [key, now, required, met])).toEqual([
    ['min_score', 92, 95, false],
    ['high', 1, 0, false],
    ['middle', 1, 2, true],
    ['forbidden', 1, 0, false],
    ['forbidden', 0, 0, true],
    ['assessed', 1, 0, false],
  ])
  expect(judged.gate.verdict).toBe('fail')
  expect(judged.gate.reasons.map(({ en }) => en)).toEqual([
    'Score 92 is below 95',
    '1 high items failed, at most 0 may',
    'May not fail: b',
    '1 items could not be assessed',
  ])
  const own = judgeResult({ items, package: PACKAGE }, () => false, { ...NO_GATE, max: gate.max, own_only: true })
  expect(own.gate.verdict).toBe('pass')
})

test('a gate about own code alone counts what may be own: an unknown owner makes no package clean', () => {
  const items = [
    item('a', 'high', [finding('1', 'sdk')]),
    item('b', 'high', [finding('2', 'unknown'), finding('3', 'sdk')]),
  ]
  const gate = { ...NO_GATE, max: { high: 0, middle: null, low: null }, own_only: true }
  const judged = judgeResult({ items, package: PACKAGE }, () => false, gate)
  expect(judged).toMatchObject({ unknownOwners: 1, ownCounts: { high: 1 }, gate: { verdict: 'fail' } })
  const without = judgeResult({ items, package: PACKAGE }, (_, fingerprint) => fingerprint === '2', gate)
  expect(without).toMatchObject({ unknownOwners: 0, gate: { verdict: 'pass' } })
})

test('the score is monotonic, within bounds, and its lines add up to what is missing', () => {
  const line = fc.record({
    id: fc.uuid(),
    level: fc.constantFrom('high' as const, 'middle' as const, 'low' as const, 'info' as const),
    verdict: fc.constantFrom('fail' as const, 'pass' as const, 'not_applicable' as const, 'not_assessed' as const),
    owner: fc.constantFrom('own' as const, 'sdk' as const, 'unknown' as const),
  })
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), line, (lines, another) => {
      const score = scoreItems(lines)
      expect(score.value).toBeGreaterThanOrEqual(0)
      expect(score.value).toBeLessThanOrEqual(100)
      expect(100 - score.deductions.reduce((sum, { points }) => sum + points, 0)).toBe(score.value)
      expect(scoreItems([...lines, another]).value).toBeLessThanOrEqual(score.value)
      expect(scoreItems(lines.toReversed()).value).toBe(score.value)
    }),
  )
})

describe('the condition on the signature', () => {
  const signature = (
    state: PackageSummary['signature'],
    kind: PackageSummary['kind'],
    items: ItemResult[],
    needed = true,
  ) =>
    judgeResult({ items, package: { ...PACKAGE, kind, signature: state } }, only('muted 1'), {
      ...NO_GATE,
      max: { high: 0, middle: null, low: null },
      need_signature: needed,
    }).gate

  test('a broken or missing signature fails the gate although the strategy asks no item about it', () => {
    for (const state of ['broken', 'unsigned', 'partial', 'unknown'] as const)
      expect(signature(state, 'apk', []).verdict, state).toBe('fail')
    expect(signature('verified', 'apk', []).verdict).toBe('pass')
    expect(signature('broken', 'apk', []).reasons[0]?.en).toBe('The signature is missing, broken or not trusted')
  })

  test('libraries need no signature, and a strategy may switch the condition off for builds before signing', () => {
    for (const kind of ['aar', 'jar', 'so'] as const) expect(signature('unsigned', kind, []).verdict).toBe('pass')
    const missing = item('android-signature-missing', 'high', [finding('1', 'own')])
    expect(signature('unsigned', 'aab', [missing]).verdict).toBe('fail')
    expect(signature('unsigned', 'aab', [missing], false).verdict).toBe('pass')
  })

  test('an untrusted signer of a valid signature fails the condition', () => {
    const untrusted = item('android-signature-untrusted', 'high', [finding('1', 'own')])
    const { conditions } = signature('verified', 'apk', [untrusted])
    expect(conditions.find(({ key }) => key === 'signature')).toMatchObject({ met: false, now: 1 })
  })
})
