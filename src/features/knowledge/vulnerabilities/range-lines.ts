import type { OwnEntry } from '#contracts/http/vulnerabilities.ts'

type Range = OwnEntry['ranges'][number]
const ENDS = { '>=': 'from', '>': 'after', '<': 'before', '<=': 'through', '=': 'version' } as const
const NO_VENDOR = '-'

/** Ranges as lines that a person writes: `squareup okhttp >=4.0 <4.9.2`; a product of several words is written with `_`. */
export function rangeLines(ranges: readonly Range[]): string {
  return ranges
    .map((range) =>
      [
        range.vendor.replaceAll(/\s/g, '_') || NO_VENDOR,
        range.product.replaceAll(/\s/g, '_'),
        ...Object.entries(ENDS).flatMap(([sign, end]) => (range[end] === undefined ? [] : [`${sign}${range[end]}`])),
      ].join(' '),
    )
    .join('\n')
}

/** The ranges of the lines, or the number of the first line that is not understood. Empty lines are left out. */
export function parseRangeLines(text: string): Range[] | { wrongLine: number } {
  const ranges: Range[] = []
  for (const [at, line] of text.split('\n').entries()) {
    const [vendor, product, ...conditions] = line.trim().split(/\s+/)
    if (!vendor) continue
    if (!product || /[<>=]/.test(vendor + product)) return { wrongLine: at + 1 }
    const range: Range = { vendor: vendor === NO_VENDOR ? '' : vendor, product }
    for (const condition of conditions) {
      const [, sign, version] = /^(>=|<=|>|<|=)([\w.+~-]{1,60})$/.exec(condition) ?? []
      if (!sign || !version) return { wrongLine: at + 1 }
      range[ENDS[sign as keyof typeof ENDS]] = version
    }
    ranges.push(range)
  }
  return ranges
}
