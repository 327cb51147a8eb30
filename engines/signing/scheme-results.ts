import type { BlockResult } from './block-signer.ts'
import type { V1Result } from './v1-scheme.ts'
import type { V3Result } from './v3-scheme.ts'
import type { V4Result } from './v4-scheme.ts'

/** What each scheme found, as far as it was looked at. */
export interface SchemeResults {
  v1?: V1Result
  v2?: BlockResult
  v3?: V3Result
  v31?: V3Result
  v4?: V4Result
}
