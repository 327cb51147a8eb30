import type { AnswerOf, Measure } from '#contracts/query.ts'

export type OriginRow =
  | { kind: 'province'; code: string; value: number }
  | { kind: 'others'; provinces: number; value: number }
  | { kind: 'unknown' | 'abroad' | 'none'; value: number }

const isKnown = (code: string) => code !== '' && code !== '0'

/**
 * Ranked places: the first provinces, the rest of them as one line, China without province, abroad, and no place at all. The lines add
 * up to the whole where the measure does (events); distinct users may stand in several.
 */
export function originRows(
  provinces: AnswerOf<'top'>,
  countries: AnswerOf<'top'>,
  measure: Measure,
  shown: number,
): OriginRow[] {
  const value = (row: { row: Partial<Record<Measure, number>> }) => row.row[measure] ?? 0
  const sum = (list: readonly { row: Partial<Record<Measure, number>> }[]) =>
    list.reduce((total, one) => total + value(one), 0)
  const known = provinces.groups.filter((group) => isKnown(group.key) && value(group) > 0)
  const rest = known.slice(shown)
  const china = sum(countries.groups.filter((group) => group.key === 'CN'))
  const nowhere = sum(countries.groups.filter((group) => group.key === ''))
  const abroad =
    sum(countries.groups.filter((group) => group.key !== 'CN' && group.key !== '')) + (countries.others[measure] ?? 0)
  const unplaced = china - sum(known)
  const rows: OriginRow[] = known
    .slice(0, shown)
    .map((group) => ({ kind: 'province', code: group.key, value: value(group) }))
  if (rest.length > 0) rows.push({ kind: 'others', provinces: rest.length, value: sum(rest) })
  if (unplaced > 0) rows.push({ kind: 'unknown', value: unplaced })
  if (abroad > 0) rows.push({ kind: 'abroad', value: abroad })
  if (nowhere > 0) rows.push({ kind: 'none', value: nowhere })
  return rows
}
