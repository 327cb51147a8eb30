/** Numbers as text, the same in pages and documents, in both languages (decision 22). */

const grouping = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })

/** Every digit, thousands grouped: `12,408`. */
export function formatExact(value: number): string {
  return grouping.format(value)
}

/** Bytes in steps of 1024: `86.9 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const units = ['KB', 'MB', 'GB', 'TB']
  let value = bytes / 1024
  let unit = 0
  while (value >= 1023.95 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  return `${value.toFixed(1)} ${units[unit]}`
}

/** `+5.2%`, `−3.0%`; '' where it is the same or has no basis. */
export function percentChange(before: number, after: number): string {
  if (before <= 0 || before === after) return ''
  const percent = (100 * (after - before)) / before
  const size = Math.abs(percent)
  const sign = percent > 0 ? '+' : '−'
  if (size < 0.05) return `${sign}<0.1%`
  return `${sign}${size >= 1000 ? Math.round(size).toLocaleString('en-US') : size.toFixed(1)}%`
}
