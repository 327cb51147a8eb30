import type { ReactNode } from 'react'
import { formatPercent } from '../format/number.ts'
import { useTexts } from '../i18n/texts.ts'
import { Num } from '../ui/num.tsx'
import { chartTexts } from './chart-texts.ts'

export type FacetItem = {
  key: string
  label: string
  /** null: not shown (distinct counts of a remainder do not add up). */
  value: number | null
  /** Share of all, 0 to 1; absent: no share column. */
  share?: number
  /** Small text in a column of its own instead of the share: a change. */
  note?: ReactNode
  /** Grey bar: not on the scale of the others (abroad, no place). */
  aside?: boolean
  /** Number without bar, and nothing to pick: the rest. */
  rest?: boolean
  mark?: ReactNode
}

/**
 * Ranked bars that end before the number column. A click picks a value, Shift-click excludes it; `picked` values are marked.
 */
export function FacetBars({
  items,
  onPick,
  picked,
  label,
}: {
  items: readonly FacetItem[]
  onPick?: (key: string, exclude: boolean) => void
  picked?: (key: string) => boolean
  /** Name of the list for readers. */
  label: string
}) {
  const t = useTexts(chartTexts)
  const top = Math.max(1, ...items.filter((item) => !item.rest).map((item) => item.value ?? 0))
  return (
    <ul aria-label={label} className="flex flex-col gap-0.5 text-12">
      {items.map((item) => {
        const shared = item.share !== undefined || item.note !== undefined
        const content = (
          <>
            {!item.rest && (
              <span
                aria-hidden
                className={`absolute inset-y-0 left-0 min-w-0.5 rounded-[3px] ${item.aside ? 'bg-neutral' : 'bg-bar group-hover:bg-bar-hover'}`}
                style={{ width: `calc((100% - ${shared ? 100 : 56}px) * ${(item.value ?? 0) / top})` }}
              />
            )}
            {item.mark}
            <span
              className={`text-clip-line relative min-w-0 flex-1 text-left ${item.rest ? 'text-muted' : ''}`}
              title={item.label}
            >
              {item.label}
            </span>
            <span className="relative text-right">{item.value !== null && <Num value={item.value} />}</span>
            {shared && (
              <span className="relative w-10 text-right text-muted">
                {item.share === undefined ? item.note : formatPercent(item.share)}
              </span>
            )}
          </>
        )
        const box = 'relative flex h-[22px] w-full items-center gap-1 rounded-[3px] px-1.5 whitespace-nowrap'
        return (
          <li key={item.key}>
            {item.rest || !onPick ? (
              <div className={box}>{content}</div>
            ) : (
              <button
                type="button"
                title={t('pickHint')}
                aria-pressed={picked?.(item.key) ?? false}
                onClick={(event) => onPick(item.key, event.shiftKey)}
                className={`${box} group focus-visible:z-1 aria-pressed:outline-1 aria-pressed:outline-brand`}
              >
                {content}
              </button>
            )}
          </li>
        )
      })}
    </ul>
  )
}
