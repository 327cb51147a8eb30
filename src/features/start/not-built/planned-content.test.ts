import { expect, test } from 'vitest'
import { PAGE_NAMES, PAGES } from '#contracts/pages.ts'
import { WILL_HOLD } from './planned-content.ts'

test('every page that is not built says what it will hold, and no built page does', () => {
  const missing = PAGE_NAMES.filter((name) => !PAGES[name].built && !WILL_HOLD[name])
  const outdated = PAGE_NAMES.filter((name) => PAGES[name].built && WILL_HOLD[name])
  expect({ missing, outdated }).toEqual({ missing: [], outdated: [] })
})
