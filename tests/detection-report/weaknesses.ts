import { readFileSync } from 'node:fs'
import type { ScanResult } from '#engines/detect/result/scan-result.ts'
import type { ReportPackage } from './report-packages.ts'
import { locationText } from './scan-packages.ts'
import { readTsv } from './tsv.ts'

/** A weakness that the author of a vulnerable application documented. */
export interface Weakness {
  readonly application: string
  /** End of the name of the package. */
  readonly package: string
  /** Folder of the application's own classes. */
  readonly classes: string
  readonly weakness: string
  /** Items that report it; with `pass:` the protection that the author describes must be seen. */
  readonly items: readonly string[]
  /** Part of the location of the finding. */
  readonly location: string
  /** Rules of MobSF that speak of it; ['-'] where its rules for sources cannot (manifest, resources). */
  readonly mobsf: readonly string[]
  /** Why it cannot be found without data flow, native code or the server; '' where it counts. Listed in advance. */
  readonly outside: string
}

export const WEAKNESSES_FILE = 'docs/detection-weaknesses.tsv'

const COLUMNS = ['application', 'package', 'classes', 'weakness', 'items', 'location', 'mobsf', 'outside'] as const

export const readWeaknesses = (text = readFileSync(WEAKNESSES_FILE, 'utf8')): Weakness[] =>
  readTsv(text, COLUMNS).map((row) => ({ ...row, items: wordsOf(row.items), mobsf: wordsOf(row.mobsf) }))

const wordsOf = (list: string): string[] => list.split(' ').filter(Boolean)

export const packageOf = ({ package: name }: Weakness, packages: readonly ReportPackage[]): ReportPackage | undefined =>
  packages.find((one) => one.name === name)

/** Whether a result shows the weakness: one of its items fails at such a location, or the protection passes. */
export function isFound({ items, location }: Weakness, result: Pick<ScanResult, 'items'>): boolean {
  return items.some((wanted) => {
    const passes = wanted.startsWith('pass:')
    const item = result.items.find(({ id }) => id === wanted.replace('pass:', ''))
    if (!item || item.verdict !== (passes ? 'pass' : 'fail')) return false
    return passes || !location || item.findings.some(({ evidence }) => locationText(evidence).includes(location))
  })
}
