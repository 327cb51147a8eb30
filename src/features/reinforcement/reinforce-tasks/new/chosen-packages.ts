import type { AppFile } from '#contracts/http/assets.ts'

/** As many as one request takes. */
export const MOST_PACKAGES = 10
const ID = /^\d{1,9}$/

/** Ids of application files in the address (`file`), in the order in which they were chosen. */
export function readChosen(params: URLSearchParams): string[] {
  const ids = (params.get('file') ?? '').split(',').filter((id) => ID.test(id))
  return [...new Set(ids)].slice(0, MOST_PACKAGES)
}

/** What the address says after a package was ticked or unticked; beyond the limit nothing is added. */
export function toggled(chosen: readonly string[], id: string): string | null {
  const next = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id].slice(0, MOST_PACKAGES)
  return next.join(',') || null
}

/** Why a file cannot be reinforced: no APK, reinforced already, or its bytes are gone. */
export type PackageProblem = 'kind' | 'packed' | 'gone'
export function problemOf({ kind, protection, has_file }: AppFile): PackageProblem | null {
  if (kind !== 'apk') return 'kind'
  if (!has_file) return 'gone'
  return protection === 'reinforced' ? 'packed' : null
}
