/** `value` from 0 to 1; null while the total is unknown. */
export function ProgressBar({
  value,
  label,
  tone = 'brand',
}: {
  value: number | null
  /** What is progressing, for readers. */
  label: string
  tone?: 'brand' | 'good' | 'bad'
}) {
  const percent = value === null ? undefined : Math.round(Math.min(1, Math.max(0, value)) * 100)
  const color = tone === 'brand' ? 'bg-brand' : tone === 'good' ? 'bg-good' : 'bg-bad'
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="h-1 w-full overflow-hidden rounded-full bg-neutral"
    >
      <div
        className={`h-full rounded-full transition-[width] duration-(--slow) ${color} ${percent === undefined ? 'refreshing' : ''}`}
        style={{ width: percent === undefined ? '30%' : `${percent}%` }}
      />
    </div>
  )
}
