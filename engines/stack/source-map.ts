import { TraceMap, traceSegment } from '@jridgewell/trace-mapping'

/** Source maps, version 3, also index maps (with sections). `bytes`: about what it takes in memory once a position was asked for. */
export type SourceMap = { sections: readonly Section[]; sources: number; bytes: number }
type Section = { line: number; column: number; map: FlatMap }
type FlatMap = { sources: string[]; contents: (string | null)[]; names: string[]; trace: TraceMap; segments: number }

type OriginalPosition = { source: string; line: number; column: number; name: string; content: string | null }

const MAX_SECTIONS = 1000
/** Of one map, empty lines included: about 8 MiB of mappings. */
const MAX_SEGMENTS = 1_500_000
/** Measured: a segment with a name, in its line. */
const SEGMENT_BYTES = 100
const DIGIT = '[A-Za-z0-9+/]'
const NUMBER = '[g-z0-9+/]{0,6}[A-Za-f]'
/** What the decoder would silently read as other numbers. */
const UNREADABLE = new RegExp(
  [
    '[^A-Za-z0-9+/,;]',
    `[g-z0-9+/](?!${DIGIT})|[g-z0-9+/]{7}`, // a number that does not end, or has more than seven digits
    `(?<!${DIGIT}),`, // an empty segment
    `(?<!${DIGIT})(?:(?:${NUMBER}){2,3}(?!${DIGIT})|(?:${NUMBER}){6})`, // a segment has one number, four or five
  ].join('|'),
)

/** Reads the JSON of a map. Throws Error with one line if the file is not of this format or has more than MAX_SEGMENTS. */
export function readSourceMap(text: string): SourceMap {
  // Some servers put a guard before JSON.
  const value: unknown = JSON.parse(text.startsWith(")]}'") ? text.slice(text.indexOf('\n')) : text)
  const map = asObject(value)
  if (map['version'] !== 3) throw new Error('not a source map of version 3')
  const sections = Array.isArray(map['sections'])
    ? map['sections'].slice(0, MAX_SECTIONS).map(readSection)
    : [{ line: 0, column: 0, map: readFlat(map) }]
  const sum = (count: (map: FlatMap) => number) => sections.reduce((all, section) => all + count(section.map), 0)
  const segments = sum((one) => one.segments)
  if (segments > MAX_SEGMENTS) throw new Error(`more than ${MAX_SEGMENTS} mappings`)
  return { sections, sources: sum((one) => one.sources.length), bytes: text.length + segments * SEGMENT_BYTES }
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
  if (UNREADABLE.test(mappings)) throw new Error('mappings cannot be read')
  const root = typeof sourceRoot === 'string' && sourceRoot !== '' ? `${sourceRoot.replace(/\/$/, '')}/` : ''
  const texts = (list: unknown) => (Array.isArray(list) ? list.map((one) => (typeof one === 'string' ? one : '')) : [])
  const contents = Array.isArray(sourcesContent)
    ? sourcesContent.map((one) => (typeof one === 'string' ? one : null))
    : []
  return {
    sources: texts(sources).map((source) => root + source),
    contents,
    names: texts(names),
    // Without its sources, whose addresses it would resolve: names stay as the map has them.
    trace: new TraceMap({ version: 3, sources: [], names: [], mappings }),
    segments: countSegments(mappings),
  }
}

function countSegments(mappings: string): number {
  let count = 1
  for (let at = 0; at < mappings.length; at++) {
    const code = mappings.charCodeAt(at)
    if (code === 44 || code === 59) count++
  }
  return count
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

function find(
  { sources, contents, names, trace }: FlatMap,
  line: number,
  column: number,
): OriginalPosition | undefined {
  const [, source, originalLine, originalColumn, name] = traceSegment(trace, line, column) ?? []
  const path = source === undefined ? undefined : sources[source]
  if (source === undefined || path === undefined) return undefined
  return {
    source: path,
    line: (originalLine ?? 0) + 1,
    column: (originalColumn ?? 0) + 1,
    name: (name === undefined ? undefined : names[name]) ?? '',
    content: contents[source] ?? null,
  }
}
