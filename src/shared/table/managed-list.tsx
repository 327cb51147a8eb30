import type { UseQueryResult } from '@tanstack/react-query'
import type { RowData } from '@tanstack/react-table'
import { Plus } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { DataTable } from './data-table.tsx'

/** A list whose entries are created and edited here (alert rules, channels): a line with the create button, then the table. */
export function ManagedList<Row extends RowData & { id: string }>({
  answer,
  label,
  columns,
  create,
  note,
  none,
  lines,
}: {
  answer: Pick<UseQueryResult<{ data: readonly Row[] }>, 'data' | 'error' | 'refetch'>
  label: string
  columns: ComponentProps<typeof DataTable<Row>>['columns']
  /** Absent without the permission. */
  create: { label: string; onPress: () => void } | false
  note?: ReactNode
  none: { title: string; hint: string; action?: ReactNode }
  /** Lines of the skeleton. */
  lines: number
}) {
  const rows = answer.data?.data
  return (
    <>
      <div className="flex items-center justify-end gap-2 px-5 py-2">
        {note}
        {create && (
          <Button variant="primary" icon={Plus} onPress={create.onPress}>
            {create.label}
          </Button>
        )}
      </div>
      {answer.error && !rows ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : rows ? (
        <DataTable
          label={label}
          columns={columns}
          rows={rows}
          rowKey={(one) => one.id}
          empty={<EmptyState kind="none" {...none} />}
        />
      ) : (
        <Skeleton lines={lines} height="24px" className="p-5" />
      )}
    </>
  )
}
