/** `+5.2%`, `−3.0%`; '' where it is the same or has no basis. */
export function percentChange(before: number, after: number): string {
  if (before <= 0 || before === after) return ''
  const percent = (100 * (after - before)) / before
  const size = Math.abs(percent)
  const sign = percent > 0 ? '+' : '−'
  if (size < 0.05) return `${sign}<0.1%`
  return `${sign}${size >= 1000 ? Math.round(size).toLocaleString('en-US') : size.toFixed(1)}%`
}
