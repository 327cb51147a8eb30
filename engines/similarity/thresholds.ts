import chosen from './thresholds.generated.json' with { type: 'json' }

/** From which likeness on something is concluded. */
export interface Thresholds {
  /** The copy was made out of the reference: share of its code, or of its resources and parts together. */
  readonly code: number
  readonly resources: number
  readonly native: number
  /** Weighted mean of code, resources, native libraries and components. */
  readonly whole: number
  readonly icon: number
  readonly label: number
}

/** Chosen by `npm run monitoring-report` on one half of its packages; docs/monitoring-proof.md has the results on the other. */
export const THRESHOLDS: Thresholds = chosen
