import library from '#engines/vulnlib/data/vulnerabilities.json' with { type: 'json' }
import type { Vulnerability } from '#engines/vulnlib/vulnerability.ts'

/** The entries that ship with the product, by number. */
export const BUILT_IN: ReadonlyMap<string, Vulnerability> = new Map(
  (library.entries as readonly Vulnerability[]).map((one) => [one.number, one]),
)
export const LIBRARY_VERSION = library.version
export const TYPES: Readonly<Record<string, { zh: string; en: string }>> = library.types

/** Both names of a type; its key where it is not one of ours. */
export function typeName(type: string): { zh: string; en: string } {
  return TYPES[type] ?? { zh: type, en: type }
}
