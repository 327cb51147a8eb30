import { KINDS, PRINT_CLASS, type PredictedProgram, predictedProgram } from '../host-runtime/opcode-programs.ts'
import { CONDITIONS } from '../host-runtime/random-programs.ts'

const INTS = KINDS.int.operands as readonly number[]
const hex = (value: number) => (value < 0 ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`)

/** Keys of switches; packed ones count up from the first. */
const SWITCHES: readonly (readonly [kind: 'packed' | 'sparse', keys: readonly number[]])[] = [
  ['packed', [-1, 0, 1]],
  ['packed', [-0x80000000, -0x7fffffff]],
  ['packed', [0x7ffffffe, 0x7fffffff]],
  ['packed', [31, 32, 33]],
  ['sparse', [-0x80000000, -1, 0, 0x7fffffff]],
  ['sparse', [-100, 7, 31, 0x12345678]],
  ['sparse', [2]],
]

const PRINT_V0 = 'invoke-static {v0}, Lprograms/Print;->one(I)V'

/** Arrays that one instruction makes and fills. */
const FILLED = `.method static filled()V
    .locals 6
    const v0, -0x5
    const v1, 0x7fffffff
    const v2, 0x9
    filled-new-array {v0, v1, v2}, [I
    move-result-object v3
    const/4 v4, 0x0
    aget v0, v3, v4
    ${PRINT_V0}
    filled-new-array/range {v3 .. v3}, [[I
    move-result-object v5
    aget-object v5, v5, v4
    const/4 v4, 0x1
    aget v0, v5, v4
    ${PRINT_V0}
    const-string v0, "an element"
    filled-new-array {v0, v0}, [Ljava/lang/String;
    move-result-object v1
    aget-object v0, v1, v4
    invoke-static {v0}, Lprograms/Print;->text(Ljava/lang/String;)V
    return-void
.end method`

/** As many registers and words of arguments as a package gives to the interpreter at most (eligible-methods.ts). */
const WIDEST = `.method static widest()V
    .registers 128
${Array.from({ length: 16 }, (_, i) => `    const-wide v${96 + 2 * i}, ${hex(i - 2)}L`).join('\n')}
    invoke-static/range {v96 .. v127}, Lprograms/Flow;->ends(${'J'.repeat(16)})J
    move-result-wide v0
    invoke-static {v0, v1}, Lprograms/Print;->one(J)V
    return-void
.end method
.method static ends(${'J'.repeat(16)})J
    .registers 128
    move-wide/from16 v0, v96
    move-wide/from16 v2, v126
    long-to-int v4, v2
    shl-long v0, v0, v4
    return-wide v0
.end method`

/** Every branch on every pair of unusual numbers, switches whose keys reach to both ends, and filled arrays. */
export function flowProgram(): PredictedProgram {
  const methods: string[] = []
  const calls: string[] = []
  const lines: string[] = []
  const add = (parameters: number, body: readonly string[], rows: readonly (readonly number[])[]) => {
    const name = `m${methods.length}(${'I'.repeat(parameters)})V`
    methods.push(`.method static ${name}\n    .locals 1\n    ${body.join('\n    ')}\n.end method`)
    const made = rows.flatMap((row) => [
      ...row.map((value, i) => `const v${i}, ${hex(value)}`),
      `invoke-static {${row.map((_, i) => `v${i}`).join(', ')}}, Lprograms/Flow;->${name}`,
    ])
    // A method of its own: together they would not fit in one.
    calls.push(`invoke-static {}, Lprograms/Flow;->all${methods.length}()V`)
    methods.push(
      `.method static all${methods.length}()V\n    .locals 2\n    ${made.join('\n    ')}\n    return-void\n.end method`,
    )
  }
  for (const [name, holds] of CONDITIONS) {
    const body = (jump: string) => [...['const/4 v0, 1', jump, 'const/4 v0, 0', ':end', PRINT_V0, 'return-void']]
    const pairs = INTS.flatMap((a) => INTS.map((b) => [a, b] as const))
    add(2, body(`if-${name} p0, p1, :end`), pairs)
    lines.push(...pairs.map(([a, b]) => (holds(a, b) ? '1' : '0')))
    const single = INTS.map((a) => [a] as const)
    add(1, body(`if-${name}z p0, :end`), single)
    lines.push(...single.map(([a]) => (holds(a, 0) ? '1' : '0')))
  }
  for (const [kind, keys] of SWITCHES) {
    const around = [...new Set(keys.flatMap((key) => [key - 1, key, key + 1]).map((one) => one | 0)), ...INTS]
    add(
      1,
      [
        ...['const/4 v0, -1', `${kind}-switch p0, :table`, 'goto :end'],
        ...keys.flatMap((_, i) => [`:case${i}`, `const/16 v0, ${i}`, 'goto :end']),
        ...[':end', PRINT_V0, 'return-void', ':table'],
        kind === 'packed' ? `.packed-switch ${hex(keys[0]!)}` : '.sparse-switch',
        ...keys.map((key, i) => (kind === 'packed' ? `:case${i}` : `${hex(key)} -> :case${i}`)),
        `.end ${kind}-switch`,
      ],
      around.map((one) => [one]),
    )
    lines.push(...around.map((one) => String(keys.indexOf(one))))
  }
  methods.push(FILLED, WIDEST)
  calls.push('invoke-static {}, Lprograms/Flow;->filled()V', 'invoke-static {}, Lprograms/Flow;->widest()V')
  lines.push('-5', String(0x7fffffff), 'an element', String(-2 * 2 ** 13))
  const program = predictedProgram('Flow', methods, calls, lines)
  return { ...program, classes: [...program.classes, PRINT_CLASS] }
}
