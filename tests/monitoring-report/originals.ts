import { FormatError } from '#engines/bytes/format-error.ts'
import { readPackage } from '#engines/package/read-package.ts'
import type { ReportPackage } from '../detection-report/report-packages.ts'

const LARGEST = 3.5 * 2 ** 20
/** Versions of one application; the rest of a collection would outweigh the others. */
const MOST_VERSIONS = 3

/**
 * Applications among the packages, small enough to be copied dozens of times; of each id at most three.
 * @param isOffered whether only what a market would offer counts: parts of applications and programs that test others have no components
 */
export function originalsAmong(packages: readonly ReportPackage[], most: number, isOffered = true): ReportPackage[] {
  const versions = new Map<string, number>()
  const chosen: ReportPackage[] = []
  for (const one of packages) {
    if (chosen.length >= most) break
    if (!/\.apk$/i.test(one.name)) continue
    const bytes = one.bytes()
    if (bytes.length > LARGEST) continue
    const id = applicationId(bytes, isOffered)
    if (id === null || (versions.get(id) ?? 0) >= MOST_VERSIONS) continue
    versions.set(id, (versions.get(id) ?? 0) + 1)
    chosen.push(one)
  }
  return chosen
}

/** Null where it does not count. */
function applicationId(bytes: Uint8Array, isOffered: boolean): string | null {
  try {
    const found = readPackage(bytes, 'a.apk')
    if (found.kind !== 'apk' || !found.code.length || (isOffered && !found.facts.components.length)) return null
    return found.facts.package?.value ?? null
  } catch (error) {
    if (error instanceof FormatError) return null
    throw error
  }
}
