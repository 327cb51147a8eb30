import { formatExact, formatNumber } from '../format/number.ts'

/** A number abbreviated k, M, G, T, P, E, with the exact one on hover and for readers. */
export function Num({ value, from }: { value: number; from?: number }) {
  const short = formatNumber(value, from)
  const exact = formatExact(value)
  if (short === exact) return <>{exact}</>
  return (
    <span title={exact}>
      <span aria-hidden>{short}</span>
      <span className="sr-only">{exact}</span>
    </span>
  )
}
