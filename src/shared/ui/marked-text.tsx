import type { ReactNode } from 'react'

/** The text with every place that one of the words is in marked. */
export function MarkedText({ text, words }: { text: string; words: readonly string[] }) {
  return <>{markedParts(text, words).map(({ part, hit, from }) => (hit ? <Mark key={from}>{part}</Mark> : part))}</>
}

function Mark({ children }: { children: ReactNode }) {
  return <mark className="rounded-[2px] bg-warn-soft text-inherit">{children}</mark>
}

/** Consecutive parts of the text, those that are (part of) one of the words marked as hits. */
export function markedParts(text: string, words: readonly string[]): { part: string; hit: boolean; from: number }[] {
  const lower = text.toLowerCase()
  // Lower case of another length (İ): positions would be off.
  if (lower.length !== text.length) return [{ part: text, hit: false, from: 0 }]
  const inside = new Uint8Array(text.length)
  for (const word of words) {
    if (word === '') continue
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + word.length))
      inside.fill(1, at, at + word.length)
  }
  const parts: { part: string; hit: boolean; from: number }[] = []
  for (let from = 0; from < text.length; ) {
    let to = from
    while (to < text.length && inside[to] === inside[from]) to++
    parts.push({ part: text.slice(from, to), hit: inside[from] === 1, from })
    from = to
  }
  return parts
}
