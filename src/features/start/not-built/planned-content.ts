import type { PageName } from '#contracts/pages.ts'

/** What each page that is not built yet will hold, in one line. */
// biome-ignore format: one line a page
export const PLANNED_CONTENT: Partial<Record<PageName, { zh: string; en: string }>> = {
}
