/** More points than this are drawn as means of neighbours: the line is 64 px wide. */
const POINTS = 32

function thinned(values: readonly number[]): number[] {
  const width = Math.ceil(values.length / POINTS)
  return Array.from({ length: Math.ceil(values.length / width) }, (_, index) => {
    const part = values.slice(index * width, (index + 1) * width)
    return part.reduce((a, b) => a + b, 0) / part.length
  })
}

/** A line of the last values, 64 by 24, with the earlier period dotted: shape only, the number is beside it. */
export function Sparkline({
  values,
  previous,
  width = 64,
  height = 24,
}: {
  values: readonly number[]
  previous?: readonly number[] | null
  width?: number
  height?: number
}) {
  if (values.length < 2) return null
  const shown = thinned(values)
  const before = previous && thinned(previous)
  const all = [...shown, ...(before ?? [])]
  const top = Math.max(...all)
  const low = Math.min(...all) * 0.9
  const scale = top > low ? (height - 3) / (top - low) : 0
  const line = (list: readonly number[]) =>
    list
      .map((value, index) => {
        const x = 1 + (index * (width - 2)) / (list.length - 1)
        const y = height - 1.5 - (value - low) * scale
        return `${index ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`
      })
      .join('')
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true" className="flex-none">
      {before && before.length > 1 && (
        <path d={line(before)} fill="none" className="stroke-faint" strokeDasharray="3 2" strokeWidth="1" />
      )}
      <path d={line(shown)} fill="none" className="stroke-brand" strokeWidth="1.5" strokeLinejoin="round" />
    </svg>
  )
}
