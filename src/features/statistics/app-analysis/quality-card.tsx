import { DIMENSIONS, type Measure, type Query, type TopAnswer } from '#domain/query.ts'
import type { Span } from '#domain/time-range.ts'
import { ChangeText } from '#src/features/statistics/parts/change-text.tsx'
import { perThousand, rateText } from '#src/features/statistics/parts/figure-row.tsx'
import { formatExact, formatPercent } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { CardState } from '#src/shared/query/card-state.tsx'
import { behind, pinned } from '#src/shared/query/drill.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import type { PartState } from '#src/shared/query/use-statistics.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { type Column, DataTable } from '#src/shared/table/data-table.tsx'
import { ExportMenu } from '#src/shared/table/export-menu.tsx'
import { Num } from '#src/shared/ui/num.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Section, type SectionState } from '#src/shared/ui/section.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { QUALITY_FIELDS, QUALITY_MEASURES, type QualityField } from './app-parts.ts'
import { appTexts } from './app-texts.ts'

type Line = TopAnswer['groups'][number]

/** Versions (or channels, systems, …) side by side: how much they are used, and how often they fail or are attacked. */
export function QualityCard({
  state,
  field,
  part,
  starts,
  span,
  sectionState,
  onRows,
}: {
  state: QueryState
  field: QualityField
  part: PartState<'top'>
  /** All starts of the page, which shares are of. */
  starts: number
  span: Span | undefined
  sectionState: SectionState
  onRows: (query: Query) => void
}) {
  const t = useTexts(appTexts)
  const language = useLanguage()
  const nameOf = useNameOf()
  const { query } = state
  const open = (measure: Measure, key: string) => onRows(behind(query, measure, { by: field, key }))
  const count = 'rounded-small enabled:hover:text-brand-text enabled:hover:underline'
  const rate = (measure: 'crashes' | 'anrs' | 'exceptions' | 'attacks', header: string): Column<Line> => ({
    id: measure,
    header,
    numeric: true,
    cell: ({ key, row }) => (
      <button
        type="button"
        className={count}
        disabled={!row[measure]}
        title={formatExact(row[measure] ?? 0)}
        onClick={() => open(measure, key)}
      >
        {row.starts ? rateText(perThousand(row[measure], row.starts)) : '–'}
      </button>
    ),
  })
  const columns: Column<Line>[] = [
    {
      id: 'value',
      header: DIMENSIONS[field][language],
      fixed: true,
      cell: ({ key }) => <span className="text-clip-line block max-w-56">{nameOf(field, key)}</span>,
    },
    {
      id: 'starts',
      header: t('starts'),
      numeric: true,
      cell: ({ key, row }) => (
        <button type="button" className={count} onClick={() => open('starts', key)}>
          <Num value={row.starts ?? 0} />
        </button>
      ),
    },
    {
      id: 'share',
      header: t('share'),
      numeric: true,
      cell: ({ row }) => formatPercent(starts > 0 ? (row.starts ?? 0) / starts : 0),
    },
    ...(query.compare === 'none'
      ? []
      : [
          {
            id: 'change',
            header: t('change'),
            numeric: true,
            cell: ({ row, previous }: Line) =>
              previous && <ChangeText now={row.starts ?? 0} before={previous.starts ?? 0} />,
          },
        ]),
    rate('crashes', t('crashRate')),
    rate('anrs', t('anrRate')),
    rate('exceptions', t('exceptionRate')),
    rate('attacks', t('attackRate')),
    {
      id: 'first',
      header: t('first'),
      numeric: true,
      cell: ({ firstAt }) => (firstAt === undefined ? '–' : <RelativeTime at={firstAt} />),
    },
  ]
  const rows = part.kind === 'ready' ? part.answer.groups : []
  return (
    <Section
      plain
      title={t('quality')}
      note={t('qualityNote')}
      state={part.kind === 'loading' ? 'loading' : sectionState}
      skeleton={<Skeleton lines={6} height="20px" className="px-5 py-3" />}
      actions={
        <>
          <Select
            label={t('by')}
            hideLabel
            size="small"
            value={field}
            onChange={(next) => state.setParams({ quality: next === 'version' ? null : next }, true)}
            items={QUALITY_FIELDS.map((id) => ({ id, label: DIMENSIONS[id][language] }))}
            className="w-28"
          />
          <ExportMenu
            query={pinned(query, span)}
            part={{ kind: 'top', by: field, measures: [...QUALITY_MEASURES], limit: 200, seen: true }}
            title={t('quality')}
            total={part.kind === 'ready' ? part.answer.groupCount : 0}
          />
        </>
      }
    >
      <CardState part={part} state={state} isEmpty={rows.length === 0} measure="starts" minHeight={180}>
        <DataTable
          label={t('quality')}
          columns={columns}
          rows={rows}
          rowKey={({ key }) => key}
          density="dense"
          onOpen={({ key }) => state.pick(field, key)}
        />
      </CardState>
    </Section>
  )
}
