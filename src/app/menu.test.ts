import { expect, test } from 'vitest'
import { PAGE_NAMES, PAGES } from '#contracts/pages.ts'
import { parentOf } from './menu.ts'

test('[SHELL-04] the parent of a detail page is its list, and of a hidden list its analysis page', () => {
  expect(parentOf('crash_detail')).toBe('crash')
  expect(parentOf('attacked_users')).toBe('user_analysis')
  expect(parentOf('suspicious_device')).toBe('investigation')
  expect(parentOf('home')).toBeUndefined()
})

test('the parent of a page is in the menu, in the same group', () => {
  for (const name of PAGE_NAMES) {
    const parent = parentOf(name)
    if (parent) expect([name, PAGES[parent].hidden, PAGES[parent].group]).toEqual([name, undefined, PAGES[name].group])
  }
})
