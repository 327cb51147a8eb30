import type { CodeBody, Instruction } from '../dex-edit/code-body.ts'
import type { ClassDefinition, DexModel, MethodDefinition } from '../dex-edit/dex-model.ts'
import { methodsOf } from '../dex-edit/dex-model.ts'
import { editCode } from '../dex-edit/edit-code.ts'
import { INSTRUCTION_ROWS, unitCount } from '../dex-edit/instruction-rows.ts'

/** A dex file of the package on its way through the options. */
export interface EditedDex {
  readonly file: string
  readonly model: DexModel
  /** Classes that options may change. */
  readonly classes: readonly ClassDefinition[]
}

/** `La/B$C;` as `a.B$C`. */
export const classNameOf = (descriptor: string): string => descriptor.slice(1, -1).replaceAll('/', '.')

/**
 * Bodies of the methods of a class in which an instruction of these kinds (ROW) names one of the rows; only they are taken apart.
 * Without `rows` any row counts.
 */
export function* bodiesNaming(
  model: DexModel,
  one: ClassDefinition,
  kinds: readonly number[],
  rows?: ReadonlySet<number>,
): Generator<{ method: MethodDefinition; body: CodeBody }> {
  for (const method of methodsOf(one)) {
    if (!method.code || !names(model, method.code, kinds, rows)) continue
    yield { method, body: editCode(model, method)! }
  }
}

function names(
  model: DexModel,
  code: NonNullable<MethodDefinition['code']>,
  kinds: readonly number[],
  rows: ReadonlySet<number> | undefined,
): boolean {
  if (code.is === 'packed') return false
  if (code.is === 'body')
    return code.instructions.some(
      ({ opcode, row }) => kinds.includes(INSTRUCTION_ROWS[opcode] ?? 0) && (!rows || rows.has(row)),
    )
  const { units } = model.source
  const end = code.start + code.size
  for (let at = code.start; at < end; at += unitCount(units, at, end))
    if (kinds.includes(INSTRUCTION_ROWS[units[at]! & 0xff]!) && (!rows || rows.has(units[at + 1]!))) return true
  return false
}

/** Instructions that are run after another one than the one before them: targets of jumps and tables, handlers. */
export function jumpTargets(body: CodeBody): Set<Instruction> {
  const targets = new Set<Instruction>()
  for (const { target, table } of body.instructions) {
    if (target) targets.add(target)
    if (table && table.is !== 'array') for (const one of table.targets) targets.add(one)
  }
  for (const { handlers, catchAll } of body.tries) {
    if (catchAll) targets.add(catchAll)
    for (const { target } of handlers) targets.add(target)
  }
  return targets
}
