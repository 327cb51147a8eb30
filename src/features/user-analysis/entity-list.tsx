import { Download, ExternalLink } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { useNavigate } from 'react-router-dom'
import { PAGES } from '#contracts/pages.ts'
import type { EntityRow, Filter, PartInput } from '#contracts/query.ts'
import type { OpenEvents } from '#src/shared/events/use-open-events.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { CardState } from '#src/shared/query/card-state.tsx'
import { carryQuery } from '#src/shared/query/query-url.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { useStatistics } from '#src/shared/query/use-statistics.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { DataTable } from '#src/shared/table/data-table.tsx'
import { useTableState } from '#src/shared/table/table-state.ts'
import { tableTexts } from '#src/shared/table/table-texts.ts'
import { TableFoot, TableTools } from '#src/shared/table/table-tools.tsx'
import { useExport } from '#src/shared/table/use-export.ts'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { analysisTexts } from './analysis-texts.ts'
import { type Entity, entityColumns } from './entity-columns.tsx'
import { narrowed, pinned } from './kpis.ts'

/** Users are listed for their attacks, devices for anything they did. */
const ENTITY_FILTERS: Record<Entity, readonly Filter[]> = {
  user: [{ field: 'type', op: 'is', values: ['risk'] }],
  device: [],
}
const SORTS: Record<Entity, readonly ('attacks' | 'events' | 'last')[]> = {
  user: ['attacks', 'last'],
  device: ['attacks', 'events', 'last'],
}

export function entityPart(entity: Entity, sort: 'attacks' | 'events' | 'last', limit: number, offset: number) {
  return { kind: 'entities', entity, sort, limit, offset, and: [...ENTITY_FILTERS[entity]] } satisfies PartInput
}

/** Attacked users or active devices, one line each; a line opens its events: as many as it says. */
export function EntityList({
  state,
  entity,
  open,
  now,
  pageSize,
  wide = false,
  maxHeight,
  heading,
}: {
  state: QueryState
  entity: Entity
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
  const w = useTexts(tableTexts)
  const language = useLanguage()
  const nameOf = useNameOf()
  const navigate = useNavigate()
  const mayExport = useMay('events.export')
  const startExport = useExport()
  const columns = useMemo(
    () => entityColumns(entity, { t, nameOf, language, wide }),
    [entity, t, nameOf, language, wide],
  )
  const [table, setTable] = useTableState(state, { sorts: SORTS[entity], columns: columns.map((column) => column.id) })
  const sort = table.sort as 'attacks' | 'events' | 'last'
  const result = useStatistics(
    { ...state.query, compare: 'none' },
    { list: entityPart(entity, sort, pageSize, (table.page - 1) * pageSize) },
    { now, enabled: now !== undefined },
  )
  const part = result.part('list')
  const total = part.kind === 'ready' ? part.answer.total : 0
  const title = t(entity === 'user' ? 'attackedUsers' : 'activeDevices')
  const sortName = columns.find((column) => column.sort === sort)?.header ?? ''
  const openRows = (row: EntityRow) =>
    open.openRows(narrowed(state.query, [...ENTITY_FILTERS[entity], { field: entity, op: 'is', values: [row.key] }]))
  const shownEntity = open.rowsQuery?.filters.find((filter) => filter.field === entity)?.values[0] ?? null
  const full = PAGES[entity === 'user' ? 'user_num' : 'analyzer_system'].path
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
              onPress={() => void navigate(`${full}?${carryQuery(state.query)}`)}
            />
          )}
          <IconButton
            size="small"
            label={mayExport ? w('export') : t('exportMissing')}
            icon={Download}
            isDisabled={!mayExport || total === 0}
            onPress={() => startExport(pinned(state.query, result.span), entityPart(entity, sort, 200, 0), title)}
          />
        </>
      }
    >
      <CardState
        part={part}
        state={state}
        isEmpty={total === 0}
        measure={entity === 'user' ? 'attackedUsers' : 'devices'}
        minHeight={220}
      >
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
