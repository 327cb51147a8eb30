import { CalendarX, FunnelX, Inbox, Lock, MonitorX, SearchX, Unplug } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon, type IconType } from './icon.tsx'

/** Why there is nothing: never any data, none in this range, filtered out, not allowed, source offline, a prerequisite or thing missing. */
export type EmptyKind = 'none' | 'range' | 'filtered' | 'permission' | 'offline' | 'missing'
const ICONS: Record<EmptyKind, IconType> = {
  none: Inbox,
  range: CalendarX,
  filtered: FunnelX,
  permission: Lock,
  offline: Unplug,
  missing: MonitorX,
}

/** Always at the same height below the top of its place. One cause, one next step (`action`: one plain Button, at most a quiet one beside it). */
export function EmptyState({
  kind,
  title,
  hint,
  action,
  code,
  icon,
}: {
  kind: EmptyKind
  title: ReactNode
  hint?: ReactNode
  action?: ReactNode
  /** In monospace below: an error code, a permission key. */
  code?: string | undefined
  icon?: IconType
}) {
  return (
    <div className="flex min-h-40 flex-1 flex-col items-center px-6 pt-14 pb-8 text-center">
      <Icon of={icon ?? ICONS[kind] ?? SearchX} size={20} className="mb-2 text-muted" />
      <div className="font-semibold">{title}</div>
      {hint && <div className="mt-0.5 max-w-[56ch] text-12 text-muted">{hint}</div>}
      {code && <code className="mt-1 text-12 text-muted select-all">{code}</code>}
      {action && <div className="mt-3 flex flex-wrap items-center justify-center gap-2">{action}</div>}
    </div>
  )
}
