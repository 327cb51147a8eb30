import { expect, test } from 'vitest'
import { PERMISSION_GROUPS, SESSION_ROLE_NAMES } from './permission-tree.ts'
import { ALL_ITEMS, SESSION_ROLES } from './permissions.ts'

test('[PERM-03] the permission tree has every session role and item exactly once', () => {
  const listed = PERMISSION_GROUPS.flatMap(({ items }) => items)
  expect([...listed].sort()).toEqual([...SESSION_ROLES, ...ALL_ITEMS].sort())
  expect(new Set(PERMISSION_GROUPS.map(({ key }) => key)).size).toBe(PERMISSION_GROUPS.length)
})

test('[PERM-02] every session role has a name in both languages', () => {
  for (const role of SESSION_ROLES) {
    const { zh, en } = SESSION_ROLE_NAMES[role]
    expect(zh).not.toBe(en)
    expect(zh.length * en.length).toBeGreaterThan(0)
  }
})
