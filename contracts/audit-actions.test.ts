import { expect, test } from 'vitest'
import { AUDIT_ACTIONS } from './audit-actions.ts'
import { ENDPOINTS } from './http/index.ts'

test('every endpoint that leaves an audit entry has words for it in both languages, and no two share them', () => {
  const audited = [...ENDPOINTS]
    .filter(([, one]) => (one.method === 'POST' && one.audit !== false) || one.changes)
    .map(([name]) => name)
  expect(audited.filter((name) => !(name in AUDIT_ACTIONS))).toEqual([])
  const words = Object.values(AUDIT_ACTIONS)
  for (const language of ['zh', 'en'] as const)
    expect(new Set(words.map((one) => one[language])).size).toBe(words.length)
})
