const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [720, 200, 56, 24, 26]

export interface TrendPoint {
  readonly label: string
  readonly value: number
  readonly part: number
}

/**
 * Columns over time as SVG with its size in pixels: `value` of each point, the darker `part` of it from the ground up. At most 12 labels are
 * drawn. `names`: of the whole and of the part.
 */
export function trendChart(
  points: readonly TrendPoint[],
  names: { readonly value: string; readonly part: string },
): { svg: string; width: number; height: number } {
  const most = Math.max(1, ...points.map(({ value }) => value))
  const top = niceTop(most)
  const [inner, tall] = [WIDTH - LEFT - 8, HEIGHT - TOP - BOTTOM]
  const step = inner / Math.max(1, points.length)
  const y = (value: number) => TOP + tall - (value / top) * tall
  const every = Math.max(1, Math.ceil(points.length / 12))
  const lines = [0, 0.5, 1].map((share) => {
    const at = y(share * top)
    return `<line x1="${LEFT}" x2="${WIDTH - 8}" y1="${at}" y2="${at}" stroke="#d5dce6" stroke-width="1"/>${text(LEFT - 8, at + 4, String(share * top), 'end')}`
  })
  const columns = points.map(({ label, value, part }, at) => {
    const [x, width] = [LEFT + at * step + step * 0.15, Math.max(0.5, step * 0.7)]
    const column = (of: number, fill: string) =>
      of > 0 ? `<rect x="${x}" y="${y(of)}" width="${width}" height="${TOP + tall - y(of)}" fill="${fill}"/>` : ''
    const word = at % every === 0 ? text(x + width / 2, HEIGHT - 8, label, 'middle') : ''
    return column(value, '#b9cbe4') + column(part, '#24324a') + word
  })
  const legend = [
    ['#b9cbe4', names.value],
    ['#24324a', names.part],
  ].map(
    ([fill, name], at) =>
      `<rect x="${LEFT + at * 180}" y="4" width="12" height="12" rx="2" fill="${fill}"/>${text(LEFT + at * 180 + 18, 14.5, name as string)}`,
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${legend.join('')}${lines.join('')}${columns.join('')}</svg>`
  return { svg, width: WIDTH, height: HEIGHT }
}

/** The next even number of one significant digit. */
function niceTop(most: number): number {
  const unit = 10 ** Math.floor(Math.log10(most))
  const top = Math.ceil(most / unit) * unit
  return top % 2 === 0 ? top : top + Math.max(unit, 1)
}

function text(x: number, y: number, value: string, anchor = 'start'): string {
  return `<text x="${x}" y="${y}" font-family="Noto Sans SC" font-size="11" fill="#24324a" text-anchor="${anchor}">${value.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)}</text>`
}
