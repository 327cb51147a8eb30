import type { DuckFile } from './duck-file.ts'

/** Reads every column of every table; throws where a block is damaged. */
export async function verifyTables(file: Pick<DuckFile, 'read'>): Promise<void> {
  await file.read(async (select) => {
    const columns = await select('SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal')
    for (const [table, column] of columns) await select(`SELECT max(hash("${column}")) FROM "${table}"`)
  })
}
