/** Points won or lost against another scan; a lower score is bad news. */
export function ScoreDelta({ now, before }: { now: number; before: number }) {
  const difference = Math.round((now - before) * 10) / 10
  if (difference === 0) return <span className="text-muted">±0</span>
  return (
    <span
      className={`inline-flex items-center gap-1 whitespace-nowrap tabular-nums ${difference < 0 ? 'text-bad-text' : 'text-good-text'}`}
      title={`${before} → ${now}`}
    >
      <svg viewBox="0 0 10 8" width="10" height="8" aria-hidden="true" className="flex-none fill-current">
        <path d={difference > 0 ? 'M5 0 10 8H0Z' : 'M5 8 0 0h10Z'} />
      </svg>
      <span className="sr-only">{difference > 0 ? '+' : '−'}</span>
      {Math.abs(difference)}
    </span>
  )
}
