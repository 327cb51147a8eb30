import type { NativeLibrary } from '../apk/apk-facts.ts'
import { FormatError } from '../bytes/format-error.ts'
import { SDK_SIGNATURES } from '../detect/catalogue/sdk-signatures.ts'
import { trimElf } from '../elf/trim-elf.ts'
import type { HardenLog } from './hardening.ts'
import { chosenBy } from './name-pattern.ts'

export interface LibraryOptions {
  /** Patterns of libraries that stay besides the known ones of others; without the option all may be changed. */
  readonly ban?: readonly string[]
  readonly trim: boolean
}

const KNOWN = new Map(SDK_SIGNATURES.flatMap(({ so, en }) => so.map((name) => [name, en] as const)))

/** Native libraries without symbols and debug information, by entry; those of others stay. */
export function trimLibraries(
  libraries: readonly NativeLibrary[],
  read: (entry: string) => Uint8Array,
  { ban, trim }: LibraryOptions,
  log: HardenLog,
): ReadonlyMap<string, Uint8Array> {
  const trimmed = new Map<string, Uint8Array>()
  const isListed = chosenBy(ban ?? [])
  let banned = 0
  for (const { entry, name } of libraries) {
    const owner = KNOWN.get(name)
    if (ban && (owner !== undefined || isListed(name))) {
      banned++
      log.applied(
        'third_party_so_ban',
        entry,
        '',
        owner === undefined ? 'stays: named by the policy' : 'stays: {detail}',
        1,
        owner ?? '',
      )
      continue
    }
    if (!trim) continue
    try {
      const result = trimElf(read(entry))
      if (result) {
        trimmed.set(entry, result.bytes)
        log.applied(
          'so_protection',
          entry,
          '',
          'sections of symbols and debug information removed',
          result.removed.length,
        )
      } else log.skipped('so_protection', entry, '', 'has no symbols or debug information')
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      log.skipped('so_protection', entry, '', 'cannot be trimmed: {detail}', 1, error.message)
    }
  }
  if (ban && !banned)
    log.skipped('third_party_so_ban', '', '', 'the package has no library of others that is known or named')
  if (trim && !libraries.length) log.skipped('so_protection', '', '', 'the package has no native library')
  return trimmed
}
