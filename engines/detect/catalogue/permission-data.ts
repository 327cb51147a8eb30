import data from '../data/permissions.json' with { type: 'json' }
import type { Text } from '../result/scan-result.ts'

/** An Android permission and the locations of code that show its use. */
export interface PermissionRecord {
  readonly name: string
  readonly zh: string
  readonly en: string
  readonly group: string
  readonly kind: string
  readonly info: readonly string[]
  readonly apis: readonly string[]
  readonly note: string
}

/** Personal information that is open to everyone: no permission guards it. */
export interface FreeRecord {
  readonly id: string
  readonly zh: string
  readonly en: string
  readonly info: readonly string[]
  readonly apis: readonly string[]
}

/** A usage description of iOS and the classes, `selector:`s and `import:`s that need it. */
export interface UsageKeyRecord {
  readonly key: string
  readonly zh: string
  readonly en: string
  readonly info: readonly string[]
  readonly classes: readonly string[]
}

export const ANDROID_PERMISSIONS: readonly PermissionRecord[] = data.android
export const FREE_INFORMATION: readonly FreeRecord[] = data.free
export const IOS_USAGE_KEYS: readonly UsageKeyRecord[] = data.ios

/** Kind of personal information -> its name. */
export const PERSONAL_INFORMATION: ReadonlyMap<string, Text> = new Map(
  data.info.map(([id, zh, en]) => [id!, { zh: zh!, en: en! }]),
)
