/**
 * What a phone says is read as untrusted text: bounded lines, no control or direction characters. Nothing here throws; a line that is
 * none of the kind is left out.
 */
const LONGEST_LINE = 1000

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** The text with invisible characters shown as escapes, on one line of bounded length. */
export function shown(text: string, most = LONGEST_LINE): string {
  const cut = text.length > most ? `${text.slice(0, most)}…` : text
  return cut
    .replaceAll('\t', '  ')
    .replaceAll('\n', ' ')
    .replace(INVISIBLE, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The first `most` lines, each of bounded length. */
export function linesOf(text: string, most: number): string[] {
  const lines: string[] = []
  for (let at = 0; at < text.length && lines.length < most; ) {
    const end = text.indexOf('\n', at)
    const stop = end < 0 ? text.length : end
    lines.push(text.slice(at, Math.min(stop, at + 4 * LONGEST_LINE)).replace(/\r$/, ''))
    at = stop + 1
  }
  return lines
}
