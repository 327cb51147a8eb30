import { GROUPS, MENU_PAGES, type PageEntry, type PageGroup } from '#contracts/pages.ts'
import { pageAllowed } from '#src/shared/session/session-store.ts'

export type GroupOfPages = {
  group: PageGroup
  zh: string
  en: string
  /** Menu entries that the role opens. */
  pages: readonly PageEntry[]
  /** Menu entries that it does not open. */
  hidden: readonly PageEntry[]
  /** Permissions each of which would open a hidden page or the rest of what it needs. */
  missing: readonly string[]
}

/** The menu as an account with these permissions sees it, with the hidden pages and the permissions that they need. */
export function visiblePages(auth: readonly string[]): GroupOfPages[] {
  return (Object.keys(GROUPS) as PageGroup[])
    .map((group) => {
      const listed = MENU_PAGES.filter((page) => page.group === group)
      const hidden = listed.filter((page) => !pageAllowed(page, auth))
      return {
        group,
        ...GROUPS[group],
        pages: listed.filter((page) => pageAllowed(page, auth)),
        hidden,
        missing: [...new Set(hidden.flatMap((page) => missingFor(page, auth)))],
      }
    })
    .filter(({ pages, hidden }) => pages.length + hidden.length > 0)
}

function missingFor(page: PageEntry, auth: readonly string[]): string[] {
  const roles = page.roles.filter((role) => role !== 'any' && role !== 'noEmpower')
  const lacksRole = roles.length > 0 && !roles.some((role) => auth.includes(role))
  const items = page.items ?? []
  const lacksItem = items.length > 0 && !items.some((item) => auth.includes(item))
  return [...(lacksRole ? roles : []), ...(lacksItem ? items : [])]
}
