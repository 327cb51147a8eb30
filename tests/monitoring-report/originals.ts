import { FormatError } from '#engines/bytes/format-error.ts'
import { readPackage } from '#engines/package/read-package.ts'
import type { ReportPackage } from '../detection-report/report-packages.ts'

const LARGEST = 3.5 * 2 ** 20
/** Versions of one application; the rest of a collection would outweigh the others. */
const MOST_VERSIONS = 3

/** Applications among the packages, small enough to be copied dozens of times; of each id at most three. */
export function originalsAmong(packages: readonly ReportPackage[], most: number): ReportPackage[] {
  const versions = new Map<string, number>()
  const chosen: ReportPackage[] = []
  for (const one of packages) {
    if (chosen.length >= most) break
    if (!/\.apk$/i.test(one.name)) continue
    const bytes = one.bytes()
    if (bytes.length > LARGEST) continue
    const id = applicationId(bytes)
    if (id === null || (versions.get(id) ?? 0) >= MOST_VERSIONS) continue
    versions.set(id, (versions.get(id) ?? 0) + 1)
    chosen.push(one)
  }
  return chosen
}

/** Null where it is no application of its own: parts of one, as builds for a debugger install them, name their split. */
function applicationId(bytes: Uint8Array): string | null {
  try {
    const found = readPackage(bytes, 'a.apk')
    if (found.kind !== 'apk' || !found.code.length || found.facts.split) return null
    return found.facts.package?.value ?? null
  } catch (error) {
    if (error instanceof FormatError) return null
    throw error
  }
}
