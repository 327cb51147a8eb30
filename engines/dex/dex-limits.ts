/** Limits of one program; what lies beyond one is left out with a note `limit`. */
export interface DexLimits {
  readonly classes: number
  /** Defined methods. */
  readonly methods: number
  /** Bytes of code, class data and texts that are looked at, as a multiple of the file: parts laid over each other count each time. */
  readonly overlap: number
}

export const DEX_LIMITS: DexLimits = { classes: 1_000_000, methods: 4_000_000, overlap: 4 }
