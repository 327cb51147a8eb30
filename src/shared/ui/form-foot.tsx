import type { ReactNode } from 'react'

/** The foot of a form on a page: what saves it is at its right end, as in a dialog; it stays in view while the form is. */
export function FormFoot({ note, children }: { note?: ReactNode; children: ReactNode }) {
  return (
    <div className="sticky bottom-0 flex flex-wrap items-center justify-end gap-2 border-t bg-surface py-3">
      {note && <span className="mr-auto text-12 text-muted">{note}</span>}
      {children}
    </div>
  )
}
