import { type DexModel, ENCODED, methodsOf } from '../dex-edit/dex-model.ts'
import { packCode } from '../dex-edit/pack-code.ts'
import { readDexModels } from '../dex-edit/read-dex-model.ts'
import { writeDexFiles } from '../dex-edit/write-dex.ts'
import assembledFiles from './files/files-dex.generated.json' with { type: 'json' }
import { HardenLog } from './hardening.ts'
import { hideTexts } from './hide-texts.ts'
import assembledPreferences from './preferences/preferences-dex.generated.json' with { type: 'json' }
import type { CallTarget } from './redirect-calls.ts'
import assembledRuntime from './runtime/runtime-dex.generated.json' with { type: 'json' }
import type { SeededRandom } from './seeded-random.ts'
import assembledShell from './shell/shell-dex.generated.json' with { type: 'json' }
import { addTextDecoder, makeTextKey } from './text-decoder.ts'
import { varyCode } from './vary-code.ts'

/** Static texts of the classes Checks, Shell, Report and Policy; what is absent stays empty. */
export interface RuntimeConstants {
  /** actionDigits() of the wanted checks. */
  readonly actions: string
  readonly certificate?: string
  readonly entries?: string
  readonly own?: string
  readonly parts?: string
  readonly seal?: string
  readonly key?: string
  readonly address?: string
  readonly enrolment?: string
  readonly closed?: string
}

/** Static texts of the class Loader (engines/harden/shell/loader.smali). */
export interface ShellConstants {
  readonly salt: string
  readonly shown: string
  readonly entry: string
  readonly application: string
  readonly factory: string
  readonly stub: string
}

export interface RuntimeNames {
  /** The new Application class, with slashes, in a package that no class of the app lies in. */
  readonly application: string
  /** Descriptor of the app's own Application. */
  readonly superclass: string
  /** Code differs in each build, too. */
  readonly vary?: boolean
}

const APPLICATION = 'Landroid/app/Application;'
/** Names that Android calls. */
const CALLED =
  /^(?:<init>|<clinit>|attachBaseContext|run|getPackageName|onCreate|instantiate(?:ClassLoader|Application|Activity|Service|Receiver|Provider))$/

/**
 * The dex file of the checks at run time for one build: names of its classes and members, and the form of its texts, are those of this build.
 */
export function runtimeDex(names: RuntimeNames, constants: RuntimeConstants, random: SeededRandom): Uint8Array {
  const known = { 'Lappwarden/runtime/ReinforcedApplication;': names.application }
  return dexOfBuild(assembledRuntime.dex, known, constants, random, { superclass: names.superclass, vary: names.vary })
}

/** The dex file of the loader of encrypted code for one build. `application` and `factory`: its classes that the manifest names, with slashes, in one package. */
export function shellDex(
  { application, factory, vary }: { readonly application: string; readonly factory: string; readonly vary?: boolean },
  constants: ShellConstants,
  random: SeededRandom,
): Uint8Array {
  const known = { 'Lappwarden/shell/ShellApplication;': application, 'Lappwarden/shell/Factory;': factory }
  return dexOfBuild(assembledShell.dex, known, constants, random, { vary })
}

/** Static texts of the class Reader (engines/harden/files/reader.smali). */
export interface ReaderConstants {
  readonly secret: string
  readonly names: string
  readonly ids: string
  readonly others: string
}

/** The dex file that opens encrypted files for one build; its class is in a package of its own. */
export function filesDex(
  { className, methods }: CallTarget,
  constants: ReaderConstants,
  random: SeededRandom,
): Uint8Array {
  return dexOfBuild(assembledFiles.dex, { 'Lappwarden/files/Reader;': className }, constants, random, { methods })
}

/** Static texts of the class Preferences (engines/harden/preferences/preferences.smali). */
export interface PreferenceConstants {
  /** The package. */
  readonly own: string
  readonly left: string
}

/** Names that Android and the app call: those of the interfaces too. */
const CALLED_PREFERENCES =
  /^(?:<init>|<clinit>|run|get(?:All|String|StringSet|Int|Long|Float|Boolean)|contains|edit|(?:un)?registerOnSharedPreferenceChangeListener|put(?:String|StringSet|Int|Long|Float|Boolean)|remove|clear|commit|apply)$/

/** The dex file that encrypts preferences for one build; its class is in a package of its own. */
export function preferencesDex(
  { className, methods }: CallTarget,
  constants: PreferenceConstants,
  random: SeededRandom,
): Uint8Array {
  const form = { methods, called: CALLED_PREFERENCES }
  return dexOfBuild(
    assembledPreferences.dex,
    { 'Lappwarden/preferences/Preferences;': className },
    constants,
    random,
    form,
  )
}

interface BuildForm {
  /** Descriptor of the class above our Application. */
  readonly superclass?: string | undefined
  /** Names of methods that other code calls, by their signature. */
  readonly methods?: ReadonlyMap<string, string> | undefined
  /** Code differs in each build, too. */
  readonly vary?: boolean | undefined
  /** Names of methods that stay. */
  readonly called?: RegExp
}

/** `known`: new names, with slashes, of classes by their descriptor; the others get names of their own in the same package. */
function dexOfBuild(
  assembled: string,
  known: Readonly<Record<string, string>>,
  constants: object,
  random: SeededRandom,
  { superclass, methods, vary = false, called = CALLED }: BuildForm = {},
): Uint8Array {
  const [model] = readDexModels(Buffer.from(assembled, 'base64')) as [DexModel]
  const own = new Set([...model.types.keys()].filter((type) => model.descriptor(type).startsWith('Lappwarden/')))
  const [folder] = Object.values(known)[0]!.split('/') as [string]
  const used = new Set([...Object.values(known).map((name) => name.split('/')[1]!), ...(methods?.values() ?? [])])
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
    if (own.has(method.owner) && !called.test(model.strings[method.name]!))
      model.methods[row] = { ...method, name: model.string(methods?.get(signatureOf(model, row)) ?? fresh()) }
  for (const [row, field] of model.fields.entries())
    if (own.has(field.owner)) model.fields[row] = { ...field, name: model.string(fresh()) }
  for (const type of own)
    model.strings[model.types[type]!] = `L${known[model.descriptor(type)] ?? `${folder}/${fresh()}`};`
  if (superclass) {
    const above = model.types.findIndex((_, type) => model.descriptor(type) === APPLICATION)
    model.strings[model.types[above]!] = superclass
  }
  const written = readDexModels(writeDexFiles(model)[0]!)[0]!
  hide(written, `L${folder}/${fresh()};`, random)
  if (vary) varyCode(written, random)
  for (const one of written.classes) for (const method of methodsOf(one)) packCode(written, method)
  return writeDexFiles(written)[0]!
}

/** `(I)V` of the method of a row. */
const signatureOf = (model: DexModel, row: number): string => model.methodReference(row).replace(/^[^(]*/, '')

function setConstants(model: DexModel, constants: object): void {
  for (const one of model.classes)
    for (const field of one.staticFields) {
      const text = (constants as Record<string, string>)[model.strings[model.fields[field.field]!.name]!]
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
}
