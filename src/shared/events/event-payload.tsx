import type { ReactNode } from 'react'
import type { EventRow } from '#domain/query.ts'

/** The event as one JSON text: the modelled columns that have a value, then what else the sender sent. */
export function payloadText({ extra, ...columns }: EventRow): string {
  const filled = Object.entries(columns).filter(([, value]) => value !== '' && value !== null && value !== false)
  return JSON.stringify({ ...Object.fromEntries(filled), ...extra }, null, 2)
}

const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\],]/g

/** JSON with its keys and brackets toned; text only, so nothing a sender sent is ever markup. */
export function Payload({ text }: { text: string }) {
  const parts: ReactNode[] = []
  let end = 0
  for (const match of text.matchAll(TOKENS)) {
    parts.push(text.slice(end, match.index))
    const tone = match[2] !== undefined ? 'text-brand-text' : match[1] === undefined ? 'text-muted' : ''
    parts.push(
      <span key={match.index} className={tone}>
        {match[0]}
      </span>,
    )
    end = match.index + match[0].length
  }
  parts.push(text.slice(end))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <pre tabIndex={0} className="max-h-96 overflow-auto rounded border bg-code px-3 py-2 text-12/[18px]">
      {parts}
    </pre>
  )
}
