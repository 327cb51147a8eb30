import { describe, expect, test } from 'vitest'
import type { Role } from '#contracts/http/roles.ts'
import { ALL_ITEMS, AUDITOR_ONLY, BUILT_IN_ROLES, SESSION_ROLES } from '#contracts/permissions.ts'
import { permissionName } from './permission-tree.tsx'
import { copyOf, countChanges, draftOf, permissionRows } from './role-draft.ts'
import { visiblePages } from './visible-pages.ts'

const EVERYTHING = [...SESSION_ROLES, ...ALL_ITEMS]
const roleOf = (key: string): Role => {
  const { zh, en, seesAll, auth } = BUILT_IN_ROLES.find((one) => one.key === key)!
  return {
    key,
    name: { zh, en },
    built_in: true,
    administrator: seesAll,
    auth: [...auth],
    users: 0,
    signed_in: [],
    signed_in_total: 0,
    creator: null,
    created_at: 0,
    updated_at: 0,
    rev: 3,
    manageable: false,
  }
}

describe('[ROLE-01] the draft of a role', () => {
  test('counts name, administrator mark and each permission that differs', () => {
    const stored = draftOf(roleOf('operator'), 'zh')
    expect(stored.rev).toBe(3)
    expect(countChanges(stored, stored)).toBe(0)
    const auth = new Set([...stored.auth].filter((code) => code !== 'maps'))
    auth.add('user.manage')
    expect(countChanges({ ...stored, auth, name: '外包', administrator: true }, stored)).toBe(4)
  })

  test('a copy leaves out what the caller cannot grant and what the auditor alone may hold', () => {
    const copy = copyOf(roleOf('auditor'), 'copy', EVERYTHING, true)
    expect(copy.auth.has('log.view')).toBe(true)
    for (const only of AUDITOR_ONLY) expect(copy.auth.has(only)).toBe(false)
    const held = ['asset.read', 'service.use']
    const limited = copyOf(roleOf('administrator'), 'copy', held, false)
    expect([...limited.auth].sort()).toEqual(held)
    expect(limited.administrator).toBe(false)
  })

  test('rows are found by code and by name of either language, and filtered by what is granted or differs', () => {
    const auth = new Set(['maps', 'asset.read'])
    const compared = new Set(['asset.read', 'asset.upload'])
    const codes = (find: string, show: 'all' | 'granted' | 'different') =>
      permissionRows(auth, compared, EVERYTHING, { find, show, nameOf: permissionName }).flatMap(({ rows }) =>
        rows.map(({ code }) => code),
      )
    expect(codes('', 'all')).toHaveLength(EVERYTHING.length)
    expect(codes('', 'granted').sort()).toEqual(['asset.read', 'maps'])
    expect(codes('', 'different').sort()).toEqual(['asset.upload', 'maps'])
    expect(codes('上传', 'all')).toEqual(['asset.upload'])
    expect(codes('UPLOAD FILES', 'all')).toEqual(['asset.upload'])
    expect(codes('policy.', 'all')).toEqual(['policy.edit', 'policy.deploy'])
  })
})

describe('[ROLE-01] the preview of a role', () => {
  test('lists the pages that the role opens and names what the hidden ones need', () => {
    const groups = new Map(visiblePages(roleOf('safety_detect').auth).map((group) => [group.group, group]))
    expect(groups.get('statistics')).toMatchObject({ pages: [], missing: expect.arrayContaining(['statistics']) })
    expect(groups.get('detection')!.pages.length).toBeGreaterThan(0)
    const platform = groups.get('platform')!
    expect(platform.hidden.map(({ path }) => path)).toContain('/platform/usermanage')
    expect(platform.missing).toContain('usermanage')
  })

  test('a role with every permission opens every built page of the menu', () => {
    for (const { hidden } of visiblePages(EVERYTHING)) expect(hidden).toEqual([])
  })
})
