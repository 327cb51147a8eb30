import { KINDS, type Kind, type Value } from './opcode-programs.ts'

/** What a program does. */
export interface ProgramOutcome {
  readonly stdout: string
  readonly log: string
  /** Type of the exception that leaves main. */
  readonly exception?: string
}

/** The places of a method: registers by kind, the same in every method. */
export const REGISTERS: Readonly<Record<Kind, readonly string[]>> = {
  int: ['v0', 'v1', 'v2', 'v3'],
  long: ['v4', 'v6'],
  float: ['v8', 'v9'],
  double: ['v10', 'v12'],
}
export const KIND_NAMES = Object.keys(REGISTERS) as Kind[]
export const [TEMPORARY, OTHER] = ['v14', 'v15']
export const [ARRAY, BOX, TEXT, CAUGHT] = ['v16', 'v17', 'v18', 'v19']
export const ARRAY_LENGTH = 6

export interface Place {
  readonly kind: Kind
  readonly register: string
}

/** The state of one call while it is executed. */
export interface Frame {
  readonly values: Map<string, Value>
  array: number[]
  box: { isRound: boolean; number: number; wide: bigint }
  text: string
}

class Machine {
  readonly out: string[] = []
  readonly log: string[] = []
  readonly methods: readonly Method[]
  counter = 0
  total = 0n
  private steps = 0

  constructor(methods: readonly Method[]) {
    this.methods = methods
  }

  step(): void {
    if (++this.steps > 40_000 || this.out.length > 1500) throw new TooLong()
  }
}

export class TooLong extends Error {}
/** An exception of the program. */
export class Thrown extends Error {
  readonly type: string
  constructor(type: string) {
    super(type)
    this.type = type
  }
}
export const ARITHMETIC = 'java.lang.ArithmeticException'
export const BOUNDS = 'java.lang.ArrayIndexOutOfBoundsException'
export const CAST = 'java.lang.ClassCastException'
export const STATE = 'java.lang.IllegalStateException'

export interface Statement {
  readonly lines: readonly string[]
  readonly run: (machine: Machine, frame: Frame) => void
}

export interface Method {
  readonly parameters: readonly Kind[]
  readonly result: Kind
  readonly body: Statement
  readonly returned: Place
}

/** Output, log and exception of the first method, which calls the others. Throws TooLong. */
export function executeMethods(methods: readonly Method[]): ProgramOutcome {
  const machine = new Machine(methods)
  let exception: string | undefined
  try {
    machine.out.push(KINDS[methods[0]!.result].print(callMethod(machine, methods[0]!, [])))
  } catch (error) {
    if (!(error instanceof Thrown)) throw error
    exception = error.type
  }
  const joined = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')
  return { stdout: joined(machine.out), log: joined(machine.log), ...(exception && { exception }) }
}

export function callMethod(machine: Machine, method: Method, parameters: readonly Value[]): Value {
  const values = new Map<string, Value>()
  for (const kind of KIND_NAMES)
    for (const [i, register] of REGISTERS[kind].entries()) values.set(register, initialOf(kind, i))
  for (const [i, kind] of method.parameters.entries()) values.set(REGISTERS[kind][0]!, parameters[i]!)
  const frame: Frame = {
    values,
    array: Array<number>(ARRAY_LENGTH).fill(0),
    box: { isRound: false, number: 0, wide: 0n },
    text: '',
  }
  method.body.run(machine, frame)
  return values.get(method.returned.register)!
}

export function initialOf(kind: Kind, i: number): Value {
  return kind === 'long' ? BigInt(3 * i + 1) : 3 * i + 1
}
