import { parse, stringify } from './natives.ts'

/** A text as a field of the wire format takes it: no control characters, no broken pairs, at most so long. */
export function clip(text: unknown, longest = 256): string {
  return String(text)
    .slice(0, longest)
    .replace(/[\p{Cc}\p{Cs}]/gu, ' ')
}

/** The detail in at most so many bytes of JSON: what is longest in it is cut in half until it fits. */
export function fitDetail(detail: object, bytes: number): Record<string, unknown> {
  const fitted = parse(stringify(detail, (_key, value) => (typeof value === 'string' ? whole(value) : value)))
  const size = (value: unknown) => new TextEncoder().encode(stringify(value)).length
  while (size(fitted) > bytes) {
    const [longest] = Object.keys(fitted).sort((a, b) => size(fitted[b]) - size(fitted[a])) as [string]
    const value = fitted[longest]
    // Of a list the newest entries stay, of a text its beginning.
    if (Array.isArray(value) && value.length > 1) fitted[longest] = value.slice(-(value.length >> 1))
    else if (typeof value === 'string' && value.length > 1) fitted[longest] = whole(value.slice(0, value.length >> 1))
    else delete fitted[longest]
  }
  return fitted
}

/** Without halves of character pairs. */
function whole(text: string): string {
  return text.replace(/\p{Cs}/gu, ' ')
}
