import { eachMapping, TraceMap } from '@jridgewell/trace-mapping'
import { functionNodes, type ScriptFunction } from './list-functions.ts'
import { parseScript } from './read-script.ts'

export interface FunctionPair {
  readonly name: string
  readonly line: number
  readonly before: string
  /** null: its place in the protected code is not known. */
  readonly after: string | null
}

/**
 * What became of functions: the source map says which piece of the protected code comes from where, and the smallest function around all
 * pieces of one original function is what it became.
 */
export function pairFunctions(
  text: string,
  functions: readonly ScriptFunction[],
  code: string,
  map: string,
  name: string,
): FunctionPair[] {
  const offsets = lineOffsets(text)
  const outOffsets = lineOffsets(code)
  /** Positions in the output by their offset in the source. */
  const pieces: { from: number; at: number }[] = []
  eachMapping(new TraceMap(map), ({ originalLine, originalColumn, generatedLine, generatedColumn }) => {
    if (originalLine === null || originalColumn === null) return
    const from = offsets[originalLine - 1]
    const at = outOffsets[generatedLine - 1]
    if (from !== undefined && at !== undefined) pieces.push({ from: from + originalColumn, at: at + generatedColumn })
  })
  const nodes = functionNodes(parseScript(code, name).program)
  return functions.map((one) => {
    const inside = pieces.filter(({ from }) => from > one.start && from < one.end).map(({ at }) => at)
    const around = { name: one.name, line: one.line, before: text.slice(one.start, one.end) }
    if (inside.length === 0) return { ...around, after: null }
    const begin = median(inside)
    // Pieces of strings and numbers may be moved to helpers of the obfuscator: the middle of them is inside.
    const holders = nodes.filter((node) => node.start <= begin && begin < node.end)
    const share = (start: number, end: number) => inside.filter((at) => at >= start && at < end).length / inside.length
    const smallest = holders
      .filter((node) => share(node.start, node.end) >= 0.6)
      .toSorted((a, b) => a.end - a.start - (b.end - b.start))[0]
    return { ...around, after: smallest ? code.slice(smallest.start, smallest.end) : null }
  })
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number
}

function lineOffsets(text: string): number[] {
  const offsets = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) offsets.push(at + 1)
  return offsets
}
