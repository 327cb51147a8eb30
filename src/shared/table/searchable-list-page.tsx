import type { RowData } from '@tanstack/react-table'
import type { ComponentProps, ReactNode } from 'react'
import { formatExact } from '../format/number.ts'
import { SegmentedControl } from '../ui/segmented-control.tsx'
import { ListPage } from './list-page.tsx'
import { PagedTable } from './paged-table.tsx'
import { TableTools } from './table-tools.tsx'
import { type ListState, PAGE_SIZE } from './use-list-state.ts'

type Table<Row extends RowData> = Omit<
  ComponentProps<typeof PagedTable<Row>>,
  'hidden' | 'density' | 'page' | 'pageSize' | 'onPage' | 'filtered' | 'children'
>

/** A page that is one searchable list (useListState): title with its count and actions, filters, table tools, the paged table. */
export function SearchableListPage<Row extends RowData>({
  list,
  title,
  count,
  actions,
  filters,
  texts,
  above,
  children,
  ...table
}: Table<Row> & {
  list: ListState<never>
  title: string
  /** The number of rows in words; `name` marks it for tests. Absent before the first answer. */
  count: { name: string; total: number; text: string } | undefined
  actions: ReactNode
  filters: ReactNode
  texts: { clear: string; filtered: string }
  /** Between filters and table. */
  above?: ReactNode
  /** Drawers and dialogs. */
  children?: ReactNode
}) {
  const { table: state, setTable, isFiltered, clear } = list
  return (
    <ListPage
      title={title}
      note={
        count && (
          <span data-testid={`${count.name}-total`} data-value={count.total}>
            {count.text}
          </span>
        )
      }
      actions={actions}
      filters={filters}
      clear={isFiltered && { label: texts.clear, onPress: clear }}
      tools={<TableTools columns={table.columns} state={state} onChange={setTable} />}
    >
      {above}
      <PagedTable<Row>
        {...(table as ComponentProps<typeof PagedTable<Row>>)}
        hidden={state.hidden}
        density={state.density}
        page={state.page}
        pageSize={PAGE_SIZE}
        onPage={(page) => setTable({ page })}
        filtered={isFiltered && { title: texts.filtered, clear: texts.clear, onClear: clear }}
      />
      {children}
    </ListPage>
  )
}

/** A choice between all rows and those of one value, each with its count; '' is all. */
export function CountedChoice<Value extends string>({
  label,
  all,
  value,
  onChange,
  items,
  counts,
}: {
  label: string
  /** Name of the first choice. */
  all: string
  value: Value | ''
  onChange: (value: Value | '') => void
  items: readonly { id: Value; label: string }[]
  /** Undefined before the first answer. */
  counts: Readonly<Partial<Record<Value, number>>> | undefined
}) {
  const countOf = (id: Value) => counts?.[id] ?? 0
  const total = items.reduce((sum, { id }) => sum + countOf(id), 0)
  return (
    <span className="max-w-full overflow-x-auto">
      <SegmentedControl<Value | ''>
        size="small"
        label={label}
        value={value}
        onChange={onChange}
        items={[
          { id: '', label: all, note: counts && formatExact(total) },
          ...items.map(({ id, label: text }) => ({ id, label: text, note: counts && formatExact(countOf(id)) })),
        ]}
      />
    </span>
  )
}
