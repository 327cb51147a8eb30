/** Values that a ranked list beside others shows. */
export const FACET_ROWS = 4
