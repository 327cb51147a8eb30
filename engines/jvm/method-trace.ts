import { UNKNOWN } from '../dex/code-part.ts'
import { wordsOf } from '../dex/typed-part-value.ts'
import type { ClassCode, ClassFile } from './class-file.ts'
import { parameterTypes, returnType } from './descriptor.ts'
import { fallsThrough, instructionSize, jumpTargets, stackEffect } from './jvm-opcodes.ts'
import { type ArrayState, type Cell, cellOf, constantOf, mergedCell, UNDECIDED } from './stack-cell.ts'

const BUILDER = 'Ljava/lang/StringBuilder;'
/** Element type of `newarray`. */
const BYTES = 8
const LONGEST_ARRAY = 4096
const LONGEST_TEXT = 65_536
const DEEPEST_STACK = 256
/** Deeper stacks are not kept for the locations that a jump leads to. */
const DEEPEST_KEPT = 64
/** No method may be longer (JVMS 4.7.3), and none that a compiler writes sets so many variables again and again. */
const LONGEST_CODE = 65_535
const MOST_VARIABLES = 1000

/** What one pass over the code of a method saw on the operand stack; locations are offsets in the class file plus `base`. */
export interface MethodTrace {
  /** By call: the object (unless static) and the arguments, one cell each. */
  readonly calls: ReadonlyMap<number, readonly Cell[]>
  readonly returned: readonly Cell[]
  /** By field: `owner->name:type`. */
  readonly stored: ReadonlyMap<string, readonly Cell[]>
  readonly nullChecks: readonly { readonly at: number; readonly cell: Cell }[]
}

const NOTHING: MethodTrace = { calls: new Map(), returned: [], stored: new Map(), nullChecks: [] }

/**
 * Runs the code once in file order, with values where they are decided. Where ways meet, stacks are merged; a local variable that
 * is set more than once is not decided after such a location.
 */
export function traceMethod(
  file: ClassFile,
  code: ClassCode,
  method: { readonly isStatic: boolean; readonly descriptor: string },
  base: number,
): MethodTrace {
  const { bytes } = file
  const end = code.offset + code.size
  const stores = new Map<number, number>()
  const targets = new Set<number>()
  for (let at = code.offset; at < end; at += instructionSize(bytes, at, code.offset)) {
    const slot = storedSlot(bytes, at)
    if (slot >= 0) stores.set(slot, (stores.get(slot) ?? 0) + 1)
    for (const target of jumpTargets(bytes, at, code.offset)) targets.add(target)
  }
  const handlers = new Set(code.tries.map(([, , handler]) => handler))
  const locals: Cell[] = []
  if (!method.isStatic) locals.push({ values: [{ kind: 'parameter', index: 0 }], slot: 0 })
  parameterTypes(method.descriptor).forEach((type, i) => {
    stores.set(locals.length, (stores.get(locals.length) ?? 0) + 1)
    locals.push({ values: [{ kind: 'parameter', index: i + 1 }], slot: locals.length })
    if (wordsOf(type) === 2) locals.push(UNDECIDED)
  })
  const changing = [...stores].filter(([, count]) => count > 1).map(([slot]) => slot)
  if (code.size > LONGEST_CODE || changing.length > MOST_VARIABLES) return NOTHING

  const calls = new Map<number, readonly Cell[]>()
  const returned: Cell[] = []
  const stored = new Map<string, Cell[]>()
  const nullChecks: { at: number; cell: Cell }[] = []
  const saved = new Map<number, readonly Cell[]>()
  let stack: Cell[] = []
  let reached = true
  let block = 0

  const push = (cell: Cell, words = 1) => {
    if (stack.length > DEEPEST_STACK) stack = []
    stack.push(cell)
    if (words === 2) stack.push(UNDECIDED)
  }
  const pop = (words = 1): Cell => {
    let cell: Cell = UNDECIDED
    for (let i = 0; i < words; i++) cell = stack.pop() ?? UNDECIDED
    return cell
  }
  const popArguments = (types: readonly string[], hasObject: boolean): Cell[] => {
    const cells: Cell[] = []
    for (let i = types.length - 1; i >= 0; i--) cells.unshift(pop(wordsOf(types[i]!)))
    if (hasObject) cells.unshift(pop())
    return cells
  }
  const pushResult = (type: string, cell: Cell) => {
    if (type !== 'V') push(cell, wordsOf(type))
  }

  function meet(at: number): void {
    const other = saved.get(at)
    if (handlers.has(at)) stack = [UNDECIDED]
    else if (!reached) stack = [...(other ?? [])]
    else if (other && other.length === stack.length) stack = stack.map((cell, i) => mergedCell(cell, other[i]!))
    for (const slot of changing) locals[slot] = { values: [UNKNOWN], slot }
    block++
    reached = true
  }

  function load(slot: number, words: number): void {
    const cell = locals[slot]
    push(cell ? { ...cell, slot } : { values: [UNKNOWN], slot }, words)
  }

  function invoke(at: number): void {
    const opcode = bytes[at]!
    const reference = file.referenceAt(file.u16(at + 1))
    if (opcode === 0xba || !reference) {
      const descriptor = file.dynamicDescriptor(file.u16(at + 1))
      popArguments(parameterTypes(descriptor), false)
      pushResult(returnType(descriptor) || 'V', UNDECIDED)
      return
    }
    const types = parameterTypes(reference.descriptor)
    const cells = popArguments(types, opcode !== 0xb8)
    calls.set(base + at, cells)
    const type = returnType(reference.descriptor)
    const callee = `${reference.owner}->${reference.name}${reference.descriptor}`
    const result = reference.owner === BUILDER ? buildText(reference.name, types, cells) : undefined
    pushResult(type, result ?? cellOf({ kind: 'call', callee, address: base + at }))
  }

  /** A StringBuilder goes on where it was made, in code without branches. */
  function buildText(name: string, types: readonly string[], [object, added]: readonly Cell[]): Cell | undefined {
    const builder = object?.builder
    if (!builder) return undefined
    if (name === 'toString') {
      const { text } = builder
      return text === undefined || builder.block !== block ? undefined : cellOf({ kind: 'string', value: text })
    }
    const isEmpty = name === '<init>' && (types.length === 0 || types[0] === 'I')
    const text = isEmpty ? '' : types.length === 1 ? appendedText(types[0]!, added) : undefined
    const isPlain = (name === 'append' || name === '<init>') && builder.block === block
    const whole = isPlain && text !== undefined && builder.text !== undefined ? builder.text + text : undefined
    builder.text = whole !== undefined && whole.length <= LONGEST_TEXT ? whole : undefined
    return name === 'append' ? object : undefined
  }

  function storeByte(): void {
    const value = constantOf(pop())
    const index = constantOf(pop())
    const state: ArrayState | undefined = pop().array
    if (!state) return
    const isDecided = typeof value === 'number' && typeof index === 'number' && state.block === block
    if (!isDecided || !state.bytes || index < 0 || index >= state.length) state.bytes = undefined
    else state.bytes[index] = value
    state.filled = true
  }

  function newArray(elementType: number): void {
    const length = constantOf(pop())
    const known = typeof length === 'number' && length >= 0 ? length : null
    const value = { kind: 'array', length: known } as const
    const isKept = known !== null && known <= LONGEST_ARRAY && elementType === BYTES
    const array = isKept && { bytes: new Uint8Array(known), length: known, block, filled: false }
    push({ ...cellOf(value), ...(array && { array }) })
  }

  for (let at = code.offset; at < end; at += instructionSize(bytes, at, code.offset)) {
    if (targets.has(at) || handlers.has(at)) meet(at)
    if (!reached) continue
    const opcode = bytes[at]!
    const wide = opcode === 0xc4
    const real = wide ? bytes[at + 1]! : opcode
    const loaded = loadedSlot(bytes, at)
    const slot = storedSlot(bytes, at)
    if (loaded) load(loaded.slot, loaded.words)
    else if (real === 0x84) locals[slot] = { values: [UNKNOWN], slot }
    else if (slot >= 0) {
      const words = storedWords(real)
      locals[slot] = pop(words)
      if (words === 2) locals[slot + 1] = UNDECIDED
    } else if (opcode === 0x01) push(cellOf({ kind: 'null' }))
    else if (opcode >= 0x02 && opcode <= 0x08) push(cellOf({ kind: 'number', value: opcode - 3 }))
    else if (opcode === 0x09 || opcode === 0x0a) push(cellOf({ kind: 'number', value: BigInt(opcode - 9) }), 2)
    else if (opcode >= 0x0b && opcode <= 0x0d) push(cellOf({ kind: 'number', value: opcode - 0x0b }))
    else if (opcode === 0x0e || opcode === 0x0f) push(cellOf({ kind: 'number', value: opcode - 0x0e }), 2)
    else if (opcode === 0x10) push(cellOf({ kind: 'number', value: (bytes[at + 1]! << 24) >> 24 }))
    else if (opcode === 0x11) push(cellOf({ kind: 'number', value: (file.u16(at + 1) << 16) >> 16 }))
    else if (opcode >= 0x12 && opcode <= 0x14) {
      const constant = file.constantAt(opcode === 0x12 ? bytes[at + 1]! : file.u16(at + 1))
      push(constant ? cellOf(constant) : UNDECIDED, opcode === 0x14 ? 2 : 1)
    } else if (opcode === 0x54) storeByte()
    else if (opcode >= 0x57 && opcode <= 0x5f) shuffle(stack, opcode)
    else if (opcode >= 0xb2 && opcode <= 0xb5) accessField(at, opcode)
    else if (opcode >= 0xb6 && opcode <= 0xba) invoke(at)
    else if (opcode === 0xbb) {
      const descriptor = file.classAt(file.u16(at + 1))
      const made = cellOf({ kind: 'new', descriptor, address: base + at })
      push(descriptor === BUILDER ? { ...made, builder: { text: '', block } } : made)
    } else if (opcode === 0xbc) newArray(bytes[at + 1]!)
    else if (opcode === 0xc0) continue
    else if (opcode === 0xc5) {
      pop(bytes[at + 3])
      push(UNDECIDED)
    } else {
      const [takes, gives] = stackEffect(opcode)
      const top = stack.at(-1) ?? UNDECIDED
      if (opcode === 0xc6 || opcode === 0xc7) nullChecks.push({ at: base + at, cell: top })
      if (opcode >= 0xac && opcode <= 0xb0) returned.push(takes === 2 ? (stack.at(-2) ?? UNDECIDED) : top)
      pop(takes)
      for (let i = 0; i < gives; i++) push(UNDECIDED)
    }
    for (const target of stack.length > DEEPEST_KEPT ? [] : jumpTargets(bytes, at, code.offset)) {
      const other = saved.get(target)
      saved.set(
        target,
        other && other.length === stack.length ? stack.map((cell, i) => mergedCell(cell, other[i]!)) : [...stack],
      )
    }
    reached = fallsThrough(opcode)
  }
  return { calls, returned, stored, nullChecks }

  function accessField(at: number, opcode: number): void {
    const reference = file.referenceAt(file.u16(at + 1))
    const words = wordsOf(reference?.descriptor ?? 'I')
    const field = reference ? `${reference.owner}->${reference.name}:${reference.descriptor}` : ''
    if (opcode === 0xb3 || opcode === 0xb5) {
      const cell = pop(words)
      if (opcode === 0xb5) pop()
      const cells = stored.get(field)
      if (cells) cells.push(cell)
      else stored.set(field, [cell])
      return
    }
    if (opcode === 0xb4) pop()
    push(cellOf({ kind: 'field', field }), words)
  }
}

/** Text that `append` adds for a constant of that type. */
function appendedText(type: string, cell: Cell | undefined): string | undefined {
  const value = cell ? constantOf(cell) : undefined
  if (value === undefined) return undefined
  if (typeof value === 'string') return value
  if (type === 'C') return String.fromCharCode(Number(value))
  if (type === 'Z') return String(Boolean(value))
  return type === 'I' || type === 'J' ? String(value) : undefined
}

/** pop to swap; a value of two words is two cells, so every form moves cells alone. */
function shuffle(stack: Cell[], opcode: number): void {
  const cell = (depth: number): Cell => stack[stack.length - depth] ?? UNDECIDED
  const [a, b, c, d] = [cell(1), cell(2), cell(3), cell(4)]
  const replace = (count: number, ...cells: Cell[]) => {
    stack.length = Math.max(0, stack.length - count)
    stack.push(...cells)
  }
  if (opcode === 0x57) replace(1)
  else if (opcode === 0x58) replace(2)
  else if (opcode === 0x59) replace(1, a, a)
  else if (opcode === 0x5a) replace(2, a, b, a)
  else if (opcode === 0x5b) replace(3, a, c, b, a)
  else if (opcode === 0x5c) replace(2, b, a, b, a)
  else if (opcode === 0x5d) replace(3, b, a, c, b, a)
  else if (opcode === 0x5e) replace(4, b, a, d, c, b, a)
  else replace(2, a, b)
}

function loadedSlot(bytes: Uint8Array, at: number): { slot: number; words: number } | undefined {
  const opcode = bytes[at]!
  const real = opcode === 0xc4 ? bytes[at + 1]! : opcode
  const wordsOfKind = (kind: number) => (kind === 1 || kind === 3 ? 2 : 1)
  if (real >= 0x15 && real <= 0x19) return { slot: slotOperand(bytes, at), words: wordsOfKind(real - 0x15) }
  if (real < 0x1a || real > 0x2d) return undefined
  return { slot: (real - 0x1a) & 3, words: wordsOfKind((real - 0x1a) >> 2) }
}

/** The local variable that the instruction sets, -1 if none. */
function storedSlot(bytes: Uint8Array, at: number): number {
  const opcode = bytes[at]!
  const real = opcode === 0xc4 ? bytes[at + 1]! : opcode
  if ((real >= 0x36 && real <= 0x3a) || real === 0x84) return slotOperand(bytes, at)
  return real >= 0x3b && real <= 0x4e ? (real - 0x3b) & 3 : -1
}

const storedWords = (opcode: number): number => {
  const kind = opcode <= 0x3a ? opcode - 0x36 : (opcode - 0x3b) >> 2
  return kind === 1 || kind === 3 ? 2 : 1
}

const slotOperand = (bytes: Uint8Array, at: number): number =>
  bytes[at] === 0xc4 ? ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0) : (bytes[at + 1] ?? 0)
