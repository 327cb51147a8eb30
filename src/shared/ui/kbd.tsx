import type { ReactNode } from 'react'

/** A key to press. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-block min-w-[18px] rounded-[3px] border border-line-strong bg-surface px-1 text-center text-[11px]/4 text-muted">
      {children}
    </kbd>
  )
}
