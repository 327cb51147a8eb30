/** How busy phones are at each hour of the day in Shanghai; mean 1 over the day. */
const HOURS = [
  0.5, 0.36, 0.29, 0.27, 0.31, 0.46, 0.74, 1.02, 1.17, 1.24, 1.27, 1.3, 1.38, 1.24, 1.16, 1.16, 1.18, 1.22, 1.28, 1.4,
  1.5, 1.49, 1.22, 0.84,
]
const MEAN = HOURS.reduce((sum, one) => sum + one, 0) / HOURS.length
const HOUR_MS = 3_600_000
/** Asia/Shanghai, which keeps one offset all year. */
const OFFSET_MS = 8 * HOUR_MS

/** Hour of the day in Shanghai with its fraction: 20.5 is half past eight in the evening. */
export function hourOfDay(at: number): number {
  return ((at + OFFSET_MS) / HOUR_MS) % 24
}

/** How much busier than the day's mean this moment is; the hours flow into each other. */
export function activityAt(at: number): number {
  const hour = hourOfDay(at) - 0.5
  const before = Math.floor(hour)
  const part = hour - before
  const value = (index: number) => HOURS[(index + 24) % 24] as number
  return (value(before) * (1 - part) + value(before + 1) * part) / MEAN
}
