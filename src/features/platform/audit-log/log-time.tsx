import { formatDateTime } from '#src/shared/format/time.ts'

/** When it was, to the second; `short`, and on a phone, without the year where it is this one. */
export function LogTime({ at, zone, short }: { at: number; zone: string; short: boolean }) {
  const brief = formatDateTime(at, zone, 'second', Date.now())
  if (short) return <span className="tabular-nums">{brief}</span>
  return (
    <span className="tabular-nums">
      <span className="max-sm:hidden">{formatDateTime(at, zone)}</span>
      <span className="sm:hidden">{brief}</span>
    </span>
  )
}
