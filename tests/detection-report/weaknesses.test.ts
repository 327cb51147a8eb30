import { expect, test } from 'vitest'
import { ANDROID_ITEMS } from '#engines/detect/catalogue/rule-items.ts'
import type { ScanResult } from '#engines/detect/result/scan-result.ts'
import { isFound, readWeaknesses } from './weaknesses.ts'

test('DET-03 every documented weakness that counts names items of the catalogue', () => {
  const known = new Set(ANDROID_ITEMS.map(({ id }) => id))
  for (const { weakness, items, outside } of readWeaknesses()) {
    expect(items.filter((id) => !known.has(id.replace('pass:', '')))).toEqual([])
    expect(items.length > 0 || outside !== '', weakness).toBe(true)
  }
})

test('DET-03 a weakness is found by a failed item at its location, or by a protection that passes', () => {
  const finding = { evidence: { entry: 'classes.dex', offset: 0, class: 'a.Login', method: 'run()V' } }
  const items = [
    { id: 'android-log-sensitive', verdict: 'fail', findings: [finding] },
    { id: 'android-no-root-detect', verdict: 'pass', findings: [] },
  ] as unknown as ScanResult['items']
  const [one] = readWeaknesses()
  const found = (wanted: string, location: string) => isFound({ ...one!, items: [wanted], location }, { items })
  expect(found('android-log-sensitive', 'Login')).toBe(true)
  expect(found('android-log-sensitive', 'Other')).toBe(false)
  expect(found('pass:android-no-root-detect', '')).toBe(true)
  expect(found('pass:android-log-sensitive', '')).toBe(false)
})
