import type { PartValue } from './code-part.ts'
import type { DexFile } from './dex-file.ts'
import type { DexFlow } from './dex-flow.ts'
import { argumentRegister, firstRegister, isWideResult, secondRegister, writtenRegister } from './dex-operands.ts'
import type { ReadingOf } from './program.ts'

/** Registers times instructions, and visits of instructions, of one question. */
const MOST_STATES = 2 ** 19
const MOST_VISITS = 20_000

/** What a register holds of the followed value: more than one of these at once is OTHER. */
const NOTHING = 0
const WHOLE = 1
const OTHER = 2
/** Part that the instruction gave; odd: the answer whether that part is the wanted one. */
const partOf = (index: number): number => 4 + 2 * index
const answerOf = (part: number): number => (part >= 4 ? part + 1 : NOTHING)
const isAnswer = (state: number): boolean => state > 4 && state % 2 === 1
const isHeld = (state: number): boolean => state !== NOTHING && !isAnswer(state)

/** An answer that is not one on each way says nothing any more. */
function joined(a: number, b: number): number {
  if (a === b) return a
  const [first, second] = [isAnswer(a) ? NOTHING : a, isAnswer(b) ? NOTHING : b]
  if (first === second || second === NOTHING) return first
  return first === NOTHING ? second : OTHER
}

/** Of an invoke: the declared parameters (0: the object) with their registers. */
type Given = readonly { readonly n: number; readonly register: number }[]

export interface ReadMethod {
  readonly dex: DexFile
  readonly flow: DexFlow
  given(address: number): Given
  /** What the object of a call may be. */
  objectOf(address: number): readonly PartValue[]
  readingOf(address: number, given: readonly number[]): ReturnType<ReadingOf>
}

/**
 * Follows what a call gives forwards through its method. False where a part of it gets out: returned, stored, thrown, or given to a call of
 * which `readingOf` says nothing; the whole of it may be returned with `mayReturn`. Where an answer is true, its part is the wanted one, which may go anywhere.
 */
export function isOnlyRead(method: ReadMethod, address: number, mayReturn: boolean): boolean {
  const { flow } = method
  const start = flow.indexAt(address)
  if (start < 0 || !flow.complete || flow.addresses.length * (flow.registers + 1) > MOST_STATES) return false
  return new Reader(method, start, mayReturn).run()
}

class Reader {
  private readonly method: ReadMethod
  private readonly dex: DexFile
  private readonly flow: DexFlow
  private readonly start: number
  /** Before each instruction that was reached: a state for each register, and at the end that of the last result. */
  private readonly states = new Map<number, Uint32Array>()
  private readonly after = new Map<number, number[]>()
  private readonly handlers = new Map<number, number[]>()
  /** Instructions that make an object which parts were put into. */
  private readonly filled = new Set<number>()
  private readonly todo: number[] = []
  private readonly mayReturn: boolean
  private escapes = false

  constructor(method: ReadMethod, start: number, mayReturn: boolean) {
    this.mayReturn = mayReturn
    this.method = method
    this.dex = method.dex
    this.flow = method.flow
    this.start = start
    const link = (map: Map<number, number[]>, from: number, to: number) => {
      const known = map.get(from)
      if (known) known.push(to)
      else map.set(from, [to])
    }
    this.flow.addresses.forEach((_, to) => {
      for (const from of this.flow.before(to))
        if (from < 0) link(this.handlers, ~from, to)
        else link(this.after, from, to)
    })
    this.spreadHandlers()
  }

  /** Whatever a try block covers may throw, not only its calls. */
  private spreadHandlers(): void {
    let last: number[] | undefined
    this.flow.addresses.forEach((address, i) => {
      const own = this.handlers.get(i)
      if (own) last = own
      else if (last && this.flow.isCaught(address)) this.handlers.set(i, last)
    })
  }

  run(): boolean {
    this.states.set(0, new Uint32Array(this.flow.registers + 1))
    this.todo.push(0)
    let visits = 0
    for (let i = this.todo.pop(); i !== undefined && !this.escapes; i = this.todo.pop()) {
      if (++visits > MOST_VISITS) return false
      this.visit(i)
    }
    return !this.escapes && this.states.has(this.start)
  }

  private visit(i: number): void {
    const before = this.states.get(i)!
    for (const handler of this.handlers.get(i) ?? []) this.flowTo(handler, before)
    const state = before.slice()
    this.step(i, before, state)
    for (const to of this.after.get(i) ?? []) this.flowTo(to, this.known(i, to, state))
  }

  private flowTo(to: number, state: Uint32Array): void {
    const known = this.states.get(to)
    if (!known) {
      this.states.set(to, state.slice())
      this.todo.push(to)
      return
    }
    let changed = false
    state.forEach((value, register) => {
      const both = joined(known[register]!, value)
      changed ||= both !== known[register]
      known[register] = both
    })
    if (changed) this.todo.push(to)
  }

  /** On the way where an answer is true, the part it is about is the wanted one. */
  private known(i: number, to: number, state: Uint32Array): Uint32Array {
    const address = this.flow.addresses[i]!
    const opcode = this.dex.u8(address)
    const answer = opcode === 0x38 || opcode === 0x39 ? state[firstRegister(this.dex, address)]! : NOTHING
    const ways = this.after.get(i)!
    if (!isAnswer(answer) || ways.length !== 2 || ways[0] === ways[1]) return state
    const isTrue = opcode === 0x38 ? to === i + 1 : to !== i + 1
    return isTrue ? state.map((one) => (one === answer - 1 ? NOTHING : one)) : state
  }

  private step(i: number, before: Uint32Array, state: Uint32Array): void {
    const { dex } = this
    const address = this.flow.addresses[i]!
    const opcode = dex.u8(address)
    const result = this.flow.registers
    const held = (register: number) => isHeld(before[register] ?? NOTHING)
    state[result] = NOTHING
    if (isIn(opcode, 0x6e, 0x78) || isIn(opcode, 0xfa, 0xfd) || opcode === 0x24 || opcode === 0x25) {
      state[result] = this.called(i, address, before, state)
      return
    }
    const first = firstRegister(dex, address)
    if (this.mayReturn && opcode === 0x11 && before[first] === WHOLE) return
    const isStore =
      (opcode >= 0x0f && opcode <= 0x11) || opcode === 0x27 || isIn(opcode, 0x4b, 0x51) || isIn(opcode, 0x59, 0x5f)
    if ((isStore || isIn(opcode, 0x67, 0x6d)) && held(first)) this.escapes = true
    const written = writtenRegister(dex, address)
    if (written < 0) return
    const value = isIn(opcode, 0x0a, 0x0c) ? before[result]! : this.made(i, address, opcode, before)
    state[written] = value
    if (isWideResult(opcode) && written + 1 < result) state[written + 1] = NOTHING
  }

  /** What an instruction other than a call writes: a copy, a field or an element, a number worked out. */
  private made(i: number, address: number, opcode: number, before: Uint32Array): number {
    const { dex } = this
    const at = (register: number) => before[register] ?? NOTHING
    if (isIn(opcode, 0x01, 0x09)) return at(secondRegister(dex, address))
    if (opcode === 0x22) return this.filled.has(i) ? WHOLE : NOTHING
    const plain = (state: number) => (isAnswer(state) ? NOTHING : state)
    const both = (a: number, b: number) => joined(plain(at(a)), plain(at(b)))
    if (opcode === 0x21 || isIn(opcode, 0x52, 0x58) || isIn(opcode, 0x7b, 0x8f) || isIn(opcode, 0xd0, 0xd7))
      return plain(at(secondRegister(dex, address)))
    if (isIn(opcode, 0xd8, 0xe2)) return plain(at(dex.u8(address + 2)))
    if (isIn(opcode, 0x44, 0x4a)) return plain(at(dex.u8(address + 2)))
    if (isIn(opcode, 0x2d, 0x31) || isIn(opcode, 0x90, 0xaf)) return both(dex.u8(address + 2), dex.u8(address + 3))
    if (isIn(opcode, 0xb0, 0xcf)) return both(firstRegister(dex, address), secondRegister(dex, address))
    return NOTHING
  }

  private called(i: number, address: number, before: Uint32Array, state: Uint32Array): number {
    if (i === this.start) return WHOLE
    const { dex } = this
    const opcode = dex.u8(address)
    const at = (register: number) => before[register] ?? NOTHING
    if (opcode >= 0xfa || opcode === 0x24 || opcode === 0x25) {
      for (let slot = 0; argumentRegister(dex, address, slot) >= 0; slot++)
        if (isHeld(at(argumentRegister(dex, address, slot)))) this.escapes = true
      return NOTHING
    }
    const given = this.method.given(address).filter(({ register }) => isHeld(at(register)))
    if (!given.length) return NOTHING
    const held = given.reduce((all, { register }) => joined(all, at(register)), NOTHING)
    switch (
      this.method.readingOf(
        address,
        given.map(({ n }) => n),
      )
    ) {
      case 'same':
        return held
      case 'part':
        // What the instruction gave before is another part now.
        state.forEach((one, register) => {
          if (one === partOf(i)) state[register] = OTHER
          else if (one === answerOf(partOf(i))) state[register] = NOTHING
        })
        return partOf(i)
      case 'match':
        return answerOf(held)
      case 'nothing':
        return NOTHING
      case 'into':
        this.fill(address, held)
        return NOTHING
      default:
        this.escapes = true
        return NOTHING
    }
  }

  /** The object that it is put into is followed from where it is made, if that is in this method. */
  private fill(address: number, held: number): void {
    const [object, ...others] = this.method.objectOf(address)
    if (held === NOTHING || object?.kind !== 'new' || others.length) {
      this.escapes = true
      return
    }
    const made = this.flow.indexAt(object.address)
    if (made < 0) this.escapes = true
    if (made < 0 || this.filled.has(made)) return
    this.filled.add(made)
    if (this.states.has(made)) this.todo.push(made)
  }
}

const isIn = (opcode: number, from: number, to: number): boolean => opcode >= from && opcode <= to
