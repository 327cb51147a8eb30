import { useEffect, useRef } from 'react'

/**
 * A number whose digits roll when they change, and only those: the new digit comes from below while the old one leaves (its copy is
 * painted by the style sheet, so that the text of the element is the number alone). It shows what was counted, never more.
 */
export function RollingNumber({
  text,
  label,
  long = false,
  dimmed = false,
}: {
  text: string
  label: string
  long?: boolean
  /** Of an earlier moment: at 55 %. */
  dimmed?: boolean
}) {
  const before = useRef(text)
  const last = before.current
  useEffect(() => {
    before.current = text
  }, [text])
  // From the right: units stay units when a digit is added.
  const old = last.padStart(text.length, ' ').slice(-text.length)
  return (
    <output className="wall-number" data-long={long || undefined} data-dimmed={dimmed || undefined} data-testid={label}>
      {[...text].map((digit, i) => {
        const place = text.length - i
        const was = old[i] ?? ' '
        return /\d/.test(digit) ? (
          <span key={`${place} ${digit}`} className="wall-digit" {...(was !== digit && { 'data-before': was.trim() })}>
            <span>{digit}</span>
          </span>
        ) : (
          <span key={place}>{digit}</span>
        )
      })}
    </output>
  )
}
