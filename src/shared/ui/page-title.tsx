import { createContext, type ReactNode, useContext } from 'react'

/** The shell gives the way here (home, group); a page outside the shell has none. */
export const BreadcrumbContext = createContext<ReactNode>(null)

/** The title line (52): breadcrumb, title, note, and at the right quiet actions before the one primary one. */
export function PageTitle({ title, note, actions }: { title: ReactNode; note?: ReactNode; actions?: ReactNode }) {
  const breadcrumb = useContext(BreadcrumbContext)
  return (
    <header className="flex min-h-13 flex-none flex-wrap items-center gap-x-3 gap-y-2 px-5 py-2.5 max-lg:px-4">
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-3 max-sm:flex-col">
        <div className="flex min-w-0 items-baseline max-lg:flex-col max-lg:items-start">
          {breadcrumb}
          <h1 className="text-20/7 font-semibold">{title}</h1>
        </div>
        {note && <span className="text-12 text-muted">{note}</span>}
      </div>
      {actions && <div className="ml-auto flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  )
}
