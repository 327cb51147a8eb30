import { type Instruction, instruction } from '../dex-edit/code-body.ts'
import { type ClassDefinition, type DexModel, NO_ROW } from '../dex-edit/dex-model.ts'
import type { SeededRandom } from './seeded-random.ts'

/** Numbers with which texts of one build are hidden. */
export interface TextKey {
  readonly state: number
  readonly salt: number
  readonly factor: number
  readonly step: number
}

export function makeTextKey(random: SeededRandom): TextKey {
  return {
    state: random.word() | 0,
    salt: random.word() | 1 | 0,
    // With these last bits the numbers repeat only after all of them.
    factor: (random.word() & ~7) | 5 | 0,
    step: random.word() | 1 | 0,
  }
}

/** What may change of a character, so that it keeps its length in modified UTF-8. */
const maskOf = (unit: number): number => (unit >>> 11 ? 0x7ff : 0x7f)

/** A text hidden with the key; the first character of the result is the salt, from 1 to 127. */
export function hideText(text: string, key: TextKey, salt: number): string {
  let state = Math.imul(salt, key.salt) ^ key.state
  const units = [salt]
  for (let i = 0; i < text.length; i++) {
    state = (Math.imul(state, key.factor) + key.step) | 0
    const unit = text.charCodeAt(i)
    units.push(unit ^ ((state >>> 16) & maskOf(unit)))
  }
  return units.reduce((hidden, unit) => hidden + String.fromCharCode(unit), '')
}

const STRING = 'Ljava/lang/String;'

/**
 * The class whose method makes the text out of a hidden one. It is interned, as every text that code loads is, so that comparisons by identity
 * go on to work.
 */
export function addTextDecoder(model: DexModel, descriptor: string, key: TextKey): number {
  const method = model.method(`${descriptor}->a(${STRING})${STRING}`)
  const make = (units: number[], row = -1) => instruction(units, row)
  const constant = (register: number, value: number) =>
    make([0x14 | (register << 8), value & 0xffff, (value >>> 16) & 0xffff])
  const two = (opcode: number, a: number, b: number) => make([opcode | (a << 8) | (b << 12)])
  const three = (opcode: number, a: number, b: number, c: number) => make([opcode | (a << 8), b | (c << 8)])
  const jump = (units: number[], target: Instruction) => Object.assign(make(units), { target })
  // v0 characters, v1 their number, v2 place, v3 state, v4 to v6 others, v7 the hidden text
  const newString = make([0x22 | (4 << 8), 0], model.type(STRING))
  const narrow = three(0xe2, 4, 3, 16)
  const loop = jump([0x35 | (2 << 8) | (1 << 12), 0], newString)
  const instructions: Instruction[] = [
    make([0x106e, 0, 7], model.method(`${STRING}->toCharArray()[C`)),
    make([0x000c]),
    two(0x21, 1, 0),
    make([0x0212]),
    three(0x49, 3, 0, 2),
    constant(4, key.salt),
    two(0xb2, 3, 4),
    constant(4, key.state),
    two(0xb7, 3, 4),
    make([0x1212]),
    loop,
    constant(4, key.factor),
    two(0xb2, 3, 4),
    constant(4, key.step),
    two(0xb0, 3, 4),
    three(0x49, 5, 0, 2),
    three(0xe2, 4, 5, 11),
    make([0x0613, 0x7f]),
    jump([0x0438, 0], narrow),
    make([0x0613, 0x7ff]),
    narrow,
    two(0xb5, 4, 6),
    two(0xb7, 5, 4),
    two(0x8e, 5, 5),
    three(0x50, 5, 0, 2),
    three(0xd8, 2, 2, 1),
    jump([0x28], loop),
    newString,
    make([0x1512]),
    three(0xd8, 6, 1, 0xff),
    make([0x4070, 0, 0x6504], model.method(`${STRING}-><init>([CII)V`)),
    make([0x106e, 0, 4], model.method(`${STRING}->intern()${STRING}`)),
    make([0x040c]),
    make([0x0411]),
    make([]),
  ]
  model.classes.push(helperClass(model, descriptor, method, instructions, { registers: 8, ins: 1, outs: 4 }))
  return method
}

/** A class with one static method, that no debug information describes. */
export function helperClass(
  model: DexModel,
  descriptor: string,
  method: number,
  instructions: Instruction[],
  frame: { readonly registers: number; readonly ins: number; readonly outs: number },
): ClassDefinition {
  return {
    type: model.type(descriptor),
    // public final, and synthetic: no source has it
    flags: 0x1011,
    superclass: model.type('Ljava/lang/Object;'),
    interfaces: [],
    sourceFile: NO_ROW,
    staticFields: [],
    instanceFields: [],
    directMethods: [
      {
        method,
        flags: 0x1009,
        code: { is: 'body', ...frame, instructions, tries: [], debug: undefined, detail: 'none' },
      },
    ],
    virtualMethods: [],
  }
}
