import { ExternalLink } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { useNavigate } from 'react-router-dom'
import type { EntityRow } from '#contracts/query.ts'
import type { OpenEvents } from '#src/shared/events/use-open-events.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { CardState } from '#src/shared/query/card-state.tsx'
import { narrowed, pinned } from '#src/shared/query/drill.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { useStatistics } from '#src/shared/query/use-statistics.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { DataTable } from '#src/shared/table/data-table.tsx'
import { ExportMenu } from '#src/shared/table/export-menu.tsx'
import { useTableState } from '#src/shared/table/table-state.ts'
import { TableFoot, TableTools } from '#src/shared/table/table-tools.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { analysisTexts } from './analysis-texts.ts'
import { entityColumns } from './entity-columns.tsx'
import {
  ENTITY_LISTS,
  type EntityListName,
  type EntitySort,
  entityPart,
  type EntityList as ListOf,
  listPath,
} from './entity-lists.ts'

/** Users or devices, one line each; a line opens its events: as many as it says. */
export function EntityList({
  state,
  list,
  open,
  now,
  pageSize,
  wide = false,
  maxHeight,
  heading,
}: {
  state: QueryState
  list: EntityListName
  open: OpenEvents
  /** The page's `now`; undefined until its first answer. */
  now: number | undefined
  pageSize: number
  /** The full page: every column. */
  wide?: boolean
  maxHeight?: string
  /** Instead of the title: a switch between the lists. */
  heading?: ReactNode
}) {
  const t = useTexts(analysisTexts)
  const language = useLanguage()
  const nameOf = useNameOf()
  const navigate = useNavigate()
  const { entity, and, sorts, kinds, measure }: ListOf = ENTITY_LISTS[list]
  const { query } = state
  const columns = useMemo(() => {
    const attacksOnly = list === 'attackedUsers' || list === 'attackedDevices'
    const failures = list === 'exceptionDevices'
    return entityColumns(entity, { t, nameOf, language, wide, kinds: kinds ?? false, attacksOnly, failures, query })
  }, [entity, list, t, nameOf, language, wide, kinds, query])
  const [table, setTable] = useTableState(state, { sorts, columns: columns.map((column) => column.id) })
  const sort = table.sort as EntitySort
  const result = useStatistics(
    { ...state.query, compare: 'none' },
    { list: entityPart(list, sort, pageSize, (table.page - 1) * pageSize) },
    { now, enabled: now !== undefined },
  )
  const part = result.part('list')
  const total = part.kind === 'ready' ? part.answer.total : 0
  const title = t(list)
  const sortName = columns.find((column) => column.sort === sort)?.header ?? ''
  const openRows = (row: EntityRow) =>
    open.openRows(narrowed(query, [...and, { field: entity, op: 'is', values: [row.key] }]))
  const shownEntity = open.rowsQuery?.filters.find((filter) => filter.field === entity)?.values[0] ?? null
  return (
    <Section
      plain
      title={heading ?? title}
      note={
        part.kind === 'ready' && (
          <span data-testid="entity-total" data-value={total}>
            {t(entity === 'user' ? 'people' : 'machines', { count: formatExact(total) as never, sort: sortName })}
          </span>
        )
      }
      state={part.kind === 'loading' ? 'loading' : result.state}
      skeleton={<Skeleton lines={pageSize} height="20px" className="px-5 py-3" />}
      actions={
        <>
          <TableTools columns={columns} state={table} onChange={setTable} />
          {!wide && (
            <IconButton
              size="small"
              label={t('openList')}
              icon={ExternalLink}
              onPress={() => void navigate(listPath(list, query))}
            />
          )}
          <ExportMenu
            query={pinned(query, result.span)}
            part={entityPart(list, sort, 200, 0)}
            title={title}
            total={total}
          />
        </>
      }
    >
      <CardState part={part} state={state} isEmpty={total === 0} measure={measure} and={and} minHeight={220}>
        {part.kind === 'ready' && (
          <>
            <DataTable
              label={title}
              columns={columns}
              rows={part.answer.rows}
              rowKey={(row) => row.key}
              hidden={table.hidden}
              density={table.density}
              sort={sort}
              onSort={(key) => setTable({ sort: key })}
              current={shownEntity}
              onOpen={openRows}
              {...(maxHeight && { maxHeight })}
            />
            <TableFoot page={table.page} pageSize={pageSize} total={total} onPage={(page) => setTable({ page })} />
          </>
        )}
      </CardState>
    </Section>
  )
}
