/** Initials in a colour by hash (decision 31): round for people, square for applications. All colours carry white text at 4.5 : 1. */
const COLORS = [
  '#2b6cb0',
  '#2f7d6d',
  '#6b4fa0',
  '#b0562b',
  '#8a3f5d',
  '#41677f',
  '#7a6210',
  '#4a6b2f',
  '#555f79',
  '#9a3b3b',
]

function colorOf(text: string): string {
  let hash = 0
  for (const letter of text) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0
  return COLORS[hash % COLORS.length] as string
}

export function Avatar({
  name,
  shape = 'round',
  size = 26,
}: {
  name: string
  shape?: 'round' | 'square'
  size?: 20 | 24 | 26 | 40
}) {
  const initial = [...name.trim()][0]?.toUpperCase() ?? '?'
  return (
    <span
      aria-hidden
      className="inline-flex flex-none items-center justify-center font-semibold text-white"
      style={{
        width: size,
        height: size,
        fontSize: Math.max(11, Math.round(size * 0.46)),
        borderRadius: shape === 'round' ? '50%' : Math.round(size / 4),
        background: colorOf(name),
      }}
    >
      {initial}
    </span>
  )
}
