import { OPCODE_NAMES } from '../../dex/opcodes.ts'
import type { Program } from '../../dex/program.ts'
import { replaceInstruction } from '../../dex-edit/code-body.ts'
import type { ClassDefinition, DexModel } from '../../dex-edit/dex-model.ts'
import { ROW } from '../../dex-edit/instruction-rows.ts'
import { bodiesNaming } from '../edited-dex.ts'
import type { SeededRandom } from '../seeded-random.ts'

export const ASSETS = 'Landroid/content/res/AssetManager;'
export const RESOURCES = 'Landroid/content/res/Resources;'
const STREAM = 'Ljava/io/InputStream;'

/** What code opens files by, and the signature of the reader's method that takes its place. */
const OPENS: readonly { readonly owner: string; readonly method: string; readonly signature: string }[] = [
  { owner: ASSETS, method: `open(Ljava/lang/String;)${STREAM}`, signature: `(${ASSETS}Ljava/lang/String;)${STREAM}` },
  { owner: ASSETS, method: `open(Ljava/lang/String;I)${STREAM}`, signature: `(${ASSETS}Ljava/lang/String;I)${STREAM}` },
  { owner: RESOURCES, method: `openRawResource(I)${STREAM}`, signature: `(${RESOURCES}I)${STREAM}` },
  {
    owner: RESOURCES,
    method: `openRawResource(ILandroid/util/TypedValue;)${STREAM}`,
    signature: `(${RESOURCES}ILandroid/util/TypedValue;)${STREAM}`,
  },
]

/** The class that opens files for one build, and its methods by their signature. */
export interface FileReader {
  /** With slashes. */
  readonly reader: string
  readonly methods: ReadonlyMap<string, string>
}

export function newReader(folder: string, random: SeededRandom): FileReader {
  const names = new Set<string>()
  while (names.size < OPENS.length) names.add(random.letters(4))
  const methods = new Map([...names].map((name, i) => [OPENS[i]!.signature, name]))
  return { reader: `${folder}/${random.letters(5)}`, methods }
}

/** invoke-virtual, invoke-virtual/range; method handle of an instance. */
const VIRTUAL = 0x6e
const VIRTUAL_RANGE = 0x74
const OF_INSTANCE = 5
/** invoke-static is so much further, with the same registers. */
const TO_STATIC = 3
const STATIC_HANDLE = 4

/**
 * Lets the reader open what classes open. A call of a method above (`super`) stays: what it gives is decrypted where the call that led there was
 * made. Answers the number of calls.
 */
export function redirectOpens(
  model: DexModel,
  classes: readonly ClassDefinition[],
  { reader, methods }: FileReader,
  program: Program,
): number {
  const rows = new Map<number, number>()
  // The rows of the reader's methods follow those that are looked at.
  const known = model.methods.length
  for (let row = 0; row < known; row++) {
    if (!/^open(?:RawResource)?$/.test(model.strings[model.methods[row]!.name]!)) continue
    const reference = model.methodReference(row)
    const [owner, method] = reference.split('->') as [string, string]
    const open = OPENS.find((one) => one.method === method && (one.owner === owner || program.isA(owner, one.owner)))
    if (open) rows.set(row, model.method(`L${reader};->${methods.get(open.signature)!}${open.signature}`))
  }
  if (!rows.size) return 0
  let count = 0
  for (const one of classes)
    for (const { body } of bodiesNaming(model, one, [ROW.method], new Set(rows.keys())))
      for (const call of body.instructions) {
        const to = rows.get(call.row)
        if (to === undefined || !OPCODE_NAMES[call.opcode]?.startsWith('invoke-')) continue
        if (call.opcode !== VIRTUAL && call.opcode !== VIRTUAL_RANGE) continue
        replaceInstruction(call, [call.units[0]! + TO_STATIC, ...call.units.subarray(1)], to)
        count++
      }
  for (const [row, { kind, member }] of model.handles.entries()) {
    const to = kind === OF_INSTANCE ? rows.get(member) : undefined
    if (to !== undefined) model.handles[row] = { kind: STATIC_HANDLE, member: to }
  }
  return count
}
