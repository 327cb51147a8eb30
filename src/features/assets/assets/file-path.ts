import { PAGES } from '#contracts/pages.ts'

/** The page of a file. */
export function filePath(id: string): string {
  return PAGES.asset.path.replace(':id', id)
}

/** Detection selection with this file chosen. */
export function detectPath(id: string): string {
  return `${PAGES.detection_new.path}?files=${id}`
}
