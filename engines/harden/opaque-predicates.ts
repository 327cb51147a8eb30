import { instruction } from '../dex-edit/code-body.ts'
import { type ClassDefinition, type DexModel, methodsOf, NO_ROW } from '../dex-edit/dex-model.ts'
import { editCode } from '../dex-edit/edit-code.ts'
import { classNameOf, type EditedDex } from './edited-dex.ts'
import type { HardenLog } from './hardening.ts'
import type { SeededRandom } from './seeded-random.ts'

/** Shorter methods are called often and say little. */
const SHORTEST = 24

/** The class with the number that predicates are computed from: any number will do, and no tool knows which. */
export function addPredicateSource(model: DexModel, descriptor: string, random: SeededRandom): void {
  const field = model.field(`${descriptor}->a:I`)
  const initialiser = model.method(`${descriptor}-><clinit>()V`)
  const random32 = random.word()
  const source: ClassDefinition = {
    ...{ type: model.type(descriptor), flags: 0x1011, superclass: model.type('Ljava/lang/Object;'), interfaces: [] },
    ...{ sourceFile: NO_ROW, instanceFields: [], virtualMethods: [] },
    staticFields: [{ field, flags: 0x1009 }],
    directMethods: [
      {
        method: initialiser,
        flags: 0x10008,
        code: {
          is: 'body',
          ...{ registers: 1, ins: 0, outs: 0, tries: [], debug: undefined, detail: 'none' },
          instructions: [
            instruction([0x0014, random32 & 0xffff, random32 >>> 16]),
            instruction([0x0067, 0], field),
            instruction([0x000e]),
            instruction([]),
          ],
        },
      },
    ],
  }
  model.classes.push(source)
}

/**
 * Puts a condition that is never true at the start of methods: n * (n + 1) is even for every n. Its jump leads back to the start, so that
 * tools that do not compute it show a loop around the method. Registers that hold no argument hold nothing yet there.
 * Constructors are left alone: no jump may lead back before the call of another constructor.
 */
export function addPredicates({ file, model, classes }: EditedDex, source: string, log: HardenLog): void {
  const field = model.field(`${source}->a:I`)
  for (const one of classes) {
    let count = 0
    for (const method of methodsOf(one)) {
      const { code } = method
      if (!code || (code.is === 'file' && code.size < SHORTEST) || code.registers - code.ins < 2) continue
      if (model.strings[model.methods[method.method]!.name]!.startsWith('<')) continue
      const body = editCode(model, method)!
      const begin = instruction([0x0060, 0], field)
      const never = instruction([0x0039, 0])
      never.target = begin
      body.instructions.unshift(
        begin,
        instruction([0x01d8, 0x0100]),
        instruction([0x10b2]),
        instruction([0x00dd, 0x0100]),
        never,
      )
      count++
    }
    log.applied('anti_decompile', file, classNameOf(model.descriptor(one.type)), 'opaque predicates added', count)
  }
}
