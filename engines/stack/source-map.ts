/** Source maps, version 3, also index maps (with sections). */
export type SourceMap = { sections: readonly Section[]; sources: number }
type Section = { line: number; column: number; map: FlatMap }
type FlatMap = { sources: string[]; contents: (string | null)[]; names: string[]; mappings: string }

type OriginalPosition = { source: string; line: number; column: number; name: string; content: string | null }

const DIGITS = new Map(
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].map((digit, value) => [
    digit.charCodeAt(0),
    value,
  ]),
)
const MAX_SECTIONS = 1000

/** Reads the JSON of a map. Throws Error with one line if the file is not of this format. */
export function readSourceMap(text: string): SourceMap {
  // Some servers put a guard before JSON.
  const value: unknown = JSON.parse(text.startsWith(")]}'") ? text.slice(text.indexOf('\n')) : text)
  const map = asObject(value)
  if (map['version'] !== 3) throw new Error('not a source map of version 3')
  const sections = Array.isArray(map['sections'])
    ? map['sections'].slice(0, MAX_SECTIONS).map(readSection)
    : [{ line: 0, column: 0, map: readFlat(map) }]
  return { sections, sources: sections.reduce((sum, section) => sum + section.map.sources.length, 0) }
}

function readSection(value: unknown): Section {
  const section = asObject(value)
  const offset = asObject(section['offset'])
  const [line, column] = [offset['line'], offset['column']]
  if (typeof line !== 'number' || typeof column !== 'number') throw new Error('a section has no offset')
  return { line, column, map: readFlat(asObject(section['map'])) }
}

function readFlat(map: Record<string, unknown>): FlatMap {
  const { mappings, sources, sourcesContent, names, sourceRoot } = map
  if (typeof mappings !== 'string' || !Array.isArray(sources)) throw new Error('mappings or sources are missing')
  const root = typeof sourceRoot === 'string' && sourceRoot !== '' ? `${sourceRoot.replace(/\/$/, '')}/` : ''
  const texts = (list: unknown) => (Array.isArray(list) ? list.map((one) => (typeof one === 'string' ? one : '')) : [])
  const contents = Array.isArray(sourcesContent)
    ? sourcesContent.map((one) => (typeof one === 'string' ? one : null))
    : []
  return { sources: texts(sources).map((source) => root + source), contents, names: texts(names), mappings }
}

function asObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new Error('an object is missing')
  return value as Record<string, unknown>
}

/** Where a location of the script (line from 1, column from 1) came from; undefined where the map does not tell. */
export function originalPosition(map: SourceMap, line: number, column: number): OriginalPosition | undefined {
  const at = { line: line - 1, column: Math.max(0, column - 1) }
  const section = map.sections.findLast(
    (one) => one.line < at.line || (one.line === at.line && one.column <= at.column),
  )
  if (!section || at.line < 0) return undefined
  const inside = at.line - section.line
  return find(section.map, inside, inside === 0 ? at.column - section.column : at.column)
}

/** The last segment of the line that begins at or before the column. Numbers go on from line to line, so all before is read. */
function find(
  { sources, contents, names, mappings }: FlatMap,
  line: number,
  column: number,
): OriginalPosition | undefined {
  let [generated, source, originalLine, originalColumn, name, at] = [0, 0, 0, 0, 0, 0]
  let best: { source: number; line: number; column: number; name: number } | undefined
  let place = 0
  const number = () => {
    let [value, shift] = [0, 1]
    for (;;) {
      const digit = DIGITS.get(mappings.charCodeAt(place++))
      if (digit === undefined) throw new Error('mappings cannot be read')
      value += (digit & 31) * shift
      shift *= 32
      if (digit < 32) return value % 2 === 1 ? -(value - 1) / 2 : value / 2
    }
  }
  while (place < mappings.length && at <= line) {
    const code = mappings.charCodeAt(place)
    if (code === 59) {
      at++
      generated = 0
      place++
      continue
    }
    if (code === 44) {
      place++
      continue
    }
    generated += number()
    const ended = () =>
      place >= mappings.length || mappings.charCodeAt(place) === 44 || mappings.charCodeAt(place) === 59
    let [known, named] = [false, -1]
    if (!ended()) {
      source += number()
      originalLine += number()
      originalColumn += number()
      known = true
      if (!ended()) {
        name += number()
        named = name
      }
    }
    if (at === line && generated <= column)
      best = known ? { source, line: originalLine, column: originalColumn, name: named } : undefined
  }
  const path = best && sources[best.source]
  if (!best || path === undefined) return undefined
  return {
    source: path,
    line: best.line + 1,
    column: best.column + 1,
    name: names[best.name] ?? '',
    content: contents[best.source] ?? null,
  }
}
