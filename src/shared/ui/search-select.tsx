import { Check, ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import { Icon } from './icon.tsx'
import { Popover } from './popover.tsx'
import { TextField } from './text-field.tsx'

type Item = { id: string; label: string; words?: string }

/**
 * One of a long list, found by typing; the label shows inside ("Account All"). `words` of an item find it too; Enter takes the first.
 * Made of parts that every page has: the autocomplete of the component library would be loaded with the shell.
 */
export function SearchSelect({
  label,
  items,
  value,
  onChange,
  placeholder,
  none,
  className = '',
}: {
  label: string
  items: readonly Item[]
  value: string
  onChange: (value: string) => void
  /** In the search field. */
  placeholder: string
  /** Shown where nothing matches. */
  none: string
  className?: string
}) {
  const shown = items.find(({ id }) => id === value)?.label ?? value
  return (
    <span className={`inline-flex ${className}`}>
      <Popover
        label={label}
        trigger={
          <Button
            aria-label={`${label} ${shown}`}
            className="inline-flex h-7 w-full min-w-0 items-center gap-1 rounded border border-line-strong bg-surface px-2.5 text-left text-12 text-text transition-colors duration-(--quick) hover:bg-hover"
          >
            <span className="flex-none text-muted">{label}</span>
            <span className="text-clip-line min-w-0 flex-1">{shown}</span>
            <Icon of={ChevronDown} size={14} className="text-muted" />
          </Button>
        }
      >
        {(close) => (
          <Choices
            items={items}
            value={value}
            placeholder={placeholder}
            none={none}
            onChoose={(id) => {
              onChange(id)
              close()
            }}
          />
        )}
      </Popover>
    </span>
  )
}

function Choices({
  items,
  value,
  placeholder,
  none,
  onChoose,
}: {
  items: readonly Item[]
  value: string
  placeholder: string
  none: string
  onChoose: (id: string) => void
}) {
  const [text, setText] = useState('')
  const typed = text.trim().toLowerCase()
  const found = items.filter(({ label, words = '' }) => `${label} ${words}`.toLowerCase().includes(typed))
  return (
    <div className="flex w-64 max-w-full flex-col gap-1 p-2">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (typed !== '' && found[0]) onChoose(found[0].id)
        }}
      >
        <TextField
          label={placeholder}
          hideLabel
          placeholder={placeholder}
          value={text}
          onChange={setText}
          autoComplete="off"
          autoFocus
        />
      </form>
      {found.length === 0 && <p className="px-2 py-1 text-12 text-muted">{none}</p>}
      <ul className="max-h-80 overflow-auto">
        {found.map(({ id, label }) => (
          <li key={id}>
            <button
              type="button"
              aria-pressed={id === value}
              onClick={() => onChoose(id)}
              className="flex h-7 w-full items-center gap-2 rounded-small px-2 text-left hover:bg-hover"
            >
              <span className="text-clip-line min-w-0 flex-1">{label}</span>
              <Icon of={Check} size={14} className={id === value ? 'text-brand-text' : 'invisible'} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
