import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { PageTitle } from '../ui/page-title.tsx'

/** A page that is one list: title with its count and actions, a line of filters with the table's tools at its end, the table. */
export function ListPage({
  title,
  note,
  actions,
  filters,
  clear,
  tools,
  children,
}: {
  title: string
  note?: ReactNode
  actions?: ReactNode
  filters: ReactNode
  /** Takes every filter away; false while none is set. */
  clear?: false | { label: string; onPress: () => void }
  tools?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle title={title} note={note} actions={actions} />
      <div className="flex flex-wrap items-center gap-2 px-5 pb-2 max-lg:px-4">
        {filters}
        {clear && (
          <Button size="small" variant="quiet" onPress={clear.onPress}>
            {clear.label}
          </Button>
        )}
        {tools && <span className="ml-auto flex items-center">{tools}</span>}
      </div>
      {children}
    </div>
  )
}
