import type { MethodFacts, Program } from '../../dex/program.ts'

export interface LoadedText {
  readonly value: string
  /** Entry and byte offset of the instruction. */
  readonly entry: string
  readonly offset: number
}

const known = new WeakMap<Program, ReadonlyMap<string, readonly LoadedText[]>>()

/** Constant texts that a method loads, in the order of its code. */
export function textsOf(program: Program, { reference }: MethodFacts): readonly LoadedText[] {
  const all = known.get(program) ?? read(program)
  known.set(program, all)
  return all.get(reference) ?? []
}

function read(program: Program): ReadonlyMap<string, readonly LoadedText[]> {
  const found = new Map<string, LoadedText[]>()
  for (const { value, locations } of program.stringConstants())
    for (const { method, entry, offset } of locations) {
      const text = { value, entry, offset }
      if (!found.get(method.reference)?.push(text)) found.set(method.reference, [text])
    }
  for (const texts of found.values()) texts.sort((a, b) => a.offset - b.offset)
  return found
}
