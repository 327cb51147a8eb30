import { formatExact } from '#domain/number-text.ts'

/** Numbers as people read them: abbreviated k, M, G, T, P, E in both languages (decision 22), exact on hover. */

export { formatBytes, formatExact } from '#domain/number-text.ts'

const STEPS = ['k', 'M', 'G', 'T', 'P', 'E'] as const

/** Grouped below `from` (default 100,000), above it one decimal and the letter of its thousand: `12,408`, `186.4k`, `1.2M`. */
export function formatNumber(value: number, from = 100_000): string {
  if (!Number.isFinite(value)) return '–'
  const size = Math.abs(value)
  if (size < from) return formatExact(size < 100 ? Math.round(value * 100) / 100 : Math.round(value))
  let step = -1
  let scaled = size
  // 999,960 would round to 1000.0k: such a value takes the next letter.
  while (step < STEPS.length - 1 && (step < 0 || Math.round(scaled * 10) >= 10_000)) {
    scaled /= 1000
    step++
  }
  const sign = value < 0 ? '-' : ''
  return `${sign}${scaled.toFixed(1)}${STEPS[step]}`
}

/** A share between 0 and 1 as `12.4%`; what rounds to 0 without being 0 reads `<0.1%`. */
export function formatPercent(share: number, digits = 1): string {
  if (!Number.isFinite(share)) return '–'
  const least = 10 ** -digits
  if (share > 0 && share * 100 < least) return `<${least}%`
  return `${(share * 100).toFixed(digits)}%`
}
