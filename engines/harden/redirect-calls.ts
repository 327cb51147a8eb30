import { replaceInstruction } from '../dex-edit/code-body.ts'
import type { ClassDefinition, DexModel } from '../dex-edit/dex-model.ts'
import { ROW } from '../dex-edit/instruction-rows.ts'
import { bodiesNaming } from './edited-dex.ts'
import type { SeededRandom } from './seeded-random.ts'

/** A class of ours for one build, and the names of its static methods, by their signature. */
export interface CallTarget {
  /** With slashes. */
  readonly className: string
  readonly methods: ReadonlyMap<string, string>
}

export function newTarget(folder: string, signatures: readonly string[], random: SeededRandom): CallTarget {
  const names = new Set<string>()
  while (names.size < signatures.length) names.add(random.letters(4))
  const methods = new Map([...names].map((name, i) => [signatures[i]!, name]))
  return { className: `${folder}/${random.letters(5)}`, methods }
}

/** Calls with 35c and range forms, by how much further invoke-static lies, with the same registers. */
const TO_STATIC: ReadonlyMap<number, number> = new Map([
  ...[0x6e, 0x74].map((virtual) => [virtual, 3] as const),
  ...[0x71, 0x77].map((already) => [already, 0] as const),
])
const SUPER_TO_STATIC: ReadonlyMap<number, number> = new Map([0x6f, 0x75].map((one) => [one, 2]))
/** Kinds of method handles. */
const OF_STATIC = 4
const OF_INSTANCE = 5

export interface Redirect {
  /** What names of methods whose calls are redirected match. */
  readonly names: RegExp
  /** The signature of the method that takes the place of the one with this reference; undefined where calls of it stay. */
  signatureFor(reference: string): string | undefined
  /** Calls of a method above (`super`) are redirected too. */
  readonly supers?: boolean
}

/** Lets static methods of a target take the place of others. Answers the number of calls. */
export function redirectCalls(
  model: DexModel,
  classes: readonly ClassDefinition[],
  { className, methods }: CallTarget,
  { names, signatureFor, supers = false }: Redirect,
): number {
  const rows = new Map<number, number>()
  // The rows of the target's methods follow those that are looked at.
  const known = model.methods.length
  for (let row = 0; row < known; row++) {
    if (!names.test(model.strings[model.methods[row]!.name]!)) continue
    const signature = signatureFor(model.methodReference(row))
    if (signature) rows.set(row, model.method(`L${className};->${methods.get(signature)!}${signature}`))
  }
  if (!rows.size) return 0
  let count = 0
  for (const one of classes)
    for (const { body } of bodiesNaming(model, one, [ROW.method], new Set(rows.keys())))
      for (const call of body.instructions) {
        const to = rows.get(call.row)
        const further = TO_STATIC.get(call.opcode) ?? (supers ? SUPER_TO_STATIC.get(call.opcode) : undefined)
        if (to === undefined || further === undefined) continue
        replaceInstruction(call, [call.units[0]! + further, ...call.units.subarray(1)], to)
        count++
      }
  for (const [row, { kind, member }] of model.handles.entries()) {
    const to = kind === OF_INSTANCE || kind === OF_STATIC ? rows.get(member) : undefined
    if (to !== undefined) model.handles[row] = { kind: OF_STATIC, member: to }
  }
  return count
}
