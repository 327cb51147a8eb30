import { FormatError } from '#engines/bytes/format-error.ts'
import { SCAN_CHOICES, type ScanChoices } from '#engines/detect/input/scan-choices.ts'
import type { Location, ScanResult } from '#engines/detect/result/scan-result.ts'
import { scan } from '#engines/detect/scan.ts'
import type { Package } from '#engines/package/package.ts'
import { readPackage } from '#engines/package/read-package.ts'
import type { ReportPackage } from './report-packages.ts'

/** Certificates and pins are judged as of this day, so that the report says the same on any day. */
const CHOICES: ScanChoices = { ...SCAN_CHOICES, date: Date.UTC(2026, 10, 23) }

export interface Scanned {
  readonly source: Package
  readonly result: ScanResult
}

/** Reads and scans one package; what is no package gives the reason. */
export function scanBytes(bytes: Uint8Array, name: string): Scanned | { readonly refused: string } {
  try {
    const source = readPackage(bytes, name)
    return { source, result: scan(source, CHOICES) }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return { refused: error.message }
  }
}

export const scanPackageOf = (one: ReportPackage) => scanBytes(one.bytes(), one.name)

/** A location as the judgements name it: class and method, or entry and path. */
export const locationText = ({ entry, class: name, method, path }: Location): string =>
  name ? [name, method?.replace(/\(.*/, '')].filter(Boolean).join('.') : [entry, path].filter(Boolean).join(' ')
