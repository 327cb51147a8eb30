import type { Measures } from '#domain/query.ts'
import { ChangeText } from '#src/features/statistics/parts/change-text.tsx'
import { perThousand, rateText } from '#src/features/statistics/parts/figure-row.tsx'
import { Sparkline } from '#src/shared/charts/sparkline.tsx'
import { formatPercent } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { type Column, DataTable } from '#src/shared/table/data-table.tsx'
import { Num } from '#src/shared/ui/num.tsx'
import { type AppLine, attackRate, type GlobalSort } from './global-parts.ts'
import { globalTexts } from './global-texts.ts'

/** The same figures, a line an application. */
export function AppTable({
  lines,
  state,
  sort,
  onOpen,
}: {
  lines: readonly AppLine[]
  state: QueryState
  sort: GlobalSort
  onOpen: (id: string, page: 'app_analysis' | 'attack_analysis') => void
}) {
  const t = useTexts(globalTexts)
  const compares = state.query.compare !== 'none'
  const count = (measure: keyof Measures & ('attacks' | 'devices' | 'attackedUsers')): Column<AppLine> => ({
    id: measure,
    header: t(measure),
    numeric: true,
    sort: measure,
    cell: ({ row, previous }) => (
      <span className="inline-flex items-baseline gap-2">
        {compares && (
          <span className="text-12 text-muted">
            <ChangeText now={row[measure] ?? 0} before={previous?.[measure] ?? 0} />
          </span>
        )}
        <Num value={row[measure] ?? 0} />
      </span>
    ),
  })
  const columns: Column<AppLine>[] = [
    { id: 'name', header: t('app'), sort: 'name', fixed: true, cell: ({ name }) => name },
    {
      id: 'hour',
      header: t('hour'),
      cell: ({ minutes }) => (
        <span className="inline-flex items-center gap-2 text-12 text-muted">
          <Sparkline values={minutes} width={96} height={20} />
          {t('perSecond', { rate: rateText(attackRate(minutes)) })}
        </span>
      ),
    },
    count('attacks'),
    {
      id: 'blocked',
      header: t('blocked'),
      numeric: true,
      cell: ({ row }) => (row.attacks ? formatPercent((row.blocked ?? 0) / row.attacks) : '–'),
    },
    count('devices'),
    count('attackedUsers'),
    {
      id: 'crashRate',
      header: `${t('crashRate')} (${t('crashNote')})`,
      numeric: true,
      sort: 'crashRate',
      cell: ({ row, previous, crashRate }) => (
        <span className="inline-flex items-baseline gap-2">
          {compares && previous && (
            <span className="text-12 text-muted">
              <ChangeText now={crashRate} before={perThousand(previous.crashes, previous.starts)} />
            </span>
          )}
          {row.starts ? rateText(crashRate) : '–'}
        </span>
      ),
    },
  ]
  return (
    <DataTable
      label={t('title')}
      columns={columns}
      rows={lines}
      rowKey={({ id }) => id}
      sort={sort}
      onSort={(key) => state.setParams({ sort: key === 'attacks' ? null : key }, true)}
      onOpen={({ id }) => onOpen(id, 'app_analysis')}
    />
  )
}
