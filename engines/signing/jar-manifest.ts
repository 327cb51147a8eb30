import { FormatError } from '../bytes/format-error.ts'

/** A section of MANIFEST.MF or a signature file; attribute names are kept in lower case. */
export interface ManifestSection {
  /** Value of its first attribute where that is `Name`. */
  readonly name?: string
  readonly attributes: ReadonlyMap<string, string>
  /** Where it lies, with the empty line that closes it: that is what a signature file digests. */
  readonly offset: number
  readonly end: number
}

const CR = 13
const LF = 10
const SPACE = 32
/** An archive has at most 100,000 entries with a name, a few digests and an empty line each. */
const MOST_LINES = 1_000_000
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * The sections of a JAR manifest, the main one first. Lines end with CR, LF or both, a leading space continues the line before it,
 * empty lines part sections; a line without `: ` is an attribute with an empty value, as on Android. Throws FormatError `limit` above
 * a million lines, and nothing else.
 */
export function readManifest(bytes: Uint8Array): ManifestSection[] {
  const sections: ManifestSection[] = []
  let lines: Uint8Array[][] = []
  let sectionOffset = 0
  const close = (end: number) => {
    if (lines.length) sections.push(section(lines, sectionOffset, end))
    lines = []
  }
  let count = 0
  for (let at = 0; at < bytes.length; ) {
    if (++count > MOST_LINES) throw new FormatError('jar', 'limit', at, `more than ${MOST_LINES} lines in a manifest`)
    const begin = at
    while (at < bytes.length && bytes[at] !== CR && bytes[at] !== LF) at++
    const line = bytes.subarray(begin, at)
    if (at < bytes.length) at += bytes[at] === CR && bytes[at + 1] === LF ? 2 : 1
    if (!line.length) {
      close(at)
    } else if (line[0] === SPACE && lines.length) {
      lines[lines.length - 1]!.push(line.subarray(1))
    } else {
      if (!lines.length) sectionOffset = begin
      lines.push([line])
    }
  }
  close(bytes.length)
  return sections
}

function section(lines: Uint8Array[][], offset: number, end: number): ManifestSection {
  const attributes = new Map<string, string>()
  let name: string | undefined
  lines.forEach((pieces, i) => {
    const line = utf8.decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces))
    const colon = line.indexOf(': ')
    const key = (colon < 0 ? line : line.slice(0, colon)).toLowerCase()
    const value = colon < 0 ? '' : line.slice(colon + 2)
    if (i === 0 && key === 'name') name = value
    if (!attributes.has(key)) attributes.set(key, value)
  })
  return { ...(name !== undefined && { name }), attributes, offset, end }
}
