import type { ReactNode } from 'react'
import { Skeleton } from './skeleton.tsx'

export type SectionState = 'ready' | 'loading' | 'refreshing' | 'stale'

/**
 * A part of a page with its own head (40) and state. `state`: 'loading' shows a skeleton (or `skeleton`) instead of the content;
 * 'refreshing' keeps it under a thin moving line; 'stale' takes its colour away. `plain` draws no box: for parts that hairlines separate.
 */
export function Section({
  title,
  note,
  actions,
  state = 'ready',
  skeleton,
  plain = false,
  className = '',
  bodyClassName = '',
  children,
}: {
  title: ReactNode
  /** Beside the title: unit, count, order. */
  note?: ReactNode
  actions?: ReactNode
  state?: SectionState
  skeleton?: ReactNode
  plain?: boolean
  className?: string
  bodyClassName?: string
  children: ReactNode
}) {
  return (
    <section
      aria-busy={state === 'loading'}
      className={`relative flex min-w-0 flex-col ${plain ? '' : 'overflow-hidden rounded border bg-surface'} ${className}`}
    >
      {state === 'refreshing' && (
        <span aria-hidden className="absolute inset-x-0 top-0 z-10 h-0.5 overflow-hidden">
          <span className="refreshing block h-full w-2/5 bg-brand" />
        </span>
      )}
      <header className="flex min-h-10 flex-none flex-wrap items-center gap-x-2 py-1 pr-3 pl-5">
        <h2 className="text-14 font-semibold whitespace-nowrap">{title}</h2>
        {note && <span className="text-12 text-muted">{note}</span>}
        {actions && <div className="ml-auto flex flex-wrap items-center gap-1">{actions}</div>}
      </header>
      <div className={`flex min-h-0 flex-1 flex-col ${state === 'stale' ? 'stale' : ''} ${bodyClassName}`}>
        {state === 'loading' ? (skeleton ?? <Skeleton lines={5} className="px-5 pt-2 pb-5" />) : children}
      </div>
    </section>
  )
}
