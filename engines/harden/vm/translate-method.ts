import { OPCODE_FORMATS, OPCODE_NAMES } from '../../dex/opcodes.ts'
import type { CodeBody, Instruction } from '../../dex-edit/code-body.ts'
import type { DexModel } from '../../dex-edit/dex-model.ts'
import type { VmImage, VmRecord, VmTry } from './vm-image.ts'

/** What a translation needs to know of the class that the method lies in and of others. */
export interface VmPlace {
  /** Of the class of the method. */
  readonly superclass: string
  /** Whether another thread may still initialise the class while this one reads its static fields. */
  mayInitialise(descriptor: string): boolean
}

/** Public methods of every object, which an interface does not declare itself. */
const OF_OBJECTS = new Set([
  ...['getClass()Ljava/lang/Class;', 'hashCode()I', 'equals(Ljava/lang/Object;)Z', 'toString()Ljava/lang/String;'],
  ...['notify()V', 'notifyAll()V', 'wait()V', 'wait(J)V', 'wait(JI)V'],
])

const STRING = 'Ljava/lang/String;'

/** Records of a method and its try blocks; the instructions must be ones that `unsuitable` (eligible-methods.ts) does not name. */
export function translateMethod(
  model: DexModel,
  body: CodeBody,
  image: VmImage,
  place: VmPlace,
): { readonly records: VmRecord[]; readonly tries: VmTry[] } {
  const numbers = new Map<Instruction, number>()
  const real = body.instructions.filter((one) => isReal(one))
  let next = 0
  // What is no record itself leads to the next one.
  for (const one of body.instructions) {
    numbers.set(one, next)
    if (isReal(one)) next++
  }
  const numberOf = (one: Instruction) => numbers.get(one)!
  const records = real.map((one) => recordOf(model, one, image, place, numberOf))
  const tries = body.tries.map(({ from, to, handlers, catchAll }) => ({
    ...{ from: numberOf(from), to: numberOf(to) },
    handlers: [
      ...handlers.map(({ type, target }) => ({ type: image.type(model.descriptor(type)), target: numberOf(target) })),
      ...(catchAll ? [{ type: -1, target: numberOf(catchAll) }] : []),
    ],
  }))
  return { records, tries }
}

const isReal = ({ units, opcode }: Instruction): boolean => units.length > 0 && opcode !== 0

const record = (operation: string, a = 0, b = 0, c = 0, low = 0, high = 0): VmRecord => ({
  ...{ operation, a, b, c, low, high },
})

function recordOf(
  model: DexModel,
  one: Instruction,
  image: VmImage,
  place: VmPlace,
  numberOf: (one: Instruction) => number,
): VmRecord {
  const name = OPCODE_NAMES[one.opcode]!.replace(/\/.*/, '')
  const { a, b, literal } = operandsOf(one)
  const type = () => image.type(model.descriptor(one.row))
  if (/^invoke-/.test(name)) return invokeRecord(model, one, name, image, place)
  if (/^[is](get|put)/.test(name)) return record(name.slice(0, 4), a, b, 0, fieldRow(model, one, image, place))
  if (/^if-/.test(name)) return record(name, a, b, 0, numberOf(one.target!))
  switch (name) {
    case 'move':
    case 'move-wide':
      return record('move', a, b)
    case 'move-result-wide':
      return record('move-result', a)
    case 'return-wide':
      return record('return', a)
    case 'const':
    case 'const-wide':
      return record('const', a, 0, 0, literal.low, name === 'const' ? 0 : literal.high)
    case 'const-string':
      return record(name, a, 0, 0, image.string(model.strings[one.row]!))
    case 'const-class':
    case 'check-cast':
    case 'new-instance':
      return record(name, a, 0, 0, type())
    case 'instance-of':
    case 'new-array':
      return record(name, a, b, 0, type())
    case 'filled-new-array': {
      const list = registersOf(one)
      return record(name, list.length, 0, 0, type(), image.words(list))
    }
    case 'fill-array-data':
      return arrayRecord(one, a, image)
    case 'goto':
      return record(name, 0, 0, 0, numberOf(one.target!))
    case 'packed-switch':
    case 'sparse-switch':
      return switchRecord(one, a, image, numberOf)
    default:
      return arithmeticRecord(one, name)
  }
}

/** Operations on registers alone: `add-int/2addr` and `add-int` are one, and so are those with a number of 8 or 16 bits. */
function arithmeticRecord(one: Instruction, name: string): VmRecord {
  const { a, b, c, literal } = operandsOf(one)
  const full = OPCODE_NAMES[one.opcode]!
  if (full.endsWith('/2addr')) return record(name, a, a, b)
  if (/\/lit(8|16)$/.test(full) || name === 'rsub-int') return record(`${name}-lit`, a, b, 0, literal.low)
  return record(name, a, b, c)
}

interface Operands {
  readonly a: number
  readonly b: number
  readonly c: number
  readonly literal: { readonly low: number; readonly high: number }
}

const NO_NUMBER = { low: 0, high: 0 }
const number = (value: number) => ({ low: value >>> 0, high: value < 0 ? 0xffffffff : 0 })

/** Registers and number of an instruction ('Dalvik executable instruction formats'). */
function operandsOf({ opcode, units }: Instruction): Operands {
  const [u0 = 0, u1 = 0, u2 = 0, u3 = 0, u4 = 0] = units
  const [high, low4, high4] = [u0 >> 8, (u0 >> 8) & 15, u0 >> 12]
  const made = (a: number, b = 0, c = 0, literal = NO_NUMBER): Operands => ({ a, b, c, literal })
  const int = u1 | (u2 << 16) | 0
  switch (OPCODE_FORMATS[opcode]) {
    case '12x':
    case '22t':
    case '22c':
      return made(low4, high4)
    case '22x':
      return made(high, u1)
    case '32x':
      return made(u1, u2)
    case '11n':
      return made(low4, 0, 0, number((high4 << 28) >> 28))
    case '21s':
      return made(high, 0, 0, number((u1 << 16) >> 16))
    case '21h':
      return made(high, 0, 0, opcode === 0x15 ? number(u1 << 16) : { low: 0, high: (u1 << 16) >>> 0 })
    case '31i':
      return made(high, 0, 0, number(int))
    case '51l':
      return made(high, 0, 0, { low: int >>> 0, high: (u3 | (u4 << 16)) >>> 0 })
    case '23x':
      return made(high, u1 & 0xff, u1 >> 8)
    case '22b':
      return made(high, u1 & 0xff, 0, number((u1 << 16) >> 24))
    case '22s':
      return made(low4, high4, 0, number((u1 << 16) >> 16))
    default:
      return made(high)
  }
}

/** Registers of a call or of elements, words of wide values each. */
function registersOf({ opcode, units }: Instruction): number[] {
  const [u0 = 0, , u2 = 0] = units
  if (OPCODE_FORMATS[opcode] === '3rc') return Array.from({ length: u0 >> 8 }, (_, i) => u2 + i)
  const all = [u2 & 15, (u2 >> 4) & 15, (u2 >> 8) & 15, u2 >> 12, (u0 >> 8) & 15]
  return all.slice(0, u0 >> 12)
}

function invokeRecord(model: DexModel, one: Instruction, name: string, image: VmImage, place: VmPlace): VmRecord {
  const { owner, name: text, proto } = model.methods[one.row]!
  const { shorty } = model.protos[proto]!
  const [method, signature] = [model.strings[text]!, model.signature(proto)]
  const words = registersOf(one)
  const isStatic = name === 'invoke-static'
  let at = 0
  const list: number[] = []
  for (const kind of isStatic ? model.strings[shorty]!.slice(1) : `L${model.strings[shorty]!.slice(1)}`) {
    list.push(words[at]!)
    at += kind === 'J' || kind === 'D' ? 2 : 1
  }
  let type = model.descriptor(owner)
  if (name === 'invoke-super') type = place.superclass
  if (name === 'invoke-interface' && OF_OBJECTS.has(method + signature)) type = 'Ljava/lang/Object;'
  const row = image.call(type, method, signature, model.strings[shorty]!)
  const operation =
    name === 'invoke-direct' && method === '<init>' && type === STRING
      ? 'init-string'
      : ({ 'invoke-interface': 'invoke-virtual', 'invoke-super': 'invoke-direct' }[name] ?? name)
  return record(operation, 0, 0, 0, row, image.words(list))
}

function fieldRow(model: DexModel, one: Instruction, image: VmImage, place: VmPlace): number {
  const { owner, name, type } = model.fields[one.row]!
  const descriptor = model.descriptor(owner)
  const isStatic = OPCODE_NAMES[one.opcode]!.startsWith('s')
  return image.field(
    ...([
      descriptor,
      model.strings[name]!,
      model.descriptor(type),
      !(isStatic && place.mayInitialise(descriptor)),
    ] as const),
  )
}

function arrayRecord({ target }: Instruction, a: number, image: VmImage): VmRecord {
  const table = target!.table
  if (table?.is !== 'array') throw new Error('fill-array-data without its table')
  const { units } = table
  const [, width = 1, low = 0, high = 0] = units
  const data = units.subarray(4)
  const words = Array.from(
    { length: Math.ceil(data.length / 2) },
    (_, i) => data[2 * i]! | ((data[2 * i + 1] ?? 0) << 16),
  )
  return record('fill-array-data', a, width, 0, image.words(words, width === 8), low + high * 0x10000)
}

function switchRecord(
  { target }: Instruction,
  a: number,
  image: VmImage,
  numberOf: (one: Instruction) => number,
): VmRecord {
  const table = target!.table
  if (!table || table.is === 'array') throw new Error('a switch without its table')
  const targets = table.targets.map(numberOf)
  const keys = table.is === 'packed' ? table.keys.slice(0, 1) : table.keys
  return record(`${table.is}-switch`, a, 0, 0, image.words([...keys, ...targets]), targets.length)
}
