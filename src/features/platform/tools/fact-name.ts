import { toolsTexts } from './tools-texts.ts'

type Name = keyof typeof toolsTexts.entries

/** The name of a fact by its key; the key where it has none. */
export function factName(t: (name: Name) => string, key: string): string {
  return Object.hasOwn(toolsTexts.entries, key) ? t(key as Name) : key
}
