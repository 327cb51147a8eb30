import {
  ARITHMETIC,
  ARRAY,
  ARRAY_LENGTH,
  BOUNDS,
  BOX,
  CAST,
  CAUGHT,
  callMethod,
  executeMethods,
  type Frame,
  KIND_NAMES,
  type Method,
  OTHER,
  type Place,
  type ProgramOutcome,
  REGISTERS,
  STATE,
  type Statement,
  TEMPORARY,
  TEXT,
  Thrown,
  TooLong,
} from './execute-methods.ts'
import { applyBinary, applyUnary, constant, KINDS, type Kind, PRINT, type Value, wordsOf } from './opcode-programs.ts'
import { type GuardHandler, programClasses, quoted } from './program-classes.ts'

/** A generated program with what it must print, computed by executing its statements here. */
export interface RandomProgram extends ProgramOutcome {
  readonly main: string
  readonly classes: readonly string[]
}

/** Numbers of one seed, in [0, 1): mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * The program of a seed: arithmetic of all widths, arrays, fields, virtual calls, calls with ranges, loops, switches, nested handlers, monitors,
 * texts, log calls. Always the same for the same seed.
 */
export function randomProgram(seed: number): RandomProgram {
  // A program that runs too long is left out; the next number of its series takes its place.
  for (let attempt = 0; ; attempt++) {
    const made = new Maker(randomFrom(seed * 1000 + attempt), `generated/P${seed}`).program()
    try {
      return { main: `generated.P${seed}`, classes: made.classes, ...executeMethods(made.methods) }
    } catch (error) {
      if (!(error instanceof TooLong)) throw error
    }
  }
}

/** Loop counters by depth, and the first of the registers from which ranges of arguments are passed. */
const COUNTERS = ['v20', 'v21', 'v22']
const RANGE = 24
/** By depth: the exceptions that finally blocks hold back, and the objects of monitors. */
const PENDING = 36
const LOCKS = 42

const ANY = 'java.lang.RuntimeException'
const HANDLED = [[ARITHMETIC], [ARITHMETIC, STATE], [CAST, BOUNDS], [BOUNDS, ANY], [ANY], [ANY], [ANY], [ANY]]

const OPERATIONS = ['add', 'sub', 'mul', 'div', 'rem']
const isHarmless = (operation: string) => operation !== 'div' && operation !== 'rem'
const BITWISE = ['and', 'or', 'xor', 'shl', 'shr', 'ushr']
const LITERAL_OPERATIONS = ['add', 'mul', 'div', 'rem', 'and', 'or', 'xor']
const CONVERSIONS: readonly (readonly [name: string, from: Kind, to: Kind])[] = [
  ...KIND_NAMES.map((kind) => [`neg-${kind}`, kind, kind] as const),
  ...KIND_NAMES.flatMap((from) =>
    KIND_NAMES.filter((to) => to !== from).map((to) => [`${from}-to-${to}`, from, to] as const),
  ),
  ['not-int', 'int', 'int'],
  ['not-long', 'long', 'long'],
  ['int-to-byte', 'int', 'int'],
  ['int-to-char', 'int', 'int'],
  ['int-to-short', 'int', 'int'],
]
const TEXTS = [
  'alpha',
  'a longer text with spaces',
  '',
  '密钥 key',
  'x'.repeat(70),
  'quote " and \\',
  '\u00e9\u4e2d\ud83d\ude00',
  'tab\there',
]
/** Branches of two ints. */
export const CONDITIONS: readonly (readonly [name: string, holds: (a: number, b: number) => boolean])[] = [
  ['eq', (a, b) => a === b],
  ['ne', (a, b) => a !== b],
  ['lt', (a, b) => a < b],
  ['ge', (a, b) => a >= b],
  ['gt', (a, b) => a > b],
  ['le', (a, b) => a <= b],
]

class Maker {
  private readonly random: () => number
  private readonly path: string
  private readonly methods: Method[] = []
  private labels = 0
  /** Blocks with handlers around the statement that is being made. */
  private guardedBy = 0
  /** Handlers of the blocks between lines `@begin N` and `@end N`: descriptor (undefined: any) and label. */
  private readonly guards: (readonly GuardHandler[])[] = []

  constructor(random: () => number, path: string) {
    this.random = random
    this.path = path
  }

  /** Methods are made from the last to the first: each calls only those behind it, so that no call returns to its caller's method. */
  program(): { classes: string[]; methods: readonly Method[] } {
    const count = 2 + this.below(4)
    for (let i = count - 1; i >= 0; i--) this.methods.unshift(this.method(i))
    // Calls hold the distance to the end of the list, which does not change while methods are put in front.
    const classes = programClasses(this.path, this.methods, {
      guards: this.guards,
      label: () => this.label(),
      below: (limit) => this.below(limit),
    })
    return { classes, methods: this.methods }
  }

  private below(limit: number): number {
    return Math.floor(this.random() * limit)
  }

  private pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!
  }

  private place(kind: Kind = this.pick(KIND_NAMES)): Place {
    return { kind, register: this.pick(REGISTERS[kind]) }
  }

  private label(): string {
    return `:l${this.labels++}`
  }

  private method(number: number): Method {
    const parameters = number === 0 ? [] : Array.from({ length: this.below(4) }, () => this.pick(KIND_NAMES))
    const result = this.pick(KIND_NAMES)
    const block = this.block(8 + this.below(12), 0)
    const last = number === 0 ? this.allPlaces() : []
    return {
      parameters,
      result,
      body: {
        lines: [...block.lines, ...last.flatMap(({ lines }) => lines)],
        run: (machine, frame) => {
          block.run(machine, frame)
          for (const one of last) one.run(machine, frame)
        },
      },
      returned: this.place(result),
    }
  }

  private block(length: number, depth: number): Statement {
    const statements = Array.from({ length }, () => this.statement(depth))
    return {
      lines: statements.flatMap((one) => one.lines),
      run: (machine, frame) => {
        for (const one of statements) {
          machine.step()
          one.run(machine, frame)
        }
      },
    }
  }

  private statement(depth: number): Statement {
    const simple = [
      () => this.binary(),
      () => this.binary(),
      () => this.literal(),
      () => this.conversion(),
      () => this.comparison(),
      () => this.assignment(),
      () => this.arrayAccess(),
      () => this.boxAccess(),
      () => this.classField(),
      () => this.textWork(),
      () => this.print(),
      () => this.print(),
      () => this.print(),
      () => this.logCall(),
      () => this.methodCall(),
    ]
    const nested = [
      () => this.condition(depth),
      () => this.loop(depth),
      () => this.choice(depth),
      () => this.guarded(depth),
      () => this.guarded(depth),
      () => this.locked(depth),
    ]
    if (this.guardedBy && this.random() < 0.04) return this.thrown()
    return depth < 3 && this.random() < 0.3 ? this.pick(nested)() : this.pick(simple)()
  }

  /** Most programs should not end early: what throws is inside of handlers, and only now and then outside. */
  private mayThrow(): boolean {
    return this.guardedBy > 0 || this.random() < 0.03
  }

  private binary(): Statement {
    const target = this.place()
    const { kind } = target
    const isInteger = kind === 'int' || kind === 'long'
    const operations = isInteger ? [...OPERATIONS, ...BITWISE] : OPERATIONS
    const operation = this.pick(isInteger && !this.mayThrow() ? operations.filter(isHarmless) : operations)
    const isShift = /^(shl|shr|ushr)$/.test(operation)
    const inPlace = this.random() < 0.4
    const left = inPlace ? target : this.place(kind)
    const right = this.place(isShift ? 'int' : kind)
    return {
      lines: [
        inPlace
          ? `${operation}-${kind}/2addr ${target.register}, ${right.register}`
          : `${operation}-${kind} ${target.register}, ${left.register}, ${right.register}`,
      ],
      run: (_, { values }) => {
        const value = applyBinary(operation, kind, values.get(left.register)!, values.get(right.register)!)
        if (value === undefined) throw new Thrown(ARITHMETIC)
        values.set(target.register, value)
      },
    }
  }

  private literal(): Statement {
    const operation = this.pick(this.mayThrow() ? LITERAL_OPERATIONS : LITERAL_OPERATIONS.filter(isHarmless))
    const [target, source] = [this.place('int'), this.place('int')]
    const wide = this.random() < 0.5
    const literal = this.below(wide ? 0x10000 : 0x100) - (wide ? 0x8000 : 0x80)
    return {
      lines: [
        `${operation}-int/${wide ? 'lit16' : 'lit8'} ${target.register}, ${source.register}, ${literal < 0 ? '-' : ''}0x${Math.abs(literal).toString(16)}`,
      ],
      run: (_, { values }) => {
        const value = applyBinary(operation, 'int', values.get(source.register)!, literal)
        if (value === undefined) throw new Thrown(ARITHMETIC)
        values.set(target.register, value)
      },
    }
  }

  private conversion(): Statement {
    const [name, from, to] = this.pick(CONVERSIONS)
    const [target, source] = [this.place(to), this.place(from)]
    return {
      lines: [`${name} ${target.register}, ${source.register}`],
      run: (_, { values }) => void values.set(target.register, applyUnary(name, values.get(source.register)!)),
    }
  }

  private comparison(): Statement {
    const kind = this.pick(['long', 'float', 'double'] as const)
    const greater = this.random() < 0.5
    const name = kind === 'long' ? 'cmp-long' : `cmp${greater ? 'g' : 'l'}-${kind}`
    const [target, left, right] = [this.place('int'), this.place(kind), this.place(kind)]
    return {
      lines: [`${name} ${target.register}, ${left.register}, ${right.register}`],
      run: (_, { values }) => {
        const [a, b] = [values.get(left.register)!, values.get(right.register)!]
        values.set(target.register, a < b ? -1 : a > b ? 1 : a === b ? 0 : greater ? 1 : -1)
      },
    }
  }

  /** A constant in its shortest or longest form, or a move. */
  private assignment(): Statement {
    const target = this.place()
    if (this.random() < 0.4) {
      const source = this.place(target.kind)
      const move = KINDS[target.kind].wide ? 'move-wide' : 'move'
      return {
        lines: [`${this.pick([move, `${move}/from16`, `${move}/16`])} ${target.register}, ${source.register}`],
        run: (_, { values }) => void values.set(target.register, values.get(source.register)!),
      }
    }
    const value = this.pick<Value>([...KINDS[target.kind].operands])
    return {
      lines: [constant(target.kind, target.register, value)],
      run: (_, { values }) => void values.set(target.register, value),
    }
  }

  private arrayAccess(): Statement {
    const [index, value] = [this.place('int'), this.place('int')]
    const masked = !this.mayThrow() || this.random() < 0.6
    const mask = masked
      ? [`and-int/lit8 ${TEMPORARY}, ${index.register}, 0x3`]
      : [`move ${TEMPORARY}, ${index.register}`]
    const at = ({ values, array }: Frame) => {
      const raw = Number(values.get(index.register))
      const wanted = masked ? raw & 3 : raw
      if (wanted < 0 || wanted >= array.length) throw new Thrown(BOUNDS)
      return wanted
    }
    if (this.random() < 0.15) {
      const numbers = Array.from({ length: ARRAY_LENGTH }, () => this.below(1000) - 500)
      const [data, over] = [this.label(), this.label()]
      return {
        lines: [
          `const/4 ${TEMPORARY}, 0x${ARRAY_LENGTH}`,
          `new-array ${OTHER}, ${TEMPORARY}, [I`,
          `fill-array-data ${OTHER}, ${data}`,
          `move-object/from16 ${ARRAY}, ${OTHER}`,
          `goto/32 ${over}`,
          data,
          '.array-data 4',
          ...numbers.map((one) => `${one < 0 ? '-' : ''}0x${Math.abs(one).toString(16)}`),
          '.end array-data',
          over,
        ],
        run: (_, frame) => {
          frame.array = [...numbers]
        },
      }
    }
    if (this.random() < 0.5)
      return {
        lines: [...mask, `aget ${value.register}, ${ARRAY}, ${TEMPORARY}`],
        run: (_, frame) => void frame.values.set(value.register, frame.array[at(frame)]!),
      }
    return {
      lines: [...mask, `aput ${value.register}, ${ARRAY}, ${TEMPORARY}`],
      run: (_, frame) => {
        frame.array[at(frame)] = Number(frame.values.get(value.register))
      },
    }
  }

  /** Fields, virtual calls, type tests and casts of an object whose class is known only when it runs. */
  private boxAccess(): Statement {
    const owner = `L${this.path}$Box;`
    const round = `L${this.path}$RoundBox;`
    const [number, wide] = [this.place('int'), this.place('long')]
    const toLow = `move-object/from16 ${OTHER}, ${BOX}`
    const make = (isRound: boolean): Statement => ({
      lines: [
        `new-instance ${OTHER}, ${isRound ? round : owner}`,
        `invoke-direct {${OTHER}}, ${isRound ? round : owner}-><init>()V`,
        `move-object/from16 ${BOX}, ${OTHER}`,
      ],
      run: (_, frame) => {
        frame.box = { isRound, number: 0, wide: 0n }
      },
    })
    const casts = (): Statement => ({
      lines: [toLow, `check-cast ${OTHER}, ${round}`],
      run: (_, { box }) => {
        if (!box.isRound) throw new Thrown(CAST)
      },
    })
    return this.pick<() => Statement>([
      ...(this.mayThrow() ? [casts] : []),
      () => make(true),
      () => make(false),
      () => ({
        lines: [toLow, `iput ${number.register}, ${OTHER}, ${owner}->number:I`],
        run: (_, { box, values }) => {
          box.number = Number(values.get(number.register))
        },
      }),
      () => ({
        lines: [toLow, `iget-wide ${wide.register}, ${OTHER}, ${owner}->wide:J`],
        run: (_, { box, values }) => void values.set(wide.register, box.wide),
      }),
      () => ({
        lines: [
          toLow,
          `invoke-virtual {${OTHER}, ${number.register}}, ${owner}->mix(I)I`,
          `move-result ${number.register}`,
        ],
        run: (_, { box, values }) => {
          const value = Number(values.get(number.register))
          box.wide = BigInt.asIntN(64, box.wide + BigInt(value))
          values.set(number.register, box.isRound ? Math.imul(value, 31) ^ box.number : (value + box.number) | 0)
        },
      }),
      () => ({
        lines: [toLow, `instance-of ${number.register}, ${OTHER}, ${round}`],
        run: (_, { box, values }) => void values.set(number.register, box.isRound ? 1 : 0),
      }),
    ])()
  }

  private classField(): Statement {
    const owner = `L${this.path};`
    const [number, wide] = [this.place('int'), this.place('long')]
    return this.pick<Statement>([
      {
        lines: [`sget ${number.register}, ${owner}->counter:I`],
        run: (machine, { values }) => void values.set(number.register, machine.counter),
      },
      {
        lines: [`sput ${number.register}, ${owner}->counter:I`],
        run: (machine, { values }) => {
          machine.counter = Number(values.get(number.register))
        },
      },
      {
        lines: [`sget-wide ${wide.register}, ${owner}->total:J`],
        run: (machine, { values }) => void values.set(wide.register, machine.total),
      },
      {
        lines: [`sput-wide ${wide.register}, ${owner}->total:J`],
        run: (machine, { values }) => {
          machine.total = values.get(wide.register) as bigint
        },
      },
    ])
  }

  private textWork(): Statement {
    const text = this.pick(TEXTS) + (this.random() < 0.3 ? String(this.below(100)) : '')
    const number = this.place('int')
    const load = `${this.pick(['const-string', 'const-string/jumbo'])} ${TEMPORARY}, ${quoted(text)}`
    const toLow = `move-object/from16 ${OTHER}, ${TEXT}`
    return this.pick<Statement>([
      {
        lines: [load, `move-object/16 ${TEXT}, ${TEMPORARY}`],
        run: (_, frame) => {
          frame.text = text
        },
      },
      {
        lines: [
          load,
          toLow,
          `invoke-virtual {${OTHER}, ${TEMPORARY}}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;`,
          `move-result-object ${OTHER}`,
          `move-object/from16 ${TEXT}, ${OTHER}`,
        ],
        run: (machine, frame) => {
          frame.text += text
          if (frame.text.length > 2000) {
            machine.step()
            throw new TooLong()
          }
        },
      },
      {
        lines: [
          load,
          toLow,
          `invoke-virtual {${OTHER}, ${TEMPORARY}}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z`,
          `move-result ${number.register}`,
        ],
        run: (_, frame) => void frame.values.set(number.register, frame.text === text ? 1 : 0),
      },
      {
        lines: [toLow, `invoke-virtual {${OTHER}}, Ljava/lang/String;->hashCode()I`, `move-result ${number.register}`],
        run: (_, frame) => {
          let hash = 0
          for (let i = 0; i < frame.text.length; i++) hash = (Math.imul(hash, 31) + frame.text.charCodeAt(i)) | 0
          frame.values.set(number.register, hash)
        },
      },
      {
        lines: [`invoke-static/range {${TEXT} .. ${TEXT}}, Lprograms/Print;->text(Ljava/lang/String;)V`],
        run: (machine, frame) => void machine.out.push(frame.text),
      },
    ])
  }

  /** What the first method leaves in its registers is printed: a wrong value is not lost because it was never printed. */
  private allPlaces(): Statement[] {
    return KIND_NAMES.flatMap((kind) => REGISTERS[kind].map((register) => this.print({ kind, register })))
  }

  private print({ kind, register }: Place = this.place()): Statement {
    return {
      lines: [PRINT[kind](register)],
      run: (machine, { values }) => void machine.out.push(KINDS[kind].print(values.get(register)!)),
    }
  }

  private logCall(): Statement {
    const text = this.pick(TEXTS)
    const level = this.pick(['v', 'd', 'i', 'w', 'e'])
    return {
      lines: [
        `const-string ${TEMPORARY}, "generated"`,
        `const-string ${OTHER}, ${quoted(text)}`,
        `invoke-static {${TEMPORARY}, ${OTHER}}, Landroid/util/Log;->${level}(Ljava/lang/String;Ljava/lang/String;)I`,
      ],
      run: (machine) => void machine.log.push(`${level.toUpperCase()}/generated: ${text}`),
    }
  }

  private methodCall(): Statement {
    if (!this.methods.length) return this.print()
    const back = 1 + this.below(this.methods.length)
    const { parameters, result } = this.methods.at(-back)!
    const sources = parameters.map((kind) => this.place(kind))
    const target = this.place(result)
    const name = `m${back}(${parameters.map((kind) => KINDS[kind].descriptor).join('')})${KINDS[result].descriptor}`
    const words = sources.flatMap(({ kind, register }) => wordsOf(kind, register))
    // The short form holds five words.
    const short = words.length <= 5 && this.random() < 0.6
    let at = RANGE
    const moves = sources.map(({ kind, register }) => {
      const move = `move${KINDS[kind].wide ? '-wide' : ''}/from16 v${at}, ${register}`
      at += KINDS[kind].wide ? 2 : 1
      return move
    })
    const invoke = short
      ? [`invoke-static {${words.join(', ')}}, L${this.path};->${name}`]
      : words.length === 0
        ? [`invoke-static {}, L${this.path};->${name}`]
        : [...moves, `invoke-static/range {v${RANGE} .. v${at - 1}}, L${this.path};->${name}`]
    return {
      lines: [...invoke, `move-result${KINDS[result].wide ? '-wide' : ''} ${target.register}`],
      run: (machine, { values }) => {
        const given = sources.map(({ register }) => values.get(register)!)
        values.set(target.register, callMethod(machine, machine.methods.at(-back)!, given))
      },
    }
  }

  private thrown(): Statement {
    const text = this.pick(TEXTS)
    return {
      lines: [
        `new-instance ${TEMPORARY}, Ljava/lang/IllegalStateException;`,
        `const-string ${OTHER}, ${quoted(text)}`,
        `invoke-direct {${TEMPORARY}, ${OTHER}}, Ljava/lang/IllegalStateException;-><init>(Ljava/lang/String;)V`,
        // A condition that always holds: what follows must not be dead code.
        `if-eqz ${TEMPORARY}, ${`:l${this.labels}`}`,
        `throw ${TEMPORARY}`,
        this.label(),
      ],
      run: () => {
        throw new Thrown(STATE)
      },
    }
  }

  private condition(depth: number): Statement {
    const [name, holds] = this.pick(CONDITIONS)
    const zero = this.random() < 0.4
    const [left, right] = [this.place('int'), this.place('int')]
    const [yes, no] = [this.block(1 + this.below(3), depth + 1), this.block(this.below(3), depth + 1)]
    const [then, end] = [this.label(), this.label()]
    return {
      lines: [
        zero ? `if-${name}z ${left.register}, ${then}` : `if-${name} ${left.register}, ${right.register}, ${then}`,
        ...no.lines,
        `${this.pick(['goto/16', 'goto/32'])} ${end}`,
        then,
        ...yes.lines,
        end,
      ],
      run: (machine, frame) => {
        const a = Number(frame.values.get(left.register))
        const b = zero ? 0 : Number(frame.values.get(right.register))
        ;(holds(a, b) ? yes : no).run(machine, frame)
      },
    }
  }

  private loop(depth: number): Statement {
    const counter = COUNTERS[depth]!
    const times = 1 + this.below(5)
    const body = this.block(1 + this.below(4), depth + 1)
    const [next, end] = [this.label(), this.label()]
    return {
      lines: [
        `const/16 ${counter}, 0x0`,
        next,
        `move/from16 ${TEMPORARY}, ${counter}`,
        `const/16 ${OTHER}, 0x${times}`,
        `if-ge ${TEMPORARY}, ${OTHER}, ${end}`,
        ...body.lines,
        `move/from16 ${TEMPORARY}, ${counter}`,
        `add-int/lit8 ${TEMPORARY}, ${TEMPORARY}, 0x1`,
        `move/16 ${counter}, ${TEMPORARY}`,
        `goto/16 ${next}`,
        end,
      ],
      run: (machine, frame) => {
        for (let i = 0; i < times; i++) {
          machine.step()
          body.run(machine, frame)
        }
      },
    }
  }

  private choice(depth: number): Statement {
    const value = this.place('int')
    const packed = this.random() < 0.5
    const count = 1 + this.below(4)
    const first = this.below(5) - 2
    const keys = packed
      ? Array.from({ length: count }, (_, i) => first + i)
      : [...new Set(Array.from({ length: count }, () => Number(this.pick(KINDS.int.operands))))].sort((a, b) => a - b)
    const branches = keys.map(() => this.block(1 + this.below(2), depth + 1))
    const fallback = this.block(this.below(3), depth + 1)
    const labels = keys.map(() => this.label())
    const [table, end] = [this.label(), this.label()]
    const masked = this.random() < 0.5
    const text = (key: number) => `${key < 0 ? '-' : ''}0x${Math.abs(key).toString(16)}`
    return {
      lines: [
        masked ? `and-int/lit8 ${TEMPORARY}, ${value.register}, 0x3` : `move ${TEMPORARY}, ${value.register}`,
        `${packed ? 'packed' : 'sparse'}-switch ${TEMPORARY}, ${table}`,
        ...fallback.lines,
        `goto/32 ${end}`,
        ...branches.flatMap((branch, i) => [labels[i]!, ...branch.lines, `goto/32 ${end}`]),
        table,
        packed ? `.packed-switch ${text(first)}` : '.sparse-switch',
        ...keys.map((key, i) => (packed ? labels[i]! : `${text(key)} -> ${labels[i]}`)),
        packed ? '.end packed-switch' : '.end sparse-switch',
        end,
      ],
      run: (machine, frame) => {
        const raw = Number(frame.values.get(value.register))
        const at = keys.indexOf(masked ? raw & 3 : raw)
        ;(at < 0 ? fallback : branches[at]!).run(machine, frame)
      },
    }
  }

  /** A block with one or two handlers, or with a finally block. */
  private guarded(depth: number): Statement {
    this.guardedBy++
    const body = this.block(2 + this.below(5), depth + 1)
    this.guardedBy--
    const types = this.pick(HANDLED)
    const withFinally = this.random() < 0.3
    const handlers = types.map(() => this.block(1 + this.below(2), depth + 1))
    const last = this.block(1, depth + 1)
    const [end, any] = [this.label(), this.label()]
    const labels = types.map(() => this.label())
    const descriptor = (type: string) => `L${type.replaceAll('.', '/')};`
    const guard = this.guard([
      ...types.map((type, i) => [descriptor(type), labels[i]!] as const),
      ...(withFinally ? [[undefined, any] as const] : []),
    ])
    return {
      lines: [
        `@begin ${guard}`,
        ...body.lines,
        `@end ${guard}`,
        ...(withFinally ? last.lines : []),
        `goto/32 ${end}`,
        ...handlers.flatMap((handler, i) => [
          labels[i]!,
          `move-exception ${CAUGHT}`,
          `invoke-static/range {${CAUGHT} .. ${CAUGHT}}, L${this.path};->caught(Ljava/lang/Throwable;)V`,
          ...handler.lines,
          `goto/32 ${end}`,
        ]),
        ...(withFinally
          ? [
              any,
              `move-exception ${TEMPORARY}`,
              // A register of its own: a handler inside of the finally block takes the other one.
              `move-object/16 v${PENDING + depth}, ${TEMPORARY}`,
              ...this.copied(last.lines),
              `throw v${PENDING + depth}`,
            ]
          : []),
        end,
      ],
      run: (machine, frame) => {
        try {
          body.run(machine, frame)
        } catch (error) {
          if (!(error instanceof Thrown)) throw error
          const at = types.findIndex((type) => type === error.type || type === ANY)
          if (at >= 0) {
            machine.out.push(error.type)
            return handlers[at]!.run(machine, frame)
          }
          if (withFinally) last.run(machine, frame)
          throw error
        }
        if (withFinally) last.run(machine, frame)
      },
    }
  }

  private guard(handlers: readonly GuardHandler[]): number {
    return this.guards.push(handlers) - 1
  }

  /** The same code once more, with labels and guarded blocks of its own. */
  private copied(lines: readonly string[]): string[] {
    const copy = this.labels++
    const renamed = (text: string) => text.replace(/:l\w+/g, (label) => `${label}_${copy}`)
    const guards = new Map<string, number>()
    return lines.map((line) => {
      const [, word, number] = /^@(begin|end) (\d+)$/.exec(line) ?? []
      if (!word) return renamed(line)
      if (word === 'begin')
        guards.set(number!, this.guard(this.guards[Number(number)]!.map(([type, label]) => [type, renamed(label)])))
      return `@${word} ${guards.get(number!)}`
    })
  }

  /** A monitor that is left on both ways out, as a compiler writes it. */
  private locked(depth: number): Statement {
    const body = this.block(1 + this.below(2), depth + 1)
    const [any, end] = [this.label(), this.label()]
    const guard = this.guard([[undefined, any]])
    const lock = `v${LOCKS + depth}`
    return {
      lines: [
        `const-class ${TEMPORARY}, L${this.path};`,
        `move-object/16 ${lock}, ${TEMPORARY}`,
        `monitor-enter ${lock}`,
        `@begin ${guard}`,
        ...body.lines,
        `monitor-exit ${lock}`,
        `@end ${guard}`,
        `goto/32 ${end}`,
        any,
        `move-exception ${CAUGHT}`,
        `monitor-exit ${lock}`,
        `throw ${CAUGHT}`,
        end,
      ],
      run: (machine, frame) => body.run(machine, frame),
    }
  }
}
