import { expect, test } from 'vitest'
import { GROUPS, PAGE_NAMES, PAGES } from './pages.ts'
import { PERMISSION_ITEMS, SESSION_ROLES } from './permissions.ts'

/** The required routes: path, roles, hidden. */
const REQUIRED: [path: string, roles: string[], hidden?: true][] = [
  ['/maps', ['maps']],
  ['/statistics/user_analyzer', ['statistics']],
  ['/statistics/app_analyzer', ['statistics']],
  ['/statistics/user_check/:id/', ['statistics'], true],
  ['/statistics/user_num', ['statistics'], true],
  ['/statistics/user_more', ['statistics'], true],
  ['/statistics/user_moredata', ['statistics'], true],
  ['/statistics/analyzer_system', ['statistics'], true],
  ['/statistics/analyzer_attack', ['statistics'], true],
  ['/statistics/app_abnormal', ['statistics'], true],
  ['/statistics/app_start', ['statistics'], true],
  ['/construction/index', ['construction', 'protect']],
  ['/mssa/attack_spoor', ['mssa']],
  ['/mssa/abnormal', ['mssa']],
  ['/mssa/dub-card/:id/', ['mssa'], true],
  ['/mssa/abn-card/:id/', ['mssa'], true],
  ['/platform/systemupdate', ['systemupdate']],
  ['/platform/usermanage', ['usermanage']],
  ['/platform/reportManage', ['reportManage']],
  ['/platform/authorization', ['authorize']],
  ['/platform/maintain', ['maintenance']],
]

test('[GUARD-09] every required route is in the page table with its role, hidden ones are hidden', () => {
  for (const [path, roles, hidden] of REQUIRED) {
    const page = Object.values(PAGES).find((one) => one.path === path)
    expect(page?.roles, path).toEqual(roles)
    expect(page?.hidden, path).toBe(hidden)
  }
})

test('each page has one path, both titles, a known group, role and permission items', () => {
  expect(new Set(PAGE_NAMES.map((name) => PAGES[name].path)).size).toBe(PAGE_NAMES.length)
  for (const name of PAGE_NAMES) {
    const page = PAGES[name]
    expect(page.path).toMatch(/^\/[\w/:*.-]+$/)
    expect(page.zh && page.en, name).toBeTruthy()
    expect(GROUPS[page.group], name).toBeDefined()
    for (const role of page.roles) expect([...SESSION_ROLES, 'any', 'noEmpower'], name).toContain(role)
    for (const item of page.items ?? []) expect(Object.keys(PERMISSION_ITEMS), name).toContain(item)
    if (!page.hidden) expect(page.icon, name).toBeDefined()
  }
})
