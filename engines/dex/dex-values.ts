import { type CodePart, type PartValue, UNKNOWN, VALUE_LIMIT } from './code-part.ts'
import type { DexFile } from './dex-file.ts'
import { DexFlow } from './dex-flow.ts'
import {
  argumentRegister,
  firstRegister,
  isWideResult,
  literalOf,
  secondRegister,
  writtenRegister,
} from './dex-operands.ts'
import { isOnlyRead } from './dex-reading.ts'
import type { DexIndex } from './index-dex.ts'
import { callKind } from './opcodes.ts'
import { distinctValues, sameValue, typedValue, wordsOf } from './typed-part-value.ts'

/** Locations looked at to answer one question. */
const STEPS = 50_000
const LONGEST_ARRAY = 4096
const DEEPEST = 4
const FLOWS_KEPT = 32
const AGET_OBJECT = 0x46
const APUT_OBJECT = 0x4d
const TEXTS = '[Ljava/lang/String;'

/**
 * The value in a register at a location of a method, looked for backwards through all ways that lead there: constants, new objects, results of
 * calls, fields, parameters. Nothing is followed into other methods.
 */
export class DexValues {
  private readonly dex: DexFile
  private readonly index: DexIndex
  private readonly flows = new Map<number, DexFlow>()
  private steps = 0

  constructor(dex: DexFile, index: DexIndex) {
    this.dex = dex
    this.index = index
  }

  /** Of the n-th parameter (0: the object) of the call at `address`. */
  argument(method: number, address: number, n: number): PartValue[] {
    this.steps = 0
    const flow = this.flowOf(method)
    const at = flow.indexAt(address)
    const slot = this.slotOf(address, n)
    return at < 0 || !slot ? [UNKNOWN] : this.resolve(flow, method, at, slot.register, slot.type, 0)
  }

  returns(method: number): PartValue[] {
    this.steps = 0
    const flow = this.flowOf(method)
    const type = this.dex.returnType(this.dex.methodProto(this.index.methodIds[method]!))
    return distinctValues(
      flow.addresses.flatMap((address, i) => {
        const opcode = this.dex.u8(address)
        return opcode >= 0x0f && opcode <= 0x11
          ? this.resolve(flow, method, i, firstRegister(this.dex, address), type, 0)
          : []
      }),
    )
  }

  /** What the method writes into a field. */
  stored(method: number, field: number): PartValue[] {
    this.steps = 0
    const flow = this.flowOf(method)
    const type = this.dex.fieldType(field)
    return distinctValues(
      flow.addresses.flatMap((address, i) => {
        const opcode = this.dex.u8(address)
        const writes = (opcode >= 0x59 && opcode <= 0x5f) || (opcode >= 0x67 && opcode <= 0x6d)
        return writes && this.dex.u16(address + 2) === field
          ? this.resolve(flow, method, i, firstRegister(this.dex, address), type, 0)
          : []
      }),
    )
  }

  /** Of the register that the instruction names first: what a condition compares, or a field is given. */
  firstOf(method: number, address: number, type: string): PartValue[] {
    this.steps = 0
    const flow = this.flowOf(method)
    return this.resolve(flow, method, flow.indexAt(address), firstRegister(this.dex, address), type, 0)
  }

  isOnlyRead(...[method, address, readingOf, mayReturn]: Parameters<CodePart['isOnlyRead']>): boolean {
    const { dex } = this
    const flow = this.flowOf(method)
    const given = (at: number) => {
      const kind = callKind(dex.u8(at))
      const count = dex.parameters(dex.methodProto(dex.u16(at + 2))).length
      return Array.from({ length: count + 1 }, (_, n) => ({ n, register: this.slotOf(at, n)?.register ?? -1 })).slice(
        kind === 'static' ? 1 : 0,
      )
    }
    return isOnlyRead(
      {
        dex,
        flow,
        given,
        objectOf: (at) => this.argument(method, at, 0),
        readingOf: (at, parameters) => readingOf(at, dex.methodReference(dex.u16(at + 2)), parameters),
      },
      address,
      mayReturn,
    )
  }

  /** Is the object of the call compared with null by an instruction before it? */
  isNullChecked(method: number, address: number): boolean {
    this.steps = 0
    const flow = this.flowOf(method)
    const call = flow.indexAt(address)
    const register = argumentRegister(this.dex, address, 0)
    const objects = this.resolve(flow, method, call, register, '', 0)
    for (let i = 0; i < call; i++) {
      const at = flow.addresses[i]!
      const opcode = this.dex.u8(at)
      if (++this.steps > STEPS) return false
      if (opcode !== 0x38 && opcode !== 0x39) continue
      const checked = firstRegister(this.dex, at)
      for (const value of this.resolve(flow, method, i, checked, '', 0)) {
        const known = value.kind === 'unknown' ? checked === register : true
        if (
          known &&
          objects.some((object) => sameValue(object, value) || this.isSameGetter(flow, method, object, value))
        )
          return true
      }
    }
    return false
  }

  /** Are both results of the same call without parameters, on the same object? Code often asks once to compare and once more to use. */
  private isSameGetter(flow: DexFlow, method: number, a: PartValue, b: PartValue, depth = 0): boolean {
    if (a.kind !== 'call' || b.kind !== 'call' || a.callee !== b.callee || !a.callee.includes('()')) return false
    if (callKind(this.dex.u8(a.address)) === 'static') return true
    const objectOf = (address: number) =>
      this.resolve(flow, method, flow.indexAt(address), argumentRegister(this.dex, address, 0), '', 0)
    const [first, ...others] = objectOf(a.address)
    const [second, ...more] = objectOf(b.address)
    if (!first || !second || others.length || more.length || first.kind === 'unknown') return false
    return sameValue(first, second) || (depth < DEEPEST && this.isSameGetter(flow, method, first, second, depth + 1))
  }

  flowOf(method: number): DexFlow {
    let flow = this.flows.get(method)
    if (!flow) {
      flow = new DexFlow(this.dex, this.index.insnsOffsets[method]!, this.index.insnsSizes[method]!)
      this.flows.set(method, flow)
      if (this.flows.size > FLOWS_KEPT) this.flows.delete(this.flows.keys().next().value!)
    }
    return flow
  }

  /** Register and declared type of a parameter of the call at `address`. */
  private slotOf(address: number, n: number): { register: number; type: string } | undefined {
    const { dex } = this
    const kind = callKind(dex.u8(address))
    const proto = kind === 'polymorphic' ? dex.u16(address + 6) : dex.methodProto(dex.u16(address + 2))
    const parameters = dex.parameters(proto)
    if (n === 0) {
      if (kind === 'static') return undefined
      return { register: argumentRegister(dex, address, 0), type: 'Ljava/lang/Object;' }
    }
    const type = parameters[n - 1]
    if (type === undefined) return undefined
    let slot = kind === 'static' ? 0 : 1
    for (let i = 0; i < n - 1; i++) slot += wordsOf(parameters[i]!)
    const register = argumentRegister(dex, address, slot)
    return register < 0 ? undefined : { register, type }
  }

  /** Values of a register before the instruction `start` runs. */
  private resolve(
    flow: DexFlow,
    method: number,
    start: number,
    wanted: number,
    type: string,
    depth: number,
  ): PartValue[] {
    const { dex } = this
    if (!flow.complete || depth > DEEPEST || wanted < 0) return [UNKNOWN]
    const found: PartValue[] = []
    const seen = new Set<number>()
    const todo: [index: number, register: number][] = [[start, wanted]]
    for (let next = todo.pop(); next; next = todo.pop()) {
      const [index, register] = next
      const key = index * 0x10000 + register
      if (seen.has(key)) continue
      seen.add(key)
      if (++this.steps > STEPS || found.length > VALUE_LIMIT) return [UNKNOWN]
      if (index === 0) found.push(this.parameter(flow, method, register))
      for (const from of flow.before(index)) {
        const before = from < 0 ? ~from : from
        const address = flow.addresses[before]!
        const written = from < 0 ? -1 : writtenRegister(dex, address)
        const opcode = dex.u8(address)
        if (written === register) {
          if (opcode >= 0x01 && opcode <= 0x09) todo.push([before, secondRegister(dex, address)])
          else if (opcode === AGET_OBJECT) found.push(...this.elements(flow, method, before, depth))
          else found.push(typedValue(this.definition(flow, method, before, depth), type))
        } else if (written === register - 1 && written >= 0 && isWideResult(opcode)) found.push(UNKNOWN)
        else todo.push([before, register])
      }
    }
    return found.length ? distinctValues(found) : [UNKNOWN]
  }

  private parameter(flow: DexFlow, method: number, register: number): PartValue {
    const word = register - (flow.registers - flow.parameterWords)
    if (word < 0) return UNKNOWN
    const isStatic = (this.index.methodFlags[method]! & 8) !== 0
    if (!isStatic && word === 0) return { kind: 'parameter', index: 0 }
    let at = isStatic ? 0 : 1
    const parameters = this.dex.parameters(this.dex.methodProto(this.index.methodIds[method]!))
    for (let i = 0; i < parameters.length; i++) {
      if (at === word) return { kind: 'parameter', index: i + 1 }
      at += wordsOf(parameters[i]!)
    }
    return UNKNOWN
  }

  /** The value that the instruction writes. */
  private definition(flow: DexFlow, method: number, index: number, depth: number): PartValue {
    const { dex } = this
    const address = flow.addresses[index]!
    const opcode = dex.u8(address)
    if (opcode >= 0x0a && opcode <= 0x0c) return this.result(flow, method, index - 1, depth)
    if (opcode >= 0x12 && opcode <= 0x19) return { kind: 'number', value: literalOf(dex, address) }
    if (opcode === 0x1a) return { kind: 'string', value: dex.string(dex.u16(address + 2)) }
    if (opcode === 0x1b) return { kind: 'string', value: dex.string(dex.u32(address + 2)) }
    if (opcode === 0x1c) return { kind: 'class', descriptor: dex.type(dex.u16(address + 2)) }
    if (opcode === 0x22) return { kind: 'new', descriptor: dex.type(dex.u16(address + 2)), address }
    if (opcode === 0x23) return this.newArray(flow, method, index, depth)
    if ((opcode >= 0x52 && opcode <= 0x58) || (opcode >= 0x60 && opcode <= 0x66))
      return { kind: 'field', field: dex.fieldReference(dex.u16(address + 2)) }
    return UNKNOWN
  }

  /** Result of the call (or the array) before a move-result. */
  private result(flow: DexFlow, method: number, index: number, depth: number): PartValue {
    const address = flow.addresses[index]
    if (address === undefined) return UNKNOWN
    const opcode = this.dex.u8(address)
    if (opcode === 0x24 || opcode === 0x25) return this.filledArray(flow, method, index, depth)
    if (!(opcode >= 0x6e && opcode <= 0x78) && opcode !== 0xfa && opcode !== 0xfb) return UNKNOWN
    const callee = this.dex.methodReference(this.dex.u16(address + 2))
    if (callee === 'Ljava/lang/StringBuilder;->toString()Ljava/lang/String;') {
      const text = this.concatenation(flow, method, index, depth)
      if (text !== undefined) return { kind: 'string', value: text }
    }
    return { kind: 'call', callee, address }
  }

  private filledArray(flow: DexFlow, method: number, index: number, depth: number): PartValue {
    const { dex } = this
    const address = flow.addresses[index]!
    const length = dex.u8(address) === 0x24 ? dex.u8(address + 1) >> 4 : dex.u8(address + 1)
    if (dex.type(dex.u16(address + 2)) !== TEXTS || !length || length > VALUE_LIMIT) return { kind: 'array', length }
    const texts: string[] = []
    for (let n = 0; n < length; n++) {
      const values = this.resolve(flow, method, index, argumentRegister(dex, address, n), '', depth + 1)
      if (values[0]?.kind !== 'string' || values.length > 1) return { kind: 'array', length }
      texts.push(values[0].value)
    }
    return { kind: 'array', length, texts }
  }

  /** What is read from an array: each of its texts where all are constants. */
  private elements(flow: DexFlow, method: number, index: number, depth: number): PartValue[] {
    const arrays = this.resolve(flow, method, index, this.dex.u8(flow.addresses[index]! + 2), '', depth + 1)
    return arrays.flatMap((array): PartValue[] =>
      array.kind === 'array' && array.texts
        ? array.texts.map((value) => ({ kind: 'string', value }) as const)
        : [UNKNOWN],
    )
  }

  /** Text of a StringBuilder that is filled with constants only, in code without branches. */
  private concatenation(flow: DexFlow, method: number, end: number, depth: number): string | undefined {
    const { dex } = this
    const aliases = new Set([argumentRegister(dex, flow.addresses[end]!, 0)])
    const parts: string[] = []
    for (let i = end; i > 0 && flow.isStraight(i) && end - i < 1000; i--) {
      const address = flow.addresses[i - 1]!
      const opcode = dex.u8(address)
      const written = writtenRegister(dex, address)
      const called = opcode >= 0x6e && opcode <= 0x78
      if (written >= 0 && aliases.has(written)) {
        aliases.delete(written)
        if (opcode === 0x0c) aliases.add(argumentRegister(dex, flow.addresses[i - 2] ?? address, 0))
        else if (opcode >= 0x07 && opcode <= 0x09) aliases.add(secondRegister(dex, address))
        else return undefined
      } else if (called && aliases.has(argumentRegister(dex, address, 0))) {
        const id = dex.u16(address + 2)
        const name = dex.methodName(id)
        const parameters = dex.parameters(dex.methodProto(id))
        if (name === '<init>' && parameters[0] !== 'Ljava/lang/String;') return parts.reverse().join('')
        if (name !== 'append' && name !== '<init>') return undefined
        const text = this.textOf(flow, method, i - 1, parameters, depth)
        if (text === undefined) return undefined
        parts.push(text)
        if (name === '<init>') return parts.reverse().join('')
      }
    }
    return undefined
  }

  private textOf(
    flow: DexFlow,
    method: number,
    index: number,
    parameters: string[],
    depth: number,
  ): string | undefined {
    const type = parameters[0]
    if (type === undefined || parameters.length > 1) return undefined
    const register = argumentRegister(this.dex, flow.addresses[index]!, 1)
    const [value, ...others] = this.resolve(flow, method, index, register, type, depth + 1)
    if (others.length) return undefined
    if (value?.kind === 'string') return value.value
    if (value?.kind !== 'number') return undefined
    if (type === 'C') return String.fromCharCode(Number(value.value))
    return type === 'Z' ? String(Boolean(value.value)) : type === 'I' || type === 'J' ? String(value.value) : undefined
  }

  /** A new array, with its bytes where they are filled in right behind it. */
  private newArray(flow: DexFlow, method: number, index: number, depth: number): PartValue {
    const { dex } = this
    const address = flow.addresses[index]!
    const array = firstRegister(dex, address)
    const [count] = this.resolve(flow, method, index, secondRegister(dex, address), 'I', depth + 1)
    const length = count?.kind === 'number' ? Number(count.value) : null
    const type = dex.type(dex.u16(address + 2))
    if (type === TEXTS) return this.newTexts(flow, method, index, array, length, depth)
    const isBytes = type === '[B'
    const stored = new Uint8Array(isBytes && length !== null && length >= 0 && length <= LONGEST_ARRAY ? length : 0)
    let filled = 0
    for (let i = index + 1; i < flow.addresses.length && flow.isStraight(i) && ++this.steps < STEPS; i++) {
      const at = flow.addresses[i]!
      const opcode = dex.u8(at)
      if (opcode === 0x26 && dex.u8(at + 1) === array) return arrayTable(dex, at + 2 * (dex.u32(at + 2) | 0), length)
      if (opcode === 0x4f && dex.u8(at + 2) === array) {
        const [value] = this.resolve(flow, method, i, dex.u8(at + 1), 'B', depth + 1)
        const [position] = this.resolve(flow, method, i, dex.u8(at + 3), 'I', depth + 1)
        if (value?.kind !== 'number' || position?.kind !== 'number' || Number(position.value) >= stored.length) break
        stored[Number(position.value)] = Number(value.value)
        filled++
      } else if (writtenRegister(dex, at) === array) break
      else if (filled === 0 && i > index + 8) break
    }
    return filled > 0 ? { kind: 'array', bytes: stored, length } : { kind: 'array', length }
  }

  /** A new array of texts, with them where each place is filled with a constant right behind it. */
  private newTexts(
    flow: DexFlow,
    method: number,
    index: number,
    array: number,
    length: number | null,
    depth: number,
  ): PartValue {
    const { dex } = this
    const unknown: PartValue = { kind: 'array', length }
    if (!length || length < 0 || length > VALUE_LIMIT) return unknown
    const texts = new Map<number, string>()
    for (let i = index + 1; i < flow.addresses.length && flow.isStraight(i) && ++this.steps < STEPS; i++) {
      const at = flow.addresses[i]!
      if (dex.u8(at) === APUT_OBJECT && dex.u8(at + 2) === array) {
        const [value, ...others] = this.resolve(flow, method, i, dex.u8(at + 1), '', depth + 1)
        const [position] = this.resolve(flow, method, i, dex.u8(at + 3), 'I', depth + 1)
        if (value?.kind !== 'string' || others.length || position?.kind !== 'number') return unknown
        texts.set(Number(position.value), value.value)
        if (texts.size === length) break
      } else if (writtenRegister(dex, at) === array) break
    }
    const filled = Array.from({ length }, (_, n) => texts.get(n))
    return filled.every((one) => one !== undefined) ? { kind: 'array', length, texts: filled } : unknown
  }
}

function arrayTable(dex: DexFile, table: number, length: number | null): PartValue {
  if (dex.u16(table) !== 0x0300) return { kind: 'array', length }
  const width = dex.u16(table + 2)
  const count = dex.u32(table + 4)
  if (width !== 1 || table + 8 + count > dex.bytes.length) return { kind: 'array', length: length ?? count }
  return { kind: 'array', bytes: dex.bytes.subarray(table + 8, table + 8 + count), length: length ?? count }
}
