import { compareVersions } from '../detect/dependencies/versions.ts'
import type { AffectedRange } from './vulnerability.ts'

/** A component of a package as its bill of materials names it; `group` is '' for native components. */
export type Component = { readonly group: string; readonly name: string; readonly version: string }
export type Certainty = 'affected' | 'version_unknown'

/** Segments of package names that say nothing about a vendor. */
const COMMON = new Set(['com', 'org', 'net', 'io', 'cn', 'dev', 'app', 'github', 'google', 'android', 'apache'])

/** Vendor, product and version of a CPE 2.3 name of an application, a library or a system; undefined for hardware and what is no such name. */
export function productOfCpe(cpe: string): { vendor: string; product: string; version?: string } | undefined {
  // A colon within a value is written with a backslash.
  const [cpe23, , part, vendor = '', product = '', version = ''] = cpe.split(/(?<!\\):/)
  if (cpe23 !== 'cpe' || !['a', 'o'].includes(part ?? '') || product === '' || product === '*') return undefined
  const plain = (value: string) => value.replaceAll('\\', '').slice(0, 100)
  return {
    vendor: vendor === '*' ? '' : plain(vendor),
    product: plain(product),
    ...(!['', '*', '-'].includes(version) && { version: plain(version) }),
  }
}

/** The form of a product's name in which names of different sources meet: `jackson_databind` and `Jackson-Databind` are one. */
export const productKey = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Whether both name the same versions of the same products, in whichever order. */
export function sameRanges(left: readonly AffectedRange[], right: readonly AffectedRange[]): boolean {
  const keyOf = (ranges: readonly AffectedRange[]) =>
    ranges
      .map(({ vendor, product, version, from, after, before, through }) =>
        JSON.stringify([vendor, product, version, from, after, before, through]),
      )
      .sort()
      .join()
  return keyOf(left) === keyOf(right)
}

/**
 * Whether a component is in one of the ranges: by the name of the product, by its vendor where the component has a group, and by version.
 * Undefined where it is not; `version_unknown` where versions cannot be compared.
 */
export function touches(ranges: readonly AffectedRange[], component: Component): Certainty | undefined {
  let found: Certainty | undefined
  for (const range of ranges) {
    if (productKey(range.product) !== productKey(component.name) || !isOfVendor(range, component)) continue
    const inside = isInside(range, component.version)
    if (inside) return 'affected'
    if (inside === undefined) found = 'version_unknown'
  }
  return found
}

function isOfVendor({ vendor, product }: AffectedRange, { group }: Component): boolean {
  const key = productKey(vendor)
  if (group === '' || key === '' || key === productKey(product)) return true
  const segments = group.toLowerCase().split(/[.\-_]/)
  return segments.some(
    (segment) =>
      segment === key ||
      (segment.length > 3 && !COMMON.has(segment) && (key.includes(segment) || segment.includes(key))),
  )
}

/** Undefined where the version, or an end of the range, has no number to compare. */
function isInside(range: AffectedRange, version: string): boolean | undefined {
  const { from, after, before, through } = range
  if (range.version !== undefined) {
    const difference = compareVersions(version, range.version)
    return difference === undefined ? undefined : difference === 0
  }
  const checks = [
    [from, (difference: number) => difference >= 0],
    [after, (difference: number) => difference > 0],
    [before, (difference: number) => difference < 0],
    [through, (difference: number) => difference <= 0],
  ] as const
  let isUnknown = false
  for (const [end, holds] of checks) {
    if (end === undefined) continue
    const difference = compareVersions(version, end)
    if (difference === undefined) isUnknown = true
    else if (!holds(difference)) return false
  }
  return isUnknown ? undefined : true
}
