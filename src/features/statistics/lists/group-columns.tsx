import { DIMENSIONS, MEASURES, type Measure } from '#domain/query.ts'
import { LEVELS, type Level } from '#domain/vocabulary.ts'
import { ChangeText } from '#src/features/statistics/parts/change-text.tsx'
import { chartTexts } from '#src/shared/charts/chart-texts.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { type Language, type Translate, translate } from '#src/shared/i18n/texts.ts'
import type { NameOf } from '#src/shared/query/value-names.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { LevelMark } from '#src/shared/ui/level-mark.tsx'
import { Num } from '#src/shared/ui/num.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import type { GroupField } from './group-list.ts'
import type { GroupRow } from './group-rows.ts'
import type { listTexts } from './list-texts.ts'

/** The value, its counts (each opens what it counts), its change, when it was first and last seen. */
export function groupColumns({
  field,
  measures,
  compares,
  t,
  nameOf,
  language,
  zone,
  onPick,
  onOpen,
}: {
  field: GroupField
  measures: readonly Measure[]
  compares: boolean
  t: Translate<keyof (typeof listTexts)['entries'] & string>
  nameOf: NameOf
  language: Language
  zone: string
  onPick: (row: GroupRow, exclude: boolean) => void
  onOpen: (row: GroupRow, measure: Measure) => void
}): Column<GroupRow>[] {
  const hint = translate(chartTexts, 'pickHint')
  const name = (row: GroupRow) =>
    field === 'day' ? (
      formatDateTime(Number(row.key), zone, 'day')
    ) : field === 'level' && row.key in LEVELS ? (
      <LevelMark level={row.key as Level} />
    ) : (
      nameOf(field, row.key)
    )
  const columns: Column<GroupRow>[] = [
    {
      id: 'value',
      header: field === 'day' ? t('day') : DIMENSIONS[field][language],
      fixed: true,
      cell: (row) => (
        <button
          type="button"
          title={hint}
          className="text-clip-line block max-w-72 rounded-small text-left hover:text-brand-text hover:underline"
          onClick={(event) => onPick(row, event.shiftKey)}
        >
          {name(row)}
        </button>
      ),
    },
    ...measures.map(
      (measure): Column<GroupRow> => ({
        id: measure,
        header: MEASURES[measure][language],
        numeric: true,
        ...(field !== 'day' && { sort: measure }),
        cell: (row) => (
          <button
            type="button"
            data-measure={measure}
            data-value={row.row[measure] ?? 0}
            disabled={!row.row[measure]}
            className="rounded-small enabled:hover:text-brand-text enabled:hover:underline"
            onClick={() => onOpen(row, measure)}
          >
            <Num value={row.row[measure] ?? 0} />
          </button>
        ),
      }),
    ),
  ]
  const [main] = measures
  if (compares && field !== 'day' && main)
    columns.push({
      id: 'change',
      header: t('change'),
      numeric: true,
      cell: ({ row, previous }) => previous && <ChangeText now={row[main] ?? 0} before={previous[main] ?? 0} />,
    })
  if (field !== 'day')
    for (const [id, at] of [
      ['first', 'firstAt'],
      ['last', 'lastAt'],
    ] as const)
      columns.push({
        id,
        header: t(id),
        numeric: true,
        ...(id === 'last' && { fixed: true }),
        cell: (row) => (row[at] === undefined ? '–' : <RelativeTime at={row[at]} />),
      })
  return columns
}
