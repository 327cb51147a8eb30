import { Minus, Pencil, Plus } from 'lucide-react'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { compareTexts } from './compare-texts.ts'

type Changes<Row> = {
  readonly added: readonly Row[]
  readonly removed: readonly Row[]
  readonly changed: readonly { readonly before: Row; readonly after: Row }[]
}

/** What came, went and changed of one part of two packages; nothing where nothing did. */
export function PartChanges<Row>({
  title,
  changes,
  nameOf,
  noteOf,
  mono = true,
}: {
  title: string
  changes: Changes<Row>
  nameOf: (row: Row) => string
  /** What may change of a row. */
  noteOf: (row: Row) => string
  /** Names that are code stand in its letters. */
  mono?: boolean
}) {
  const t = useTexts(compareTexts)
  const { added, removed, changed } = changes
  if (added.length + removed.length + changed.length === 0) return null
  return (
    <section className="break-inside-avoid-page border-t py-3" aria-label={title}>
      <h2 className="flex flex-wrap items-baseline gap-x-3 pb-1 text-14 font-semibold">
        {title}
        <span className="text-12 font-normal text-muted">
          {[
            added.length > 0 && t('added', { count: added.length }),
            removed.length > 0 && t('removed', { count: removed.length }),
            changed.length > 0 && t('altered', { count: changed.length }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </h2>
      <ul>
        {added.map((row) => (
          <Line
            key={`+${nameOf(row)}`}
            icon={Plus}
            color="text-warn-text"
            name={nameOf(row)}
            note={noteOf(row)}
            mono={mono}
          />
        ))}
        {removed.map((row) => (
          <Line
            key={`-${nameOf(row)}`}
            icon={Minus}
            color="text-muted"
            name={nameOf(row)}
            note={noteOf(row)}
            mono={mono}
            gone
          />
        ))}
        {changed.map(({ before, after }) => (
          <Line
            key={`~${nameOf(after)}`}
            icon={Pencil}
            color="text-brand-text"
            name={nameOf(after)}
            note={noteOf(before) === noteOf(after) ? differing(before, after) : `${noteOf(before)} → ${noteOf(after)}`}
            mono={mono}
          />
        ))}
      </ul>
    </section>
  )
}

/** The fields that differ, by their names. */
function differing(before: unknown, after: unknown): string {
  const [one, other] = [before, after] as [Record<string, unknown>, Record<string, unknown>]
  return Object.keys(other)
    .filter((key) => JSON.stringify(one[key]) !== JSON.stringify(other[key]))
    .join(', ')
}

function Line({
  icon,
  color,
  name,
  note,
  mono,
  gone = false,
}: {
  icon: typeof Plus
  color: string
  name: string
  note: string
  mono: boolean
  gone?: boolean
}) {
  return (
    <li className="flex min-h-7 items-baseline gap-2 border-b py-1 last:border-b-0">
      <Icon of={icon} size={12} className={`flex-none ${color}`} />
      <span
        className={`min-w-0 [overflow-wrap:anywhere] ${mono ? 'font-mono text-12' : ''} ${gone ? 'text-muted line-through' : ''}`}
      >
        {name}
      </span>
      <span className="ml-auto text-right text-12 text-muted">{note}</span>
    </li>
  )
}
