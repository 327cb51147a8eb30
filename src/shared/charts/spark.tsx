/** A line of the last values, 64 by 24, with the earlier period dotted: shape only, the number stands beside it. */
export function Spark({
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
  const all = [...values, ...(previous ?? [])]
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
      {previous && previous.length > 1 && (
        <path d={line(previous)} fill="none" className="stroke-faint" strokeDasharray="3 2" strokeWidth="1" />
      )}
      <path d={line(values)} fill="none" className="stroke-brand" strokeWidth="1.5" strokeLinejoin="round" />
    </svg>
  )
}
