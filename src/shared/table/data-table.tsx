import {
  columnVisibilityFeature,
  createColumnHelper,
  type RowData,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown } from 'lucide-react'
import { type ReactNode, type Ref, useCallback, useImperativeHandle, useMemo, useRef } from 'react'
import { useTexts } from '../i18n/texts.ts'
import { useActions } from '../ui/actions.ts'
import { Icon } from '../ui/icon.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { tableTexts } from './table-texts.ts'

export type Column<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** Numbers stand at the right. */
  numeric?: boolean
  /** Key that the server sorts by; absent: not sortable. */
  sort?: string
  /** CSS width; absent: takes what is left. */
  width?: string
  /** Always shown, not in the chooser. */
  fixed?: boolean
  /** Left out on a phone: the row opens what it says. */
  wide?: boolean
  /** Left out where the table has no room for all columns of a long list: the row opens what it says. */
  spare?: boolean
}
export type DataTableHandle = { move: (step: 1 | -1) => void; toTop: () => void }

const features = tableFeatures({ columnVisibilityFeature })
const VIRTUAL_FROM = 60

/**
 * Rows that the server sorted and paged. j and k move (and preview while a drawer is open), Enter or a click opens. The header stays;
 * long pages draw only the rows in sight. The last cell turns into 'open' under the pointer.
 */
export function DataTable<Row extends RowData>({
  label,
  columns,
  rows,
  rowKey,
  hidden = [],
  sort,
  onSort,
  current,
  onOpen,
  density = 'normal',
  maxHeight,
  handle,
  empty,
  onScroll,
  openMark = true,
}: {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Ids of columns not shown. */
  hidden?: readonly string[]
  sort?: string
  onSort?: (key: string) => void
  /** Key of the row that is open or under the cursor keys. */
  current?: string | null
  onOpen?: (row: Row) => void
  density?: 'normal' | 'dense'
  /** CSS length: the table scrolls inside it. Absent: the page scrolls. */
  maxHeight?: string
  handle?: Ref<DataTableHandle>
  empty?: ReactNode
  /** Called while the table scrolls inside `maxHeight`: distance from the top in px, and whether the end is near. */
  onScroll?: (top: number, nearEnd: boolean) => void
  /** False where the last cell holds buttons: the word 'open' would cover them. */
  openMark?: boolean
}) {
  const t = useTexts(tableTexts)
  const scroller = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>()
    return helper.columns(
      columns.map((column) =>
        helper.display({ id: column.id, header: column.header, cell: ({ row }) => column.cell(row.original) }),
      ),
    )
  }, [columns])
  const visibility = useMemo(() => Object.fromEntries(hidden.map((id) => [id, false])), [hidden])
  const data = useMemo(() => [...rows], [rows])
  const table = useTable({
    features,
    columns: definitions,
    data,
    state: { columnVisibility: visibility },
    getRowId: rowKey,
  })
  const shown = table
    .getVisibleLeafColumns()
    .map((column) => columns.find((one) => one.id === column.id) as Column<Row>)
  const list = table.getRowModel().rows
  const rowHeight = density === 'dense' ? 28 : 36
  const virtual = list.length > VIRTUAL_FROM && maxHeight !== undefined
  const virtualizer = useVirtualizer({
    count: virtual ? list.length : 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    getItemKey: (index) => list[index]?.id ?? index,
  })
  const items = virtualizer.getVirtualItems()
  const drawn = virtual ? items.map((item) => list[item.index]).filter((row) => row !== undefined) : list
  const before = virtual ? (items[0]?.start ?? 0) : 0
  const after = virtual ? virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0) : 0

  const focusRow = useCallback(
    (index: number) => {
      if (virtual) virtualizer.scrollToIndex(index)
      // A row out of sight is drawn after the scroll.
      requestAnimationFrame(() => body.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus())
    },
    [virtual, virtualizer],
  )
  const move = useCallback(
    (step: 1 | -1) => {
      const focused = body.current?.contains(document.activeElement)
        ? Number((document.activeElement as HTMLElement).closest('tr')?.dataset['index'] ?? -1)
        : list.findIndex((row) => row.id === current)
      const next = Math.min(list.length - 1, Math.max(0, focused < 0 ? 0 : focused + step))
      const row = list[next]
      if (!row) return
      focusRow(next)
      if (current != null) onOpen?.(row.original)
    },
    [list, current, onOpen, focusRow],
  )
  useImperativeHandle(handle, () => ({ move, toTop: () => scroller.current?.scrollTo({ top: 0 }) }), [move])
  useActions([
    { id: `table.${label}.next`, label: t('next', { label }), group: t('group'), keys: 'j', run: () => move(1) },
    {
      id: `table.${label}.previous`,
      label: t('previousRow', { label }),
      group: t('group'),
      keys: 'k',
      run: () => move(-1),
    },
  ])

  return (
    <div
      ref={scroller}
      className={`relative min-w-0 overflow-auto ${columns.some(({ spare }) => spare) ? '@container' : ''} ${maxHeight === '100%' ? 'h-full' : ''}`}
      style={{ maxHeight }}
      onScroll={({ currentTarget: box }) =>
        onScroll?.(box.scrollTop, box.scrollTop + box.clientHeight > box.scrollHeight - 20 * rowHeight)
      }
    >
      <table aria-label={label} className="w-full border-collapse text-body" aria-rowcount={list.length}>
        <thead>
          <tr>
            {shown.map((column, index) => (
              <th
                key={column.id}
                scope="col"
                data-column={column.id}
                style={{ width: column.width }}
                aria-sort={column.sort === undefined ? undefined : column.sort === sort ? 'descending' : 'none'}
                className={`sticky top-0 z-10 h-8 border-b bg-surface px-2 text-12 font-normal whitespace-nowrap text-muted first:pl-5 last:pr-4 ${column.numeric ? 'text-right' : 'text-left'} ${afterNumber(shown, index)} ${hiddenWhen(column)}`}
              >
                {column.sort && onSort ? (
                  <button
                    type="button"
                    onClick={() => onSort(column.sort as string)}
                    className="inline-flex items-center gap-0.5 rounded-small hover:text-text"
                    title={t('sortBy', { column: column.header })}
                  >
                    {column.header}
                    {column.sort === sort && <Icon of={ArrowDown} size={12} className="text-brand-text" />}
                  </button>
                ) : (
                  column.header
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {before > 0 && <Spacer height={before} />}
          {drawn.map((row) => {
            const last = shown.length - 1
            return (
              <tr
                key={row.id}
                data-index={row.index}
                tabIndex={onOpen ? (row.id === current || (current == null && row.index === 0) ? 0 : -1) : undefined}
                aria-current={row.id === current ? 'true' : undefined}
                onClick={(event) => {
                  if (!(event.target as HTMLElement).closest('a,button')) onOpen?.(row.original)
                }}
                onKeyDown={(event) => {
                  if (event.target !== event.currentTarget) return
                  if (event.key === 'Enter') onOpen?.(row.original)
                  else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
                    event.preventDefault()
                    move(event.key === 'ArrowDown' ? 1 : -1)
                  }
                }}
                className={`group/row border-b outline-none -outline-offset-2 focus-visible:outline-2 focus-visible:outline-brand-fill ${onOpen ? 'cursor-pointer hover:bg-hover' : ''} ${row.id === current ? 'bg-selected shadow-[inset_2px_0_var(--brand)]' : ''}`}
                style={{ height: rowHeight }}
              >
                {row.getVisibleCells().map((cell, index) => (
                  <td
                    key={cell.id}
                    className={`px-2 whitespace-nowrap first:pl-5 last:pr-4 ${shown[index]?.numeric ? 'text-right' : afterNumber(shown, index)} ${hiddenWhen(shown[index])} ${index === last && onOpen ? 'relative' : ''}`}
                  >
                    <table.FlexRender cell={cell} />
                    {index === last && onOpen && openMark && (
                      <span
                        aria-hidden
                        className="absolute inset-y-0 right-4 hidden items-center gap-1.5 bg-hover pl-4 text-brand-text group-hover/row:flex"
                      >
                        {t('open')} <Kbd>↵</Kbd>
                      </span>
                    )}
                  </td>
                ))}
              </tr>
            )
          })}
          {after > 0 && <Spacer height={after} />}
        </tbody>
      </table>
      {list.length === 0 && empty}
    </div>
  )
}

/** A text column after a right-aligned number keeps some distance. */
function afterNumber(shown: readonly { numeric?: boolean }[], index: number): string {
  return shown[index - 1]?.numeric && !shown[index]?.numeric ? 'pl-4' : ''
}

/** Widths at which a column is left out; 1,410 px hold fourteen columns in English. */
function hiddenWhen(column: { wide?: boolean; spare?: boolean } | undefined): string {
  return `${column?.wide ? 'max-sm:hidden' : ''} ${column?.spare ? '@max-[1410px]:hidden' : ''}`
}

function Spacer({ height }: { height: number }) {
  return (
    <tr aria-hidden style={{ height }}>
      <td className="p-0" />
    </tr>
  )
}
