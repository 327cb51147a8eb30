import { packageKind } from '../package/read-package.ts'
import { hardenApk } from './harden-apk.ts'
import { hardenLibrary } from './harden-library.ts'
import type { HardenedPackage, HardenRequest } from './harden-request.ts'
import { hardenSharedLibrary } from './harden-shared-library.ts'

/** Kinds of packages that are reinforced. */
export const HARDEN_KINDS = ['apk', 'aab', 'aar', 'jar', 'so'] as const
export type HardenKind = (typeof HARDEN_KINDS)[number]
export const isHardenKind = (kind: string | undefined): kind is HardenKind => HARDEN_KINDS.some((one) => one === kind)

/**
 * Performs options of a reinforcement policy on a package of any of these kinds; an option that the kind has nothing for is skipped with the
 * reason. Throws FormatError: `kind` of format `harden` for all other kinds, `library` for an ELF file that Android does not load, and
 * what `hardenApk` and the readers of the parts throw.
 */
export async function hardenPackage(bytes: Uint8Array, name: string, request: HardenRequest): Promise<HardenedPackage> {
  switch (packageKind(bytes, name)) {
    case 'aar':
    case 'jar':
      return hardenLibrary(bytes, name, request)
    case 'so':
      return hardenSharedLibrary(bytes, name, request)
    default:
      return hardenApk(bytes, name, request)
  }
}
