import { OPCODE_NAMES } from '#engines/dex/opcodes.ts'
import type { CodeBody, Instruction } from '#engines/dex-edit/code-body.ts'
import { type DexModel, methodsOf } from '#engines/dex-edit/dex-model.ts'
import { liftCode } from '#engines/dex-edit/edit-code.ts'

/** A call that leaves the file: the method and the values that it got. */
export type OutsideCall = readonly [reference: string, ...values: unknown[]]

interface Box {
  text?: string
}
const MOST_STEPS = 2_000_000

/**
 * Runs a static method of dex files in the way of the documents of Android ('Dalvik bytecode'), as far as made test programs use its
 * instructions. Static fields hold what `fields` says and the program sets. Calls of methods that no file defines are recorded, and give 0; of java.lang.String the few that are needed are here.
 */
export function runDex(
  models: readonly DexModel[],
  reference: string,
  args: readonly unknown[] = [],
  fields: Map<string, unknown> = new Map(),
): { result: unknown; calls: OutsideCall[]; fields: ReadonlyMap<string, unknown> } {
  const calls: OutsideCall[] = []
  let steps = 0
  const find = (wanted: string) => {
    for (const model of models)
      for (const one of model.classes)
        for (const method of methodsOf(one))
          if (method.code && model.methodReference(method.method) === wanted) return { model, code: method.code }
    return undefined
  }
  const invoke = (wanted: string, values: unknown[]): unknown => {
    const own = find(wanted)
    if (own) return run(own, values)
    const [self, ...rest] = values
    if (wanted === 'Ljava/lang/String;->toCharArray()[C')
      return Array.from({ length: (self as string).length }, (_, i) => (self as string).charCodeAt(i))
    if (wanted === 'Ljava/lang/String;->intern()Ljava/lang/String;') return (self as Box).text ?? self
    if (wanted === 'Ljava/lang/String;-><init>([CII)V') {
      const [characters, from, count] = rest as [number[], number, number]
      ;(self as Box).text = characters
        .slice(from, from + count)
        .reduce((text, unit) => text + String.fromCharCode(unit), '')
      return undefined
    }
    calls.push([wanted, ...values])
    return 0
  }
  const run = ({ model, code }: NonNullable<ReturnType<typeof find>>, values: unknown[]): unknown => {
    const { registers, ins, instructions } = code.is === 'file' ? liftCode(model, code) : (code as CodeBody)
    const v: unknown[] = Array(registers).fill(0)
    values.forEach((value, i) => {
      v[registers - ins + i] = value
    })
    const places = new Map(instructions.map((one, i) => [one, i]))
    let last: unknown
    for (let i = 0; ; ) {
      if (++steps > MOST_STEPS) throw new Error('the program does not end')
      const one = instructions[i++]!
      const { units, target, row } = one
      const name = OPCODE_NAMES[one.opcode] ?? 'end'
      const aa = units[0]! >> 8
      const [a, b] = [aa & 0xf, aa >> 4]
      const [bb, cc] = [(units[1] ?? 0) & 0xff, (units[1] ?? 0) >> 8]
      const number = (register: number) => v[register] as number
      const signed = (byte: number) => (byte << 24) >> 24
      const jumpIf = (condition: boolean) => {
        if (condition) i = places.get(target!)!
      }
      if (name === 'nop') continue
      else if (name.startsWith('invoke-'))
        last = invoke(
          model.methodReference(row),
          argumentsOf(one).map((register) => v[register]),
        )
      else if (/^move-result/.test(name)) v[aa] = last
      else if (name === 'move-object/from16' || name === 'move/from16') v[aa] = v[units[1]!]
      else if (/^const-string/.test(name)) v[aa] = model.strings[row]
      else if (name === 'const/4') v[a] = (b << 28) >> 28
      else if (name === 'const/16') v[aa] = (units[1]! << 16) >> 16
      else if (name === 'const') v[aa] = units[1]! | (units[2]! << 16) | 0
      else if (name === 'new-instance') v[aa] = {}
      else if (name === 'sget-object') v[aa] = fields.get(model.fieldReference(row)) ?? model.fieldReference(row)
      else if (name === 'sget') v[aa] = fields.get(model.fieldReference(row)) ?? 0
      else if (name === 'sput' || name === 'sput-object') fields.set(model.fieldReference(row), v[aa])
      else if (name === 'array-length') v[a] = (v[b] as unknown[]).length
      else if (name === 'aget-char') v[aa] = (v[bb] as number[])[number(cc)]
      else if (name === 'aput-char') (v[bb] as number[])[number(cc)] = number(aa)
      else if (name === 'int-to-char') v[a] = number(b) & 0xffff
      else if (name === 'add-int/2addr') v[a] = (number(a) + number(b)) | 0
      else if (name === 'mul-int/2addr') v[a] = Math.imul(number(a), number(b))
      else if (name === 'and-int/2addr') v[a] = number(a) & number(b)
      else if (name === 'xor-int/2addr') v[a] = number(a) ^ number(b)
      else if (name === 'add-int/lit8') v[aa] = (number(bb) + signed(cc)) | 0
      else if (name === 'and-int/lit8') v[aa] = number(bb) & signed(cc)
      else if (name === 'ushr-int/lit8') v[aa] = (number(bb) >>> (cc & 31)) | 0
      else if (name === 'if-ge') jumpIf(number(a) >= number(b))
      else if (name === 'if-ne') jumpIf(v[a] !== v[b])
      else if (name === 'if-eqz') jumpIf(!v[aa])
      else if (name === 'if-nez') jumpIf(Boolean(v[aa]))
      else if (name.startsWith('goto')) jumpIf(true)
      else if (name === 'return-void') return undefined
      else if (name === 'return' || name === 'return-object') return v[aa]
      else throw new Error(`${name} is not run here`)
    }
  }
  const own = find(reference)
  if (!own) throw new Error(`${reference} is not defined`)
  return { result: run(own, [...args]), calls, fields }
}

function argumentsOf({ opcode, units }: Instruction): number[] {
  if (opcode >= 0x74) return Array.from({ length: units[0]! >> 8 }, (_, i) => units[2]! + i)
  const count = units[0]! >> 12
  return [0, 4, 8, 12]
    .map((shift) => (units[2]! >> shift) & 0xf)
    .concat((units[0]! >> 8) & 0xf)
    .slice(0, count)
}
