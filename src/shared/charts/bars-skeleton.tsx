/** Heights that read as 'bars over time'; no data. */
const SHAPE = [4, 6, 6, 6, 5, 6, 7, 7, 6, 5, 4, 3, 3, 3, 2, 2, 3, 4, 5, 9, 12, 11, 8, 8]

/** The shape of a chart that is coming; appears after 200 ms. */
export function BarsSkeleton({ height }: { height: number }) {
  return (
    <div aria-hidden className="late flex items-end justify-between gap-2 pt-8 pr-4 pb-6 pl-13" style={{ height }}>
      {SHAPE.map((size, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars of a skeleton have no identity
        <span key={index} className="min-w-0 flex-1 rounded-t-[2px] bg-neutral" style={{ height: `${size * 8}%` }} />
      ))}
    </div>
  )
}
