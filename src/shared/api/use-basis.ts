import { useState } from 'react'

/** What an editor is based on. */
export type Basis<Row> = {
  row: Row
  /** Another user saved the row since: what was written may not go over it unasked. */
  isOutdated: boolean
  /** What was written is saved over the newest row at the next attempt. */
  keepMine: () => void
}

/**
 * The row that an editor is based on: the newest one until something is written, and that one from then on, so that a change by another user is
 * seen. useAction asks for the newest rows after a conflict. `revOf`: what changes with each save.
 */
export function useBasis<Row>(newest: Row, revOf: (row: Row) => number | undefined, isDirty = true): Basis<Row> {
  const [row, setRow] = useState(newest)
  if (!isDirty && row !== newest) setRow(newest)
  return {
    row: isDirty ? row : newest,
    isOutdated: isDirty && revOf(newest) !== revOf(row),
    keepMine: () => setRow(newest),
  }
}
