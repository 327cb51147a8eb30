import type { PackageFigures } from '#contracts/http/reinforce-tasks.ts'
import { formatBytes, formatExact } from '#src/shared/format/number.ts'
import { percentChange } from '../size-change.ts'

export type FigureKey = keyof PackageFigures
export type FigureRow = { key: FigureKey; before: number; after: number; unit: 'bytes' | 'count' | 'bits' }

const UNITS: Record<FigureKey, FigureRow['unit']> = {
  size: 'bytes',
  strings: 'count',
  classes: 'count',
  methods: 'count',
  dex_files: 'count',
  dex_bytes: 'bytes',
  entropy: 'bits',
  library_bytes: 'bytes',
  exported: 'count',
}

/** Figures that both packages have, those without anything left out. */
export function figureRows(before: PackageFigures, after: PackageFigures): FigureRow[] {
  return (Object.keys(UNITS) as FigureKey[]).flatMap((key) => {
    const [a, b] = [before[key], after[key]]
    return a === null || b === null || (a === 0 && b === 0) ? [] : [{ key, before: a, after: b, unit: UNITS[key] }]
  })
}

export function figureText(value: number, unit: FigureRow['unit']): string {
  return unit === 'bytes' ? formatBytes(value) : unit === 'bits' ? value.toFixed(2) : formatExact(value)
}

/** `+5.2%`, `+1.52`, `+3`: small counts and bits as a difference, the rest as a share; '' without a change. */
export function figureChange({ before, after, unit }: FigureRow): string {
  const difference = after - before
  if (figureText(before, unit) === figureText(after, unit)) return ''
  const sign = difference > 0 ? '+' : '−'
  if (unit === 'bits') return `${sign}${Math.abs(difference).toFixed(2)}`
  if (unit === 'count' && (Math.max(before, after) < 100 || before === 0))
    return `${sign}${formatExact(Math.abs(difference))}`
  return percentChange(before, after) || `${sign}${figureText(Math.abs(difference), unit)}`
}
