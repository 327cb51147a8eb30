import type { FindingLevel } from '../detect/result/scan-result.ts'

const LEVELS = ['high', 'middle', 'low', 'info'] as const satisfies readonly FindingLevel[]
const [WIDTH, LABEL, NUMBER, ROW, BAR, LEGEND] = [720, 150, 60, 26, 14, 30]

/** Six hexadecimal digits each. */
export type LevelColors = Readonly<Record<FindingLevel, { readonly fill: string; readonly edge: string }>>

export interface LevelBar {
  readonly label: string
  readonly counts: Readonly<Record<FindingLevel, number>>
}

/** Bars of failed items by category, stacked by level, as SVG with its size in pixels. Each bar is followed by its number. */
export function levelChart(
  bars: readonly LevelBar[],
  names: Readonly<Record<FindingLevel, string>>,
  colors: LevelColors,
): { svg: string; width: number; height: number } {
  const height = LEGEND + bars.length * ROW + 4
  const paint = (level: FindingLevel) =>
    `fill="#${colors[level].fill}" stroke="#${colors[level].edge}" stroke-width=".6"`
  const most = Math.max(1, ...bars.map(({ counts }) => sum(counts)))
  const scale = (WIDTH - LABEL - NUMBER) / most
  const legend = LEVELS.map((level, at) => {
    const x = LABEL + at * 96
    return `<rect x="${x}" y="4" width="12" height="12" rx="2" ${paint(level)}/>${text(x + 18, 14.5, names[level])}`
  })
  const rows = bars.map(({ label, counts }, at) => {
    const y = LEGEND + at * ROW
    let x = LABEL
    const parts = LEVELS.map((level) => {
      const width = counts[level] * scale
      const part =
        width > 0 ? `<rect x="${x}" y="${y}" width="${Math.max(1, width - 1)}" height="${BAR}" ${paint(level)}/>` : ''
      x += width
      return part
    })
    return text(LABEL - 10, y + 11.5, label, 'end') + parts.join('') + text(x + 6, y + 11.5, String(sum(counts)))
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}">${legend.join('')}${rows.join('')}</svg>`
  return { svg, width: WIDTH, height }
}

function sum(counts: Readonly<Record<FindingLevel, number>>): number {
  return counts.high + counts.middle + counts.low + counts.info
}

function text(x: number, y: number, value: string, anchor = 'start'): string {
  return `<text x="${x}" y="${y}" font-family="Noto Sans SC" font-size="12" fill="#24324a" text-anchor="${anchor}">${escaped(value)}</text>`
}

function escaped(value: string): string {
  return value.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)
}
