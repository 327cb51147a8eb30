import type { ReinforceOption } from './reinforce-options.ts'

/** Kinds of application files that are reinforced (HARD-02). */
export const REINFORCE_KINDS = ['apk', 'aab', 'aar', 'jar', 'so'] as const
export type ReinforceKind = (typeof REINFORCE_KINDS)[number]
export const isReinforceKind = (kind: string): kind is ReinforceKind => REINFORCE_KINDS.some((one) => one === kind)

type LibraryKind = Exclude<ReinforceKind, 'apk' | 'aab'>

/** Libraries become part of an application: they are not signed, and not scanned again. */
export const isLibraryKind = (kind: ReinforceKind): kind is LibraryKind => kind !== 'apk' && kind !== 'aab'

/** Options that have something to act on in a library; in an APK all of them have. */
const OF_LIBRARIES: Readonly<Record<LibraryKind, readonly ReinforceOption[]>> = {
  aar: ['so_protection', 'third_party_so_ban', 'js_protection', 'log_removal'],
  jar: ['js_protection', 'log_removal'],
  so: ['so_protection', 'third_party_so_ban'],
}

/** A store makes other APKs of a bundle and signs them itself, which ends these; the interpreter of dex_vmp, encrypted preferences and files are for APKs alone. */
const NOT_IN_BUNDLES: readonly ReinforceOption[] = [
  'dex_protection',
  'dex_vmp',
  'signature_check',
  'integrity_check',
  'shell_protection',
  'zip_check',
  'multi_channel',
  'db_protection',
  'resource_protection',
  'cer_protection',
]

/** Whether the option has something to act on in a package of this kind. */
export function actsOn(option: ReinforceOption, kind: ReinforceKind): boolean {
  if (isLibraryKind(kind)) return OF_LIBRARIES[kind].includes(option)
  return kind === 'apk' || !NOT_IN_BUNDLES.includes(option)
}

/** The name of the result: `shop.apk` becomes `shop.reinforced.apk`; a name with another ending keeps it before that of the kind. */
export function reinforcedName(fileName: string, kind: ReinforceKind): string {
  const ending = `.${kind}`
  const base = fileName.toLowerCase().endsWith(ending) ? fileName.slice(0, -ending.length) : fileName
  return `${base}.reinforced${ending}`
}
