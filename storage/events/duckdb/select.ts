/** Runs one select and returns its rows; all selects of one read transaction see the same rows. */
export type Select = (sql: string) => Promise<unknown[][]>

/**
 * Passes the columns of one select (32-bit whole numbers without nulls) block by block; a block is only valid during the call. With `few`
 * (at most the rows of a day) the result is read at once, which costs half as much; otherwise it is streamed with bounded memory.
 */
export type Scan = (
  sql: string,
  columns: number,
  take: (blocks: readonly Uint32Array[], count: number) => void,
  few?: 'few',
) => Promise<void>
