import { useState } from 'react'
import type { ApiError } from './api-error.ts'

/**
 * The row that an editor is based on: as it was opened, so that a change by another user in between is a conflict. After that conflict it is the
 * newest row, which useAction has asked for: what the user wrote stays, and is saved over it at the next attempt.
 */
export function useBasis<Row>(opened: Row, newest: Row | undefined, error: ApiError | null): Row {
  const [taken, setTaken] = useState<{ error: ApiError | null; row: Row }>({ error: null, row: opened })
  const isConflict = error?.key === 'data.conflict' && newest !== undefined
  if (isConflict && taken.error !== error) {
    setTaken({ error, row: newest })
    return newest
  }
  return taken.row
}
