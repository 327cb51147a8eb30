/** The shape of what is coming, shown only after 200 ms. `lines` stacks several; sizes are CSS lengths. */
export function Skeleton({
  width = '100%',
  height = '14px',
  lines = 1,
  className = '',
}: {
  width?: string
  height?: string
  lines?: number
  className?: string
}) {
  return (
    <span aria-hidden className={`late block ${className}`}>
      {Array.from({ length: lines }, (_, line) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity
          key={line}
          className="mb-2 block rounded-small bg-neutral last:mb-0"
          style={{ width: lines > 1 && line === lines - 1 ? '60%' : width, height }}
        />
      ))}
    </span>
  )
}
