import { expect, test } from 'vitest'
import { PAGE_NAMES, PAGES } from '#contracts/pages.ts'
import { PAGE_COMPONENTS } from './page-components.ts'
import { PAGE_ICONS } from './page-icons.ts'

/** Pages that the router itself knows. */
const OWN = ['login', 'auth_redirect', 'errorpage', 'not_found', 'redirect']

test('a page is built exactly if it has a component', () => {
  const built = PAGE_NAMES.filter((name) => PAGES[name].built && !OWN.includes(name))
  expect(Object.keys(PAGE_COMPONENTS).sort()).toEqual([...built].sort())
})

test('every icon of the page table is listed in page-icons.ts, which lists no other', () => {
  const named = PAGE_NAMES.flatMap((name) => PAGES[name].icon ?? [])
  expect(Object.keys(PAGE_ICONS).sort()).toEqual([...new Set(named)].sort())
})
