import type { AppFile } from '#contracts/http/assets.ts'
import { PAGES } from '#contracts/pages.ts'
import { isReinforceKind } from '#domain/reinforce-kinds.ts'

/** The page of a file. */
export function filePath(id: string): string {
  return PAGES.asset.path.replace(':id', id)
}

/** Detection selection with this file chosen. */
export function detectPath(id: string): string {
  return `${PAGES.detection_new.path}?files=${id}`
}

/** Reinforcement with this file chosen. */
export function reinforcePath(id: string): string {
  return `${PAGES.reinforce_new.path}?file=${id}`
}

/** Only a single APK or a library that is stored and not reinforced can be reinforced. */
export function mayBeReinforced({ kind, protection, has_file }: AppFile): boolean {
  return isReinforceKind(kind) && protection === 'unreinforced' && has_file
}
