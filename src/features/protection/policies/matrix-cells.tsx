import { ACTIONS, type Action } from '#domain/vocabulary.ts'
import { useLanguage } from '#src/shared/i18n/texts.ts'

const COLUMNS = Object.keys(ACTIONS) as Action[]

/** One line of the matrix: five radio buttons as dots, the chosen one as a disc, the former one as a ring joined to it. */
export function MatrixCells({
  name,
  label,
  value,
  former,
  quiet = false,
  isDisabled,
  onChange,
}: {
  name: string
  label: string
  value: Action
  former?: Action | undefined
  /** Small and grey: a default, nothing that was set for one risk. */
  quiet?: boolean
  isDisabled: boolean
  onChange: (action: Action) => void
}) {
  const language = useLanguage()
  const [to, from] = [COLUMNS.indexOf(value), former === undefined ? -1 : COLUMNS.indexOf(former)]
  return (
    <fieldset aria-label={label} disabled={isDisabled} className="relative flex h-8">
      {from >= 0 && (
        <span
          aria-hidden
          className="absolute top-1/2 h-0.5 -translate-y-1/2 bg-bar-hover"
          style={{
            left: `calc((${Math.min(to, from)} + .5) * var(--cell))`,
            width: `calc(${Math.abs(to - from)} * var(--cell))`,
          }}
        />
      )}
      {COLUMNS.map((action, at) => (
        <label
          key={action}
          title={ACTIONS[action][language]}
          className={`group/cell relative flex w-(--cell) items-center justify-center ${isDisabled ? '' : 'cursor-pointer'}`}
        >
          <input
            type="radio"
            name={name}
            checked={at === to}
            onChange={() => onChange(action)}
            aria-label={ACTIONS[action][language]}
            className="peer absolute inset-0 appearance-none outline-none"
          />
          <span
            aria-hidden
            className={`pointer-events-none rounded-full outline-brand-fill peer-focus-visible:outline-2 peer-focus-visible:outline-offset-3 ${shape(at === to, at === from, quiet)}`}
          />
        </label>
      ))}
    </fieldset>
  )
}

function shape(chosen: boolean, former: boolean, quiet: boolean): string {
  if (chosen) return quiet ? 'size-2.5 bg-muted' : 'size-3.5 bg-brand-fill'
  if (former) return 'size-3 border-2 border-brand bg-surface'
  return 'size-1.5 bg-line-strong group-hover/cell:size-2.5 group-hover/cell:bg-faint'
}
