import { create } from 'zustand'
import { PAGES, type PageName } from '#contracts/pages.ts'

/** Visited pages of this tab, in the order of first visit; home is always there. */
export type Tag = { page: PageName; path: string; search: string }

const HOME: Tag = { page: 'home', path: PAGES.home.path, search: '' }
const MOST = 24

export const useTags = create<{ tags: readonly Tag[] }>(() => ({ tags: [HOME] }))

/** Adds the page, or remembers its newest search (so that a tag leads back to the same view). */
export function visit(tag: Tag): void {
  useTags.setState(({ tags }) => {
    if (tags.some((one) => one.path === tag.path))
      return { tags: tags.map((one) => (one.path === tag.path ? tag : one)) }
    const room = tags.length >= MOST ? tags.filter((_, index) => index !== 1) : tags
    return { tags: [...room, tag] }
  })
}

/**
 * Closes tags and answers where to go: nowhere (undefined) if the active one stays, else the last remaining, or the root when only
 * the closed one was left.
 */
export function closeTags(active: string, goes: (tag: Tag) => boolean): string | undefined {
  const { tags } = useTags.getState()
  const rest = tags.filter((tag) => tag.path === HOME.path || !goes(tag))
  useTags.setState({ tags: rest })
  if (rest.some((tag) => tag.path === active)) return undefined
  const last = rest.at(-1)
  return last && last.path !== HOME.path ? last.path + last.search : '/'
}
