import { ChevronLeft, ChevronRight, Columns3, Rows3 } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { formatExact } from '../format/number.ts'
import { useTexts } from '../i18n/texts.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { MenuButton } from '../ui/menu-button.tsx'
import type { Column } from './data-table.tsx'
import type { TableState } from './table-state.ts'
import { tableTexts } from './table-texts.ts'

/** Column chooser and density, for the head of a table. */
export function TableTools<Row>({
  columns,
  state,
  onChange,
}: {
  columns: readonly Column<Row>[]
  state: TableState
  onChange: (change: Partial<TableState>) => void
}) {
  const t = useTexts(tableTexts)
  const self = useRef<HTMLSpanElement>(null)
  const [absent, setAbsent] = useState<readonly string[]>([])
  return (
    <span ref={self} className="contents">
      <MenuButton
        label={t('columns')}
        onOpenChange={(isOpen) => isOpen && setAbsent(columnsWithoutRoom(self.current))}
        trigger={<IconButton label={t('columns')} icon={Columns3} size="small" />}
        items={columns
          .filter((column) => !column.fixed)
          .map((column) => ({
            id: column.id,
            label: column.header,
            isChosen: !state.hidden.includes(column.id),
            ...(absent.includes(column.id) && { hint: t('noRoom') }),
            onAction: () =>
              onChange({
                hidden: state.hidden.includes(column.id)
                  ? state.hidden.filter((id) => id !== column.id)
                  : [...state.hidden, column.id],
              }),
          }))}
      />
      <IconButton
        label={t('density')}
        icon={Rows3}
        size="small"
        isSelected={state.density === 'dense'}
        onPress={() => onChange({ density: state.density === 'dense' ? 'normal' : 'dense' })}
      />
    </span>
  )
}

/** Columns that the table beside these tools leaves out at its width, though they are chosen. */
function columnsWithoutRoom(tools: Element | null): string[] {
  const heads = tools?.closest(':has(th[data-column])')?.querySelectorAll<HTMLElement>('th[data-column]') ?? []
  return [...heads].filter((one) => one.offsetWidth === 0).map((one) => one.dataset['column'] as string)
}

/** A note on all rows or the keys at the left, the position at the right. */
export function TableFoot({
  page,
  pageSize,
  total,
  onPage,
  note,
}: {
  page: number
  pageSize: number
  total: number
  onPage: (page: number) => void
  note?: ReactNode
}) {
  const t = useTexts(tableTexts)
  const from = Math.min(total, (page - 1) * pageSize + 1)
  const to = Math.min(total, page * pageSize)
  return (
    <footer className="mt-auto flex min-h-9 flex-none items-center gap-2 py-1 pr-3 pl-5 text-12 whitespace-nowrap text-muted">
      {note ? (
        <span className="whitespace-normal">{note}</span>
      ) : (
        <span className="flex items-center gap-1 max-lg:hidden" aria-hidden>
          <Kbd>j</Kbd>
          <Kbd>k</Kbd> {t('move')}
          <span className="w-2" />
          <Kbd>↵</Kbd> {t('openDrawer')}
        </span>
      )}
      <span className="ml-auto">
        {t('page', { from: formatExact(from), to: formatExact(to), total: formatExact(total) })}
      </span>
      <IconButton
        label={t('pageBefore')}
        icon={ChevronLeft}
        size="small"
        isDisabled={page <= 1}
        onPress={() => onPage(page - 1)}
      />
      <IconButton
        label={t('pageAfter')}
        icon={ChevronRight}
        size="small"
        isDisabled={to >= total}
        onPress={() => onPage(page + 1)}
      />
    </footer>
  )
}
