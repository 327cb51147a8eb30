import { type CodeBody, type Instruction, instruction } from '../../dex-edit/code-body.ts'
import { type ClassDefinition, type DexModel, type MethodDefinition, NO_ROW } from '../../dex-edit/dex-model.ts'
import { ARRAY_DATA } from '../../dex-edit/instruction-rows.ts'

const OBJECT = 'Ljava/lang/Object;'
/** Locals of a stub: number of the method, numbers, objects, a place in an array, a value of two registers. */
const LOCALS = 6

/** Result of the native method by the letter of a result; Android accepts no int for a shorter one. */
const runReference = (owner: string, letter: string): string =>
  `${owner}->a(I[J[${OBJECT})${letter === 'L' ? OBJECT : letter}`

/** The code that a virtualised method is left with: it hands its arguments to the interpreter, numbers in one array, objects in another. */
export function stubBody(
  model: DexModel,
  method: MethodDefinition,
  id: number,
  owner: string,
  isStatic: boolean,
): CodeBody {
  const { proto } = model.methods[method.method]!
  const { shorty, returnType } = model.protos[proto]!
  const letters = `${isStatic ? '' : 'L'}${model.strings[shorty]!.slice(1)}`
  const objects = [...letters].filter((letter) => letter === 'L').length
  const out: Instruction[] = [
    constant(0, id),
    ...newArray(model, 1, letters.length - objects, '[J'),
    ...newArray(model, 2, objects, `[${OBJECT}`),
  ]
  let register = LOCALS
  const places = { object: 0, number: 0 }
  for (const letter of letters) {
    if (letter === 'L') {
      out.push(instruction([0x0408, register]), constant(3, places.object++), instruction([0x044d, 0x0302]))
      register++
      continue
    }
    out.push(...asLong(model, letter, register), constant(3, places.number++), instruction([0x044c, 0x0301]))
    register += letter === 'J' || letter === 'D' ? 2 : 1
  }
  const result = model.strings[shorty]![0]!
  out.push(instruction([0x3071, 0, 0x0210], model.method(runReference(owner, result))))
  if (result === 'V') out.push(instruction([0x0e]))
  else if (result === 'L') {
    out.push(instruction([0x000c]))
    if (model.descriptor(returnType) !== OBJECT) out.push(...castUnlessNull(returnType))
    out.push(instruction([0x0011]))
  } else if (result === 'J' || result === 'D') out.push(instruction([0x000b]), instruction([0x0010]))
  else out.push(instruction([0x000a]), instruction([0x000f]))
  out.push(instruction([]))
  const ins = register - LOCALS
  return {
    ...{ is: 'body', registers: register, ins, outs: 3, instructions: out, tries: [] },
    ...{ debug: undefined, detail: 'none' },
  }
}

/**
 * v0 becomes the declared type. A check of null would throw where the device does not have the class, which methods that ask for the version of Android
 * give null for; that is why it is left out then. The verifier takes the constant for null, and the object itself for no more than it was.
 */
function castUnlessNull(type: number): Instruction[] {
  const cast = instruction([0x001f, 0], type)
  const isThere = instruction([0x0039, 0])
  isThere.target = cast
  return [isThere, instruction([0x0012]), instruction([0x0011]), cast]
}

/** const */
const constant = (register: number, value: number): Instruction =>
  instruction([0x14 | (register << 8), value & 0xffff, value >>> 16])

/** null where it would be empty. */
function newArray(model: DexModel, register: number, length: number, type: string): Instruction[] {
  const size = constant(register, length)
  return length ? [size, instruction([0x23 | (register << 8) | (register << 12), 0], model.type(type))] : [size]
}

/** An argument in v4 and v5, its bits as they are. */
function asLong(model: DexModel, letter: string, register: number): Instruction[] {
  const bits = (type: string, name: string, signature: string, units: readonly number[]) =>
    instruction(units, model.method(`${type}->${name}${signature}`))
  if (letter === 'J') return [instruction([0x0405, register])]
  if (letter === 'D')
    return [
      instruction([0x0405, register]),
      bits('Ljava/lang/Double;', 'doubleToRawLongBits', '(D)J', [0x2071, 0, 0x54]),
      instruction([0x040b]),
    ]
  const moved = instruction([0x0402, register])
  const widened = instruction([0x0081 | (4 << 8) | (4 << 12)])
  if (letter !== 'F') return [moved, widened]
  return [moved, bits('Ljava/lang/Float;', 'floatToRawIntBits', '(F)I', [0x1071, 0, 4]), instruction([0x040a]), widened]
}

/** How the class finds the library: by its name in the package, or by a path. */
export interface VmLoading {
  readonly by: 'name' | 'path'
  readonly text: string
}

const RESULTS = ['V', 'Z', 'B', 'C', 'S', 'I', 'J', 'F', 'D', 'L']

/**
 * The class whose native methods run virtualised code. Its initialiser loads the library and hands it the code, so that this is done in every process
 * before the first of these methods runs.
 */
export function interpreterClass(
  model: DexModel,
  descriptor: string,
  image: Uint8Array,
  loading: VmLoading,
): ClassDefinition {
  const native = (reference: string): MethodDefinition => ({ method: model.method(reference), flags: 0x109 })
  const start = `${descriptor}->a([B)V`
  const data = instruction(arrayUnits(image))
  data.table = { is: 'array', units: data.units }
  const fill = Object.assign(instruction([0x0026, 0, 0]), { target: data })
  const load = `Ljava/lang/System;->${loading.by === 'name' ? 'loadLibrary' : 'load'}(Ljava/lang/String;)V`
  const initialiser: CodeBody = {
    ...{ is: 'body', registers: 1, ins: 0, outs: 1, tries: [], debug: undefined, detail: 'none' },
    instructions: [
      instruction([0x001a, 0], model.string(loading.text)),
      instruction([0x1071, 0, 0], model.method(load)),
      constant(0, image.length),
      instruction([0x0023, 0], model.type('[B')),
      fill,
      instruction([0x1071, 0, 0], model.method(start)),
      instruction([0x000e]),
      data,
      instruction([]),
    ],
  }
  return {
    // public final, and synthetic: no source has it
    ...{ type: model.type(descriptor), flags: 0x1011, superclass: model.type(OBJECT), interfaces: [] },
    ...{ sourceFile: NO_ROW, staticFields: [], instanceFields: [], virtualMethods: [] },
    directMethods: [
      { method: model.method(`${descriptor}-><clinit>()V`), flags: 0x10008, code: initialiser },
      native(start),
      ...RESULTS.map((letter) => native(runReference(descriptor, letter))),
    ],
  }
}

/** fill-array-data-payload of bytes ('fill-array-data-payload format'). */
function arrayUnits(bytes: Uint8Array): Uint16Array {
  const units = new Uint16Array(4 + Math.ceil(bytes.length / 2))
  units.set([ARRAY_DATA, 1, bytes.length & 0xffff, bytes.length >>> 16])
  for (let i = 0; i < bytes.length; i++) units[4 + (i >> 1)]! |= bytes[i]! << (8 * (i & 1))
  return units
}
