import { ExternalLink } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { useNavigate } from 'react-router-dom'
import { DEVICE_VERDICTS } from '#domain/device-score.ts'
import type { EntityRow } from '#domain/query.ts'
import { useDeviceVerdicts } from '#src/shared/devices/use-device-verdicts.ts'
import type { OpenEvents } from '#src/shared/events/use-open-events.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { CardState } from '#src/shared/query/card-state.tsx'
import { narrowed, pinned } from '#src/shared/query/drill.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { useStatistics } from '#src/shared/query/use-statistics.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { DataTable } from '#src/shared/table/data-table.tsx'
import { ExportMenu } from '#src/shared/table/export-menu.tsx'
import { readTableState, useTableState } from '#src/shared/table/table-state.ts'
import { TableFoot, TableTools } from '#src/shared/table/table-tools.tsx'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { analysisTexts } from './analysis-texts.ts'
import { entityColumns } from './entity-columns.tsx'
import {
  DEVICE_VERDICT_CHOICES,
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
  const { sort: sorted, page: turned } = readTableState(state.params, { sorts, columns: [] })
  const sort = sorted as EntitySort
  const verdict =
    entity === 'device' ? DEVICE_VERDICT_CHOICES.find((one) => one === state.params.get('verdict')) : undefined
  const result = useStatistics(
    { ...state.query, compare: 'none' },
    { list: entityPart(list, sort, pageSize, (turned - 1) * pageSize, verdict) },
    { now, enabled: now !== undefined },
  )
  const part = result.part('list')
  const verdicts = useDeviceVerdicts(
    entity === 'device' && part.kind === 'ready' ? part.answer.rows.map((row) => row.key) : [],
  )
  const columns = useMemo(() => {
    const attacksOnly = list === 'attackedUsers' || list === 'attackedDevices'
    const failures = list === 'exceptionDevices'
    const shape = { wide, kinds: kinds ?? false, attacksOnly, failures }
    return entityColumns(entity, { t, nameOf, language, ...shape, query, verdicts })
  }, [entity, list, t, nameOf, language, wide, kinds, query, verdicts])
  const [table, setTable] = useTableState(state, { sorts, columns: columns.map((column) => column.id) })
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
            {t(entity === 'user' ? 'people' : 'machines', { count: total, sort: sortName })}
          </span>
        )
      }
      state={part.kind === 'loading' ? 'loading' : result.state}
      skeleton={<Skeleton lines={pageSize} height="20px" className="px-5 py-3" />}
      actions={
        <>
          {entity === 'device' && (
            <Select
              size="small"
              label={t('verdict')}
              hideLabel
              value={verdict ?? 'any'}
              onChange={(next) => state.setParams({ verdict: next === 'any' ? null : next, page: null })}
              items={[
                { id: 'any', label: t('anyVerdict') },
                ...DEVICE_VERDICT_CHOICES.map((id) => ({
                  id,
                  label: id === 'none' ? t('notJudged') : DEVICE_VERDICTS[id][language],
                })),
              ]}
            />
          )}
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
            part={entityPart(list, sort, 200, 0, verdict)}
            title={title}
            total={total}
          />
        </>
      }
    >
      <CardState
        part={part}
        state={state}
        isEmpty={total === 0 && verdict === undefined}
        measure={measure}
        and={and}
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
              {...(verdict && {
                empty: (
                  <EmptyState
                    kind="filtered"
                    title={t('noneJudged')}
                    action={<Button onPress={() => state.setParams({ verdict: null })}>{t('anyVerdict')}</Button>}
                  />
                ),
              })}
              {...(maxHeight && { maxHeight })}
            />
            <TableFoot page={table.page} pageSize={pageSize} total={total} onPage={(page) => setTable({ page })} />
          </>
        )}
      </CardState>
    </Section>
  )
}
