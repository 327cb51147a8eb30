import { ProductError } from '#contracts/errors.ts'

/** The rows that were found for these ids; throws data.missing where one of them does not exist for the caller. */
export function demandAll<Row>(ids: readonly (string | number)[], rows: Row[]): Row[] {
  if (rows.length !== new Set(ids).size) throw new ProductError('data.missing')
  return rows
}
