import { SCAN_CHOICES, type ScanChoices } from '#engines/detect/input/scan-choices.ts'
import type { ItemResult } from '#engines/detect/result/scan-result.ts'
import { scan } from '#engines/detect/scan.ts'
import type { Package } from '#engines/package/package.ts'
import { type MadePackage, makePackage } from './detect-package.ts'

/** An item with a package that it must find something in and one that it must not. */
export interface ItemCase {
  readonly fails: MadePackage
  readonly passes: MadePackage
  readonly choices?: Partial<ScanChoices>
}

/** What one item says of a package. */
export function judgeOne(id: string, source: Package | MadePackage, choices: Partial<ScanChoices> = {}): ItemResult {
  const read = 'bytes' in source ? source : makePackage(source)
  const result = scan(read, { ...SCAN_CHOICES, kinds: ['static'], items: [id], ...choices })
  return result.items[0]!
}
