import { expect, test } from 'vitest'
import { PAGE_NAMES, PAGES } from '#contracts/pages.ts'
import { PLANNED_CONTENT } from './planned-content.ts'

test('every page that is not built says what it will hold, and no built page does', () => {
  const missing = PAGE_NAMES.filter((name) => !PAGES[name].built && !PLANNED_CONTENT[name])
  const outdated = PAGE_NAMES.filter((name) => PAGES[name].built && PLANNED_CONTENT[name])
  expect({ missing, outdated }).toEqual({ missing: [], outdated: [] })
})
