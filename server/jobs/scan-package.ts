import type { TaskStage } from '#contracts/detection.ts'
import { ProductError } from '#contracts/errors.ts'
import type { ScanResult } from '#engines/detect/scan-result.ts'
import type { ScanOrder } from './scan-messages.ts'

/** Scans the bytes of one package. */
export function scanPackage(_bytes: Uint8Array, _order: ScanOrder, _onStage: (stage: TaskStage) => void): ScanResult {
  throw new ProductError('feature.not_built')
}
