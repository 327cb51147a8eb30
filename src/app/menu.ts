import {
  GROUP_REDIRECTS,
  GROUPS,
  MENU_PAGES,
  PAGE_NAMES,
  PAGES,
  type PageEntry,
  type PageGroup,
  type PageName,
} from '#contracts/pages.ts'
import { pageAllowed } from '#src/shared/session/session-store.ts'

/** Everything that is read off the page table for an account: menu, groups, redirects, which page a path is. */

export type MenuPage = PageEntry & { name: PageName }
export type MenuGroup = { group: PageGroup; zh: string; en: string; pages: readonly MenuPage[] }

/** Groups with the pages that the account may see; a group without any is absent, hidden and unbuilt pages are not listed. */
export function menuFor(auth: readonly string[]): MenuGroup[] {
  const groups = Object.keys(GROUPS) as PageGroup[]
  return groups
    .map((group) => ({
      group,
      ...GROUPS[group],
      pages: MENU_PAGES.filter((page) => page.group === group && pageAllowed(page, auth)),
    }))
    .filter(({ pages }) => pages.length > 0)
}

/** Pages that a list or an analysis leads to, where the path does not tell. */
const BEHIND: Partial<Record<PageName, PageName>> = {
  attacked_users: 'user_analysis',
  abnormal_devices: 'user_analysis',
  abnormal_periods: 'user_analysis',
  active_devices: 'user_analysis',
  risk_triggers: 'attack_analysis',
  abnormal_triggers: 'app_analysis',
  starts: 'app_analysis',
  device_activity: 'exception_devices',
  suspicious_device: 'investigation',
  abnormal_return: 'abnormal_returns',
}

/** The menu entry that this page belongs to: the list of the object it shows, or the analysis that it details. */
export function parentOf(page: PageName): PageName | undefined {
  const { path } = PAGES[page]
  const list = path.replace(/\/:id\/$/, '')
  return BEHIND[page] ?? (list === path ? undefined : PAGE_NAMES.find((name) => PAGES[name].path === list))
}

/** A parent path (`/statistics`) leads to its required target (GUARD-09) or to the first child that the account may see. */
export function redirectOf(path: string, auth: readonly string[]): string | undefined {
  const parent = path.length > 1 ? path.replace(/\/+$/, '') : path
  const own = GROUP_REDIRECTS[parent]
  if (own && pageAllowed(PAGES[own], auth)) return PAGES[own].path
  const children = PAGE_NAMES.map((name) => PAGES[name]).filter(
    (page) => !page.hidden && page.path.startsWith(`${parent}/`) && pageAllowed(page, auth),
  )
  return (children.find((page) => page.built) ?? children[0])?.path
}

/** Whether a path is a parent of pages: a known place, even where none of them is allowed. */
export function isParent(path: string): boolean {
  const parent = path.replace(/\/+$/, '')
  return parent in GROUP_REDIRECTS || PAGE_NAMES.some((name) => PAGES[name].path.startsWith(`${parent}/`))
}
