/** The two outcomes of an attack, the same wherever they stand: a closed ring with a tick, a broken ring that is crossed. */
export function OutcomeGlyph({ blocked }: { blocked: boolean }) {
  return (
    <svg
      viewBox="-8 -8 16 16"
      className="wall-outcome"
      fill="none"
      stroke={blocked ? 'var(--text)' : 'var(--muted)'}
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      {blocked ? (
        <>
          <circle r="6.3" />
          <path d="M-2.9 0.3L-0.8 2.4L3 -2.2" />
        </>
      ) : (
        <>
          <path d="M-5.9 -2.4A6.3 6.3 0 0 1 5.9 -2.4M-5.9 2.4A6.3 6.3 0 0 0 5.9 2.4" opacity="0.75" />
          <path d="M-7.5 0H6.2M3.6 -2.6L6.4 0L3.6 2.6" />
        </>
      )}
    </svg>
  )
}
