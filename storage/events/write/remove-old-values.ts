import type { DuckFile } from '../duckdb/duck-file.ts'

/** A table of up to so many rows is rewritten: takes about a second. */
const SMALL_TABLE_ROWS = 500_000
const TABLES = ['events', 'quarantine', 'keys']

/**
 * Makes the bytes of deleted rows and of old values unreadable. A checkpoint rewrites only the changed columns of a row group, and
 * short columns share blocks with others, which keep a block with old values in use. So a small table, where most columns are short, is
 * copied as a whole; in a larger one the changed columns fill blocks of their own, except for their ends.
 */
export async function removeOldValues(file: DuckFile): Promise<void> {
  for (const table of TABLES)
    await file.write(async (connection) => {
      const [[rows] = [0]] = (await connection.runAndReadAll(`SELECT count(*) FROM ${table}`)).getRowsJS()
      if (Number(rows) > SMALL_TABLE_ROWS) return
      await connection.run(`CREATE TABLE ${table}_copy AS SELECT * FROM ${table}`)
      await connection.run(`DROP TABLE ${table}`)
      await connection.run(`ALTER TABLE ${table}_copy RENAME TO ${table}`)
    })
  await overwriteFreeBlocks(file)
}

/** At most so many blocks are overwritten at a time (256 MB). */
const MAX_BLOCKS = 1024

/**
 * Overwrites what deleted and changed rows left in the file: DuckDB frees blocks without clearing them, and their old content, personal
 * data included, would stay until the blocks are used again. A table of random numbers takes the free blocks and is dropped again.
 */
async function overwriteFreeBlocks(file: DuckFile): Promise<void> {
  // What was freed by a checkpoint is free for use after it.
  await file.checkpoint()
  const [[free, blockBytes] = []] = await file.read((select) =>
    select('SELECT free_blocks, block_size FROM pragma_database_size()'),
  )
  const blocks = Math.min(Number(free), MAX_BLOCKS)
  if (blocks === 0) return
  const rows = Math.ceil((blocks * Number(blockBytes)) / 8)
  const seed = Math.floor(Math.random() * 1e15)
  try {
    await file.write(async (connection) => {
      await connection.run('DROP TABLE IF EXISTS overwritten')
      await connection.run(`CREATE TABLE overwritten AS SELECT hash(range + ${seed}) AS h FROM range(${rows})`)
    })
    await file.checkpoint()
  } finally {
    await file.write((connection) => connection.run('DROP TABLE IF EXISTS overwritten'))
    await file.checkpoint()
  }
}
