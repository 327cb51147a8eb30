import type { TaskStage } from '#contracts/detection/kinds.ts'
import { imageTools } from '#engines/detect/content/image-tools.ts'
import { SCAN_CHOICES } from '#engines/detect/input/scan-choices.ts'
import type { ItemResult, Note, ScanResult } from '#engines/detect/result/scan-result.ts'
import { scan } from '#engines/detect/scan.ts'
import { readPackage } from '#engines/package/read-package.ts'
import { textReader } from '../../platform/pictures/text-reader.ts'
import { decodeWebp } from '../../platform/pictures/webp-decoder.ts'
import type { PackageOrder, ScanExtras } from './scan-messages.ts'

/** Called at each step with how much of the stage is done, 0 to 1. */
export type OnStage = (stage: TaskStage, share: number) => void

/** Items that need neither code nor libraries: what a reduced scan still answers. */
const SURFACE = new Set(['manifest', 'component', 'signature'])

const REDUCED: Note = {
  key: 'limit',
  text: {
    zh: '完整检测超出限制，代码、原生库与内容未评估；只检测了清单、组件与签名',
    en: 'The whole scan went over its limits: code, libraries and content were not assessed, manifest, components and signature were',
  },
}

/**
 * Reads and scans the bytes of one package. A reduced scan reads no code: what would have needed it says that it was not assessed.
 * Throws FormatError where the bytes are no package.
 */
export function scanPackage(
  bytes: Uint8Array,
  order: PackageOrder,
  onStage: OnStage,
  { words, ownRules, policyText }: ScanExtras,
): ScanResult {
  onStage('unpack', 0)
  const source = readPackage(bytes, order.name)
  const choices = {
    ...SCAN_CHOICES,
    kinds: order.kinds,
    items: order.items,
    levels: order.levels,
    applicationTypes: order.applicationType === null ? [] : [order.applicationType],
    date: order.date,
    baselineSigners: order.baselineSigners,
    words,
    ownRules,
    policyText,
  }
  const watch = { onStage }
  if (!order.reduced) return scan(source, choices, watch, imageTools(decodeWebp, textReader()))
  const kinds = order.kinds.filter((kind) => kind !== 'privacy' && kind !== 'content' && kind !== 'sdk')
  const result = scan({ ...source, code: [], native: [] }, { ...choices, kinds }, watch)
  const items = result.items.map(unlessOnSurface)
  return { ...result, kinds: order.kinds, items, notAssessed: [REDUCED, ...result.notAssessed] }
}

function unlessOnSurface(item: ItemResult): ItemResult {
  if (SURFACE.has(item.category) || item.verdict === 'fail') return item
  return { ...item, verdict: 'not_assessed', reason: REDUCED.text }
}
