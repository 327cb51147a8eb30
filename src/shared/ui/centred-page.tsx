import type { ReactNode } from 'react'

/** A page whose content is read, not compared: at most 1,200 px wide in the middle of a wide screen, title included. */
export function CentredPage({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <div className="mx-auto flex w-full max-w-[1200px] flex-1 flex-col">{children}</div>
    </div>
  )
}
