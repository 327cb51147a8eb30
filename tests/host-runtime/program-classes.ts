import {
  ARRAY,
  ARRAY_LENGTH,
  BOX,
  initialOf,
  KIND_NAMES,
  type Method,
  OTHER,
  REGISTERS,
  TEMPORARY,
  TEXT,
} from './execute-methods.ts'
import { constant, KINDS, PRINT, PRINT_CLASS } from './opcode-programs.ts'

/** A handler of a guarded block: descriptor of the exception (undefined: any) and label. */
export type GuardHandler = readonly [type: string | undefined, label: string]

/** What the lines of methods refer to. */
interface MadeParts {
  /** Handlers of the blocks between lines `@begin N` and `@end N`. */
  readonly guards: readonly (readonly GuardHandler[])[]
  /** A label that is not used yet. */
  readonly label: () => string
  /** A random number below a limit. */
  readonly below: (limit: number) => number
}

/** The classes of a generated program in smali; `path`: `generated/P1`. */
export function programClasses(path: string, methods: readonly Method[], parts: MadeParts): string[] {
  const text = new ClassText(path, methods, parts)
  return [text.mainClass(), ...text.boxClasses(), PRINT_CLASS]
}

class ClassText {
  private readonly path: string
  private readonly methods: readonly Method[]
  private readonly parts: MadeParts

  constructor(path: string, methods: readonly Method[], parts: MadeParts) {
    this.path = path
    this.methods = methods
    this.parts = parts
  }

  /** Guarded blocks as ranges that do not overlap, each with the handlers of all blocks around it, the innermost first. */
  private withRanges(lines: readonly string[]): string[] {
    const active: number[] = []
    const out: string[] = []
    let from: string | undefined
    const close = () => {
      if (from === undefined) return
      const to = this.parts.label()
      out.push(to)
      const seen = new Set<string | undefined>()
      for (const guard of [...active].reverse())
        for (const [type, label] of this.parts.guards[guard]!) {
          if (seen.has(type) || seen.has(undefined)) continue
          seen.add(type)
          out.push(`${type ? `.catch ${type}` : '.catchall'} {${from} .. ${to}} ${label}`)
        }
      from = undefined
    }
    for (const line of lines) {
      const [, word, number] = /^@(begin|end) (\d+)$/.exec(line) ?? []
      if (word) {
        close()
        if (word === 'begin') active.push(Number(number))
        else active.splice(active.indexOf(Number(number)), 1)
        continue
      }
      if (active.length && from === undefined && /^[a-z]/.test(line)) {
        from = this.parts.label()
        out.push(from)
      }
      out.push(line)
    }
    return out
  }

  mainClass(): string {
    const first = this.methods[0]!
    return `.class public L${this.path};
.super Ljava/lang/Object;
.field static counter:I
.field static total:J
${this.methods.map((method, i) => this.methodText(method, this.methods.length - i)).join('\n')}
.method static caught(Ljava/lang/Throwable;)V
    .locals 1
    invoke-virtual {p0}, Ljava/lang/Object;->getClass()Ljava/lang/Class;
    move-result-object v0
    invoke-virtual {v0}, Ljava/lang/Class;->getName()Ljava/lang/String;
    move-result-object v0
    invoke-static {v0}, Lprograms/Print;->text(Ljava/lang/String;)V
    return-void
.end method
.method public static main([Ljava/lang/String;)V
    .locals 2
    invoke-static {}, L${this.path};->m${this.methods.length}()${KINDS[first.result].descriptor}
    move-result${KINDS[first.result].wide ? '-wide' : ''} v0
    ${PRINT[first.result]('v0')}
    return-void
.end method
`
  }

  private methodText({ parameters, result, body, returned }: Method, name: number): string {
    const owner = `L${this.path}$Box;`
    let at = 0
    const moves = parameters.map((kind) => {
      const { wide } = KINDS[kind]
      const move = `move${wide ? '-wide' : ''}/from16 ${REGISTERS[kind][0]}, p${at}`
      at += wide ? 2 : 1
      return move
    })
    const wide = KINDS[result].wide
    return `.method static m${name}(${parameters.map((kind) => KINDS[kind].descriptor).join('')})${KINDS[result].descriptor}
    .locals ${48 + this.parts.below(20)}
    ${[
      ...KIND_NAMES.flatMap((kind) =>
        REGISTERS[kind].map((register, i) => constant(kind, register, initialOf(kind, i))),
      ),
      ...moves,
      `const/4 ${TEMPORARY}, 0x${ARRAY_LENGTH}`,
      `new-array ${OTHER}, ${TEMPORARY}, [I`,
      `move-object/from16 ${ARRAY}, ${OTHER}`,
      `new-instance ${OTHER}, ${owner}`,
      `invoke-direct {${OTHER}}, ${owner}-><init>()V`,
      `move-object/from16 ${BOX}, ${OTHER}`,
      `const-string ${TEXT}, ""`,
      ...this.withRanges(body.lines),
      `return${wide ? '-wide' : ''} ${returned.register}`,
    ].join('\n    ')}
.end method`
  }

  boxClasses(): string[] {
    const owner = `L${this.path}$Box;`
    const head = (name: string, superclass: string) => `.class public L${this.path}$${name};
.super ${superclass}
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, ${superclass}-><init>()V
    return-void
.end method
.method public mix(I)I
    .locals 4
    iget-wide v0, p0, ${owner}->wide:J
    int-to-long v2, p1
    add-long/2addr v0, v2
    iput-wide v0, p0, ${owner}->wide:J
    iget v0, p0, ${owner}->number:I
`
    return [
      `${head('Box', 'Ljava/lang/Object;').replace('.method', '.field number:I\n.field wide:J\n.method')}    add-int/2addr v0, p1
    return v0
.end method
`,
      `${head('RoundBox', owner)}    mul-int/lit8 v1, p1, 0x1f
    xor-int/2addr v0, v1
    return v0
.end method
`,
    ]
  }
}

/** A text as smali writes it. */
export function quoted(text: string): string {
  const escaped = Array.from({ length: text.length }, (_, i) => {
    const unit = text.charCodeAt(i)
    return unit >= 0x20 && unit < 0x7f && unit !== 0x22 && unit !== 0x5c
      ? text[i]!
      : `\\u${unit.toString(16).padStart(4, '0')}`
  })
  return `"${escaped.join('')}"`
}
