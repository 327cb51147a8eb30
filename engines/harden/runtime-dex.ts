import { type DexModel, ENCODED, methodsOf } from '../dex-edit/dex-model.ts'
import { packCode } from '../dex-edit/pack-code.ts'
import { readDexModels } from '../dex-edit/read-dex-model.ts'
import { writeDexFiles } from '../dex-edit/write-dex.ts'
import { HardenLog } from './hardening.ts'
import { hideTexts } from './hide-texts.ts'
import assembled from './runtime/runtime-dex.generated.json' with { type: 'json' }
import type { SeededRandom } from './seeded-random.ts'
import { addTextDecoder, makeTextKey } from './text-decoder.ts'

/** Static texts of the classes Checks and Report; what is absent stays empty. */
export interface RuntimeConstants {
  /** actionDigits() of the wanted checks. */
  readonly actions: string
  readonly certificate?: string
  readonly entries?: string
  readonly own?: string
  readonly address?: string
  readonly enrolment?: string
}

export interface RuntimeNames {
  /** The new Application class, with slashes, in a package that no class of the app lies in. */
  readonly application: string
  /** Descriptor of the app's own Application. */
  readonly superclass: string
}

const PACKAGE = 'Lappwarden/runtime/'
const APPLICATION = 'Landroid/app/Application;'
/** Names that Android calls. */
const CALLED = new Set(['<init>', '<clinit>', 'attachBaseContext', 'run'])

/**
 * The dex file of the runtime for one build: names of its classes and members, and the form of its texts, are those of this build.
 */
export function runtimeDex(names: RuntimeNames, constants: RuntimeConstants, random: SeededRandom): Uint8Array {
  const [model] = readDexModels(Buffer.from(assembled.dex, 'base64')) as [DexModel]
  const own = new Set([...model.types.keys()].filter((type) => model.descriptor(type).startsWith(PACKAGE)))
  const [folder, applicationName] = names.application.split('/') as [string, string]
  const used = new Set([applicationName])
  const fresh = (): string => {
    for (;;) {
      const name = random.letters(4)
      if (used.has(name)) continue
      used.add(name)
      return name
    }
  }
  setConstants(model, constants)
  for (const [row, method] of model.methods.entries())
    if (own.has(method.owner) && !CALLED.has(model.strings[method.name]!))
      model.methods[row] = { ...method, name: model.string(fresh()) }
  for (const [row, field] of model.fields.entries())
    if (own.has(field.owner)) model.fields[row] = { ...field, name: model.string(fresh()) }
  for (const type of own) {
    const isApplication = model.descriptor(type).endsWith('/ReinforcedApplication;')
    model.strings[model.types[type]!] = `L${folder}/${isApplication ? applicationName : fresh()};`
  }
  const above = model.types.findIndex((_, type) => model.descriptor(type) === APPLICATION)
  model.strings[model.types[above]!] = names.superclass
  const written = readDexModels(writeDexFiles(model)[0]!)[0]!
  hide(written, `L${folder}/${fresh()};`, random)
  return writeDexFiles(written)[0]!
}

function setConstants(model: DexModel, constants: RuntimeConstants): void {
  for (const one of model.classes)
    for (const field of one.staticFields) {
      const text = (constants as unknown as Record<string, string>)[model.strings[model.fields[field.field]!.name]!]
      if (text) field.value = { is: 'row', type: ENCODED.string, row: model.string(text) }
    }
}

function hide(model: DexModel, decoder: string, random: SeededRandom): void {
  const hiding = {
    decoder: `${decoder}->a(Ljava/lang/String;)Ljava/lang/String;`,
    key: makeTextKey(random),
    random,
    hidden: new Map<string, string>(),
    isStored: () => false,
  }
  hideTexts({ file: '', model, classes: [...model.classes] }, hiding, new HardenLog())
  addTextDecoder(model, decoder, hiding.key)
  for (const one of model.classes) for (const method of methodsOf(one)) packCode(model, method)
}
