import type { DexReferenceNumbers, WrittenDexMethod } from './dex-writer.ts'

/** A register of a body that is being written. */
interface Local {
  readonly register: number
}
/** A constant, null, or what an earlier step gave. */
export type Argument = string | number | null | Local

const REGISTERS = 250
const parametersOf = (reference: string): string[] =>
  reference.slice(reference.indexOf('(') + 1, reference.indexOf(')')).match(/\[*(?:[ZBSCIJFD]|L[^;]*;)/g) ?? []

/** Writes the code of a method step by step, each value into a register of its own. */
export class Body {
  private next = 0
  private readonly steps: ((numbers: DexReferenceNumbers) => number[])[] = []
  private readonly ins: number

  constructor(ins: number) {
    this.ins = ins
  }

  /** n-th word of the arguments, from 0 (`this` of an instance method). */
  parameter(n: number): Local {
    return { register: REGISTERS - this.ins + n }
  }

  static(reference: string, ...values: readonly Argument[]): Local {
    return this.invoke(0x77, reference, values, parametersOf(reference))
  }

  virtual(reference: string, ...values: readonly Argument[]): Local {
    return this.invoke(0x74, reference, values, ['L', ...parametersOf(reference)])
  }

  interface(reference: string, ...values: readonly Argument[]): Local {
    return this.invoke(0x78, reference, values, ['L', ...parametersOf(reference)])
  }

  /** A new object: `make('La/B;', '(I)V', 1)`. */
  make(descriptor: string, signature = '()V', ...values: readonly Argument[]): Local {
    const register = this.take()
    this.steps.push((numbers) => [0x22 | (register << 8), numbers.type(descriptor)])
    const reference = `${descriptor}-><init>${signature}`
    this.invoke(0x76, reference, [{ register }, ...values], ['L', ...parametersOf(reference)])
    return { register }
  }

  /** The class itself: `Bar.class`. */
  classObject(descriptor: string): Local {
    const register = this.take()
    this.steps.push((numbers) => [0x1c | (register << 8), numbers.type(descriptor)])
    return { register }
  }

  field(reference: string): Local {
    const register = this.take()
    this.steps.push((numbers) => [0x62 | (register << 8), numbers.field(reference)])
    return { register }
  }

  put(reference: string, value: Argument): void {
    const register = this.into(value, 'L')
    this.steps.push((numbers) => [0x69 | (register << 8), numbers.field(reference)])
  }

  /** A new `String[]` that holds these. */
  texts(...values: readonly string[]): Local {
    const first = this.take(values.length)
    values.forEach((value, i) => {
      this.load(first + i, value, 'L')
    })
    this.steps.push((numbers) => [0x25 | (values.length << 8), numbers.type('[Ljava/lang/String;'), first])
    const register = this.take()
    this.steps.push(() => [0x0c | (register << 8)])
    return { register }
  }

  /** One object of an array. */
  at(array: Local, index: Argument): Local {
    const place = this.into(index, 'I')
    const register = this.take()
    this.steps.push(() => [0x46 | (register << 8), array.register | (place << 8)])
    return { register }
  }

  /** Compares an object with null; both ways go on behind it. */
  compareWithNull(value: Local): void {
    this.steps.push(() => [0x38 | (value.register << 8), 2])
  }

  /** The method of the superclass. */
  super(reference: string, ...values: readonly Argument[]): Local {
    return this.invoke(0x75, reference, values, ['L', ...parametersOf(reference)])
  }

  result(value: Argument, type = 'L'): void {
    const register = this.into(value, type)
    this.steps.push(() => [(/^[[L]/.test(type) ? 0x11 : 0x0f) | (register << 8)])
  }

  /** @param isVoid whether a plain return ends it */
  finish(isVoid: boolean): Pick<WrittenDexMethod, 'code' | 'registers' | 'ins'> {
    const steps = isVoid ? [...this.steps, () => [0x0e]] : this.steps
    return { registers: REGISTERS, ins: this.ins, code: (numbers) => steps.flatMap((step) => step(numbers)) }
  }

  private take(words = 1): number {
    const register = this.next
    this.next += words
    return register
  }

  private into(value: Argument, type: string): number {
    const register = this.take(type === 'J' || type === 'D' ? 2 : 1)
    this.load(register, value, type)
    return register
  }

  private load(register: number, value: Argument, type: string): void {
    if (typeof value === 'string') this.steps.push((numbers) => [0x1a | (register << 8), numbers.string(value)])
    else if (value === null || typeof value === 'number') {
      const number = value ?? 0
      const wide = type === 'J' || type === 'D'
      this.steps.push(() => [(wide ? 0x17 : 0x14) | (register << 8), number & 0xffff, (number >>> 16) & 0xffff])
    } else this.steps.push(() => [(/^[[L]/.test(type) ? 0x08 : 0x02) | (register << 8), value.register])
  }

  private invoke(opcode: number, reference: string, values: readonly Argument[], types: readonly string[]): Local {
    const words = types.map((type) => (type === 'J' || type === 'D' ? 2 : 1))
    const count = words.reduce((sum, word) => sum + word, 0)
    const first = this.take(count)
    let at = first
    types.forEach((type, i) => {
      this.load(at, values[i] ?? null, type)
      at += words[i]!
    })
    this.steps.push((numbers) => [opcode | (count << 8), numbers.method(reference), first])
    const returns = reference.slice(reference.indexOf(')') + 1)
    if (returns === 'V') return { register: -1 }
    const register = this.take(returns === 'J' || returns === 'D' ? 2 : 1)
    const move = returns === 'J' || returns === 'D' ? 0x0b : /^[[L]/.test(returns) ? 0x0c : 0x0a
    this.steps.push(() => [move | (register << 8)])
    return { register }
  }
}

/** A method with code: `method('run()V', (body) => body.static(…))`; static where the name begins with `static `. */
export function method(name: string, write: (body: Body) => void = () => {}): WrittenDexMethod {
  const isStatic = name.startsWith('static ')
  const plain = name.replace('static ', '')
  const ins = parametersOf(plain).reduce((sum, type) => sum + (type === 'J' || type === 'D' ? 2 : 1), isStatic ? 0 : 1)
  const body = new Body(ins)
  write(body)
  const isVoid = plain.endsWith(')V')
  return { name: plain, flags: isStatic ? 9 : plain.startsWith('<init>') ? 0x10001 : 1, ...body.finish(isVoid) }
}
