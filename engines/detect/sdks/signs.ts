import type { Location } from '../result/scan-result.ts'

/** Something that speaks for an SDK. */
export interface Sign {
  readonly kind: 'package' | 'class' | 'library' | 'asset'
  readonly what: string
  /** Shared by unrelated packages: counts beside another sign only. */
  readonly weak: boolean
  readonly location: Location
}
