import type { ReactNode } from 'react'
import { Icon, type IconType } from '#src/shared/ui/icon.tsx'

/** One maintenance action: what it is, on what it works now, and its verb. */
export function ActionRow({
  icon,
  title,
  note,
  children,
}: {
  icon: IconType
  title: string
  note: ReactNode
  children: ReactNode
}) {
  return (
    <li className="flex min-h-14 items-center gap-4 border-b px-5 py-2 max-lg:px-4">
      <Icon of={icon} size={20} className="flex-none text-muted" />
      <div className="min-w-0 flex-1">
        <h2 className="font-semibold">{title}</h2>
        <p className="text-12 text-muted">{note}</p>
      </div>
      {children}
    </li>
  )
}
