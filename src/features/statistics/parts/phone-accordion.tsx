import { ChevronDown } from 'lucide-react'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { Icon } from '#src/shared/ui/icon.tsx'

const PHONE = '(max-width: 639px)'

function subscribe(changed: () => void): () => void {
  const query = matchMedia(PHONE)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

/** A part of the page that a phone collapses under one line; elsewhere it is always open. */
export function PhoneAccordion({
  title,
  className = '',
  children,
}: {
  title: string
  className?: string
  children: ReactNode
}) {
  const phone = useSyncExternalStore(subscribe, () => matchMedia(PHONE).matches)
  const [isOpen, setOpen] = useState(false)
  if (!phone) return <div className={className}>{children}</div>
  return (
    <div className="border-b">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex h-11 w-full items-center justify-between px-4 text-14 font-semibold"
      >
        {title}
        <Icon
          of={ChevronDown}
          className={`text-muted transition-transform duration-(--quick) ${isOpen ? 'rotate-180' : ''}`}
        />
      </button>
      {isOpen && children}
    </div>
  )
}
