import type { AnswerOf, Measure } from '#domain/query.ts'

export type OriginRow =
  | { kind: 'province'; code: string; value: number }
  | { kind: 'others'; provinces: number; value: number | null }
  | { kind: 'unknown' | 'abroad' | 'none'; value: number }

const isKnown = (code: string) => code !== '' && code !== '0'

/**
 * Ranked places: the first provinces, the rest of them as one line, China without province, abroad, and no place at all. Events add up
 * to the whole (`additive`); one user or device may stand in several places, so what would be a sum of them is left out.
 */
export function originRows(
  {
    provinces,
    countries,
    abroad,
  }: { provinces: AnswerOf<'top'>; countries: AnswerOf<'top'>; abroad: AnswerOf<'total'> },
  measure: Measure,
  { shown, additive }: { shown: number; additive: boolean },
): OriginRow[] {
  const value = (one: { row: Partial<Record<Measure, number>> } | undefined) => one?.row[measure] ?? 0
  const sum = (list: readonly { row: Partial<Record<Measure, number>> }[]) =>
    list.reduce((total, one) => total + value(one), 0)
  const country = (code: string) => value(countries.groups.find((group) => group.key === code))
  const known = provinces.groups.filter((group) => isKnown(group.key) && value(group) > 0)
  const rest = known.slice(shown)
  const rows: OriginRow[] = known
    .slice(0, shown)
    .map((group) => ({ kind: 'province', code: group.key, value: value(group) }))
  if (rest.length > 0) rows.push({ kind: 'others', provinces: rest.length, value: additive ? sum(rest) : null })
  const unplaced = country('CN') - sum(known)
  if (additive && unplaced > 0) rows.push({ kind: 'unknown', value: unplaced })
  if (value(abroad) > 0) rows.push({ kind: 'abroad', value: value(abroad) })
  if (country('') > 0) rows.push({ kind: 'none', value: country('') })
  return rows
}
