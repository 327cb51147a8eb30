import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Icon } from '#src/shared/ui/icon.tsx'

const PAUSE_MS = 250

/** Searches while one types, a moment after the last key; Enter at once. The address holds the words. */
export function SearchBox({
  value,
  onSearch,
  label,
  id,
  className = 'w-56',
}: {
  value: string
  onSearch: (words: string) => void
  label: string
  id?: string
  className?: string
}) {
  const [words, setWords] = useState(value)
  const [seen, setSeen] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  // The address changed by other means: back, a cleared filter.
  if (value !== seen) {
    setSeen(value)
    if (value !== words.trim()) setWords(value)
  }
  const search = (next: string) => {
    clearTimeout(timer.current)
    if (next.trim() !== value) onSearch(next.trim())
  }
  return (
    <form
      className={`relative ${className}`}
      onSubmit={(event) => {
        event.preventDefault()
        search(words)
      }}
    >
      <Icon of={Search} size={14} className="pointer-events-none absolute top-1.5 left-2 text-muted" />
      <input
        id={id}
        type="search"
        aria-label={label}
        placeholder={label}
        value={words}
        maxLength={100}
        onChange={({ target }) => {
          setWords(target.value)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => search(target.value), PAUSE_MS)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur()
        }}
        className="h-7 w-full rounded border border-line-strong bg-surface pr-2 pl-7 text-12 placeholder:text-muted"
      />
    </form>
  )
}
