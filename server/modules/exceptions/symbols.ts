import { text } from 'node:stream/consumers'
import { type ClassMapping, readClassMapping } from '#engines/stack/mapping.ts'
import { javaClassesOf, retraceJava } from '#engines/stack/retrace-java.ts'
import { retraceJs, scriptsOf } from '#engines/stack/retrace-js.ts'
import { readSourceMap, type SourceMap } from '#engines/stack/source-map.ts'
import type { Stack } from '#engines/stack/stack.ts'
import type { ServerDeps } from '../../http/module.ts'

type SymbolDeps = Pick<ServerDeps, 'meta' | 'files'>
/** A class of a mapping in its file. */
type Slice = { start: number; end: number }

/** Indexes and maps that were read lately: one page asks for several stacks of one build. */
const KEPT = 4
const indexes = new Map<string, Promise<Map<string, Slice>>>()
const maps = new Map<string, SourceMap>()
/** Of the maps that one stack uses, and of those that are kept; one alone takes at most 200 MB. */
const MOST_BYTES = 300_000_000

/** The stack with names given back by the files of this version, and which file gave them; undefined where none knows any of its names. */
export async function retraceStack(
  deps: SymbolDeps,
  app: number,
  version: string,
  stack: Stack,
): Promise<{ stack: Stack; symbols: string } | undefined> {
  if (version === '') return undefined
  const rows = await deps.meta.db
    .selectFrom('symbol_files')
    .select(['id', 'kind', 'name', 'file', 'index_file'])
    .where('application_id', '=', app)
    .where('version', '=', version)
    .execute()
  if (rows.length === 0) return undefined
  const mapping = rows.find((row) => row.kind === 'r8')
  const classes = mapping?.index_file
    ? await classesOf(deps, mapping.file, mapping.index_file, javaClassesOf(stack))
    : new Map<string, ClassMapping>()
  const scripts = scriptsOf(stack)
  const wanted = rows.filter((row) => row.kind === 'sourcemap' && scripts.has(row.name))
  const symbols = classes.size > 0 ? mapping?.id : wanted[0]?.id
  if (symbols === undefined) return undefined
  const named = retraceJava(stack, classes)
  return { stack: wanted.length > 0 ? await inTurn(() => retraceScripts(deps, named, wanted)) : named, symbols }
}

async function retraceScripts(
  deps: SymbolDeps,
  stack: Stack,
  wanted: readonly { name: string; file: string }[],
): Promise<Stack> {
  const sources = new Map<string, SourceMap>()
  let room = MOST_BYTES
  for (const { name, file } of wanted) {
    const map = await keptMap(deps, file)
    room -= map.bytes
    if (room < 0) break
    sources.set(name, map)
  }
  return retraceJs(stack, sources)
}

let turn: Promise<unknown> = Promise.resolve()
/** One stack with source maps at a time: MOST_BYTES holds for the process, and a map that several stacks need is read once. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = turn.then(work)
  turn = result.catch(() => {}) // the caller sees the error
  return result
}

/** The index as it is kept: a line a class. */
export function indexText(spans: readonly { obfuscated: string; offset: number; length: number }[]): string {
  return spans.map(({ obfuscated, offset, length }) => `${obfuscated}\t${offset}\t${length}`).join('\n')
}

async function classesOf(deps: SymbolDeps, file: string, index: string, names: ReadonlySet<string>) {
  const spans = await kept(indexes, index, () => readIndex(deps, index))
  const found = new Map<string, ClassMapping>()
  const source = await deps.files.open(file)
  for (const name of names) {
    const slice = spans.get(name)
    const mapping = slice && readClassMapping(await text(source.stream(slice)))
    if (mapping) found.set(name, mapping)
  }
  return found
}

async function readIndex({ files }: SymbolDeps, file: string): Promise<Map<string, Slice>> {
  const lines = (await text((await files.open(file)).stream())).split('\n')
  return new Map(
    lines.map((line) => {
      const [name = '', offset, length] = line.split('\t')
      return [name, { start: Number(offset), end: Number(offset) + Number(length) }]
    }),
  )
}

/** The map, and of the others as many of the latest as there is room for beside it. */
async function keptMap({ files }: SymbolDeps, file: string): Promise<SourceMap> {
  const map = maps.get(file) ?? readSourceMap(await text((await files.open(file)).stream()))
  maps.delete(file)
  maps.set(file, map)
  let room = MOST_BYTES
  for (const [age, [name, { bytes }]] of [...maps].reverse().entries()) {
    room -= bytes
    if (room < 0 || age >= KEPT) maps.delete(name)
  }
  return map
}

function kept<T>(cache: Map<string, Promise<T>>, name: string, read: () => Promise<T>): Promise<T> {
  const known = cache.get(name) ?? read()
  known.catch(() => cache.delete(name)) // asked again next time
  cache.delete(name)
  cache.set(name, known)
  for (const oldest of cache.keys()) if (cache.size > KEPT) cache.delete(oldest)
  return known
}
