import type { AppFile } from '#contracts/http/assets.ts'

/** Where the address has the chosen packages, and as many as one request takes. */
export const PACKAGES = { name: 'file', most: 10 } as const

/** Why a file cannot be reinforced: no APK, reinforced already, or its bytes are gone. */
export type PackageProblem = 'kind' | 'packed' | 'gone'
export function problemOf({ kind, protection, has_file }: AppFile): PackageProblem | null {
  if (kind !== 'apk') return 'kind'
  if (!has_file) return 'gone'
  return protection === 'reinforced' ? 'packed' : null
}
