import { formatBytes, formatExact, percentChange } from './number-text.ts'

/** Figures of a package before and after its reinforcement (HARD-06), in the order in which they are shown. */
export const FIGURES = {
  size: { zh: '体积', en: 'Size', unit: 'bytes' },
  strings: { zh: '可读字符串', en: 'Readable strings', unit: 'count' },
  classes: { zh: '类', en: 'Classes', unit: 'count' },
  methods: { zh: '方法', en: 'Methods', unit: 'count' },
  dex_files: { zh: 'DEX 文件', en: 'Dex files', unit: 'count' },
  dex_bytes: { zh: 'DEX 大小', en: 'Dex size', unit: 'bytes' },
  entropy: { zh: 'DEX 平均熵', en: 'Dex entropy', unit: 'bits' },
  library_bytes: { zh: '原生库大小', en: 'Native libraries', unit: 'bytes' },
  exported: { zh: '导出组件', en: 'Exported components', unit: 'count' },
} as const
type FigureKey = keyof typeof FIGURES
/** null: the package has nothing of it. */
type Figures = { readonly [K in FigureKey]: number | null }
export type FigureRow = { key: FigureKey; before: number; after: number; unit: 'bytes' | 'count' | 'bits' }

/** Figures that both packages have, those without anything left out. */
export function figureRows(before: Figures, after: Figures): FigureRow[] {
  return (Object.keys(FIGURES) as FigureKey[]).flatMap((key) => {
    const [a, b] = [before[key], after[key]]
    return a === null || b === null || (a === 0 && b === 0)
      ? []
      : [{ key, before: a, after: b, unit: FIGURES[key].unit }]
  })
}

/** `12,408`, `86.9 MB`, `7.64`. */
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
