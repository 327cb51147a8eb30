import { type Instruction, instruction } from '../dex-edit/code-body.ts'
import {
  type ClassDefinition,
  type DexModel,
  type DexValue,
  ENCODED,
  type MethodDefinition,
} from '../dex-edit/dex-model.ts'
import { editCode } from '../dex-edit/edit-code.ts'
import { ROW } from '../dex-edit/instruction-rows.ts'
import { bodiesNaming, classNameOf, type EditedDex } from './edited-dex.ts'
import type { HardenLog } from './hardening.ts'
import type { SeededRandom } from './seeded-random.ts'
import { hideText, type TextKey } from './text-decoder.ts'

/** Method that gives the text, by its reference, and the key that it knows. */
export interface TextHiding {
  readonly decoder: string
  readonly key: TextKey
  readonly random: SeededRandom
  /** Texts that were hidden already, so that equal ones stay equal. */
  readonly hidden: Map<string, string>
  /** Whether objects of the class may be stored by their number (serialVersionUID), which an initialiser that is added would change. */
  isStored(descriptor: string): boolean
}

/**
 * Hides the texts that code loads: in their place a hidden one is loaded, and a method of a class of ours gives the text. Values of static
 * fields are set at the start of the initialiser of their class instead. Annotations stay: Android reads them itself.
 */
export function hideTexts({ file, model, classes }: EditedDex, hiding: TextHiding, log: HardenLog): void {
  const decoder = model.method(hiding.decoder)
  const hiddenRow = (row: number): number => {
    const text = model.strings[row]!
    let found = hiding.hidden.get(text)
    if (found === undefined) {
      found = hideText(text, hiding.key, 1 + hiding.random.below(127))
      hiding.hidden.set(text, found)
    }
    return model.string(found)
  }
  for (const one of classes) {
    const place = classNameOf(model.descriptor(one.type))
    let count = 0
    for (const { body } of bodiesNaming(model, one, [ROW.string, ROW.jumbo])) {
      const instructions: Instruction[] = []
      for (const load of body.instructions) {
        instructions.push(load)
        if ((load.opcode !== 0x1a && load.opcode !== 0x1b) || model.strings[load.row] === '') continue
        load.row = hiddenRow(load.row)
        const register = load.units[0]! >> 8
        instructions.push(instruction([0x0177, 0, register], decoder), instruction([0x0c | (register << 8)]))
        count++
      }
      body.instructions = instructions
      body.outs = Math.max(body.outs, 1)
    }
    const initialiser = initialiserOf(model, one)
    const values = one.staticFields.filter(({ value }) => isText(model, value))
    if (values.length && !initialiser && hiding.isStored(model.descriptor(one.type)))
      log.skipped('anti_decompile', file, place, 'texts of static fields of a serializable class', values.length)
    else count += hideValues(model, one, initialiser, hiddenRow, decoder)
    log.applied('anti_decompile', file, place, 'texts hidden', count)
  }
}

const INITIALISER = '<clinit>'

const initialiserOf = (model: DexModel, { directMethods }: ClassDefinition): MethodDefinition | undefined =>
  directMethods.find(({ method }) => model.strings[model.methods[method]!.name] === INITIALISER)

const isText = (model: DexModel, value: DexValue | undefined): value is DexValue & { readonly is: 'row' } =>
  value?.is === 'row' && value.type === ENCODED.string && model.strings[value.row] !== ''

/** The number of values that moved into the initialiser, which a class gets where it has none. */
function hideValues(
  model: DexModel,
  one: ClassDefinition,
  initialiser: MethodDefinition | undefined,
  hiddenRow: (row: number) => number,
  decoder: number,
): number {
  const instructions: Instruction[] = []
  for (const field of one.staticFields) {
    const { value } = field
    if (!isText(model, value)) continue
    delete field.value
    instructions.push(
      instruction([0x001a, 0], hiddenRow(value.row)),
      instruction([0x0177, 0, 0], decoder),
      instruction([0x000c]),
      instruction([0x0069, 0], field.field),
    )
  }
  if (!instructions.length) return 0
  const body = initialiser && editCode(model, initialiser)
  if (body) {
    // It has no parameters, so that its first register holds nothing yet.
    body.instructions.unshift(...instructions)
    body.registers = Math.max(body.registers, 1)
    body.outs = Math.max(body.outs, 1)
  } else
    one.directMethods.push({
      method: model.method(`${model.descriptor(one.type)}->${INITIALISER}()V`),
      // static constructor
      flags: 0x10008,
      code: {
        is: 'body',
        ...{ registers: 1, ins: 0, outs: 1, tries: [], debug: undefined, detail: 'none' },
        instructions: [...instructions, instruction([0x0e]), instruction([])],
      },
    })
  return instructions.length / 4
}
