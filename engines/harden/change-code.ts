import { inspectAndroid } from '../detect/inspect-android.ts'
import type { Program } from '../dex/program.ts'
import { type DexModel, methodsOf } from '../dex-edit/dex-model.ts'
import { packCode } from '../dex-edit/pack-code.ts'
import { readDexModels } from '../dex-edit/read-dex-model.ts'
import { writeDexFiles } from '../dex-edit/write-dex.ts'
import type { AndroidPackage } from '../package/package.ts'
import { classNameOf, type EditedDex } from './edited-dex.ts'
import type { HardenRequest } from './harden-request.ts'
import { type HardenLog, refusal } from './hardening.ts'
import { hideTexts, type TextHiding } from './hide-texts.ts'
import { chosenBy } from './name-pattern.ts'
import { addPredicateSource, addPredicates } from './opaque-predicates.ts'
import { reduceDebug } from './reduce-debug.ts'
import { removeLogs } from './remove-logs.ts'
import { addScreenGuard, screensToSecure, secureScreens } from './secure-screens.ts'
import type { SeededRandom } from './seeded-random.ts'
import { addTextDecoder, makeTextKey } from './text-decoder.ts'

/** Code that is taken apart takes a multiple of its size in memory, so that classes are edited in groups. */
const CLASSES_AT_ONCE = 250

/** Dex files that find each other's classes: those of an APK, or of a module of a bundle. */
export interface DexModule {
  /** Entries in the order of loading. */
  readonly names: readonly string[]
  /** The entry of a further dex file. */
  nameOf(number: number): string
  /** Whether a class that is added to the first file is found from all code that may call it. */
  readonly takesClasses: boolean
}

/** What is changed in all classes of the dex files that it concerns. */
export interface CodeRedirect {
  concerns(dex: Uint8Array): boolean
  redirect(file: string, model: DexModel): void
}

interface Tools {
  readonly random: SeededRandom
  readonly log: HardenLog
  /** Entry of the manifest that names activities. */
  readonly manifest: string
  read(file: string): Uint8Array
  /** Called with the dex files that take the place of one: more than one where it is full. */
  put(file: string, written: readonly Uint8Array[]): void
  readonly redirects: readonly CodeRedirect[]
  step(done: number, total: number, file: string): void
  checkTime(): void
}

/** Performs the options that change code, on one module after the other. Throws FormatError `packed` and `container` of format `harden`. */
export class CodeChange {
  private readonly program: Program
  private readonly request: HardenRequest
  private readonly tools: Tools
  /** Whether options may change a class: it is no SDK's, and no rule keeps it. */
  readonly mayChange: (descriptor: string) => boolean
  private readonly secured: ReadonlySet<string>
  private done = 0
  /** Nothing changes but what `redirects` concern. */
  private isElsewhere = false

  constructor(source: AndroidPackage, program: Program, request: HardenRequest, tools: Tools) {
    const { inspected } = inspectAndroid(source, program)
    if (inspected.packer)
      throw refusal('packed', `already protected by ${inspected.packer.en}: its code is not there to be changed`)
    this.program = program
    this.request = request
    this.tools = tools
    this.mayChange = (descriptor) =>
      inspected.ownerOf(descriptor).kind !== 'sdk' && !request.keep.keeps(classNameOf(descriptor))
    this.secured = request.screens ? this.screens(source, request.screens) : new Set()
  }

  /** Each module has classes of ours of its own. */
  run(modules: readonly DexModule[]): void {
    const { logLevels = [], antiDecompile = false, screens } = this.request
    this.isElsewhere = !logLevels.length && !antiDecompile && !screens
    if (this.isElsewhere && !this.tools.redirects.length) return
    const total = modules.reduce((sum, { names }) => sum + names.length, 0)
    for (const module of modules) this.module(module, total)
  }

  /** Transforms dex files, the first one last: it gets the classes that the others call. */
  private module({ names, takesClasses }: DexModule, total: number): void {
    const { program, secured, mayChange, request, tools } = this
    const { log, random } = tools
    const { antiDecompile = false } = request
    const guard = newClass(program, random)
    const decoder = newClass(program, random)
    const predicates = newClass(program, random)
    const hiding: TextHiding = {
      decoder: `${decoder}->a(Ljava/lang/String;)Ljava/lang/String;`,
      key: makeTextKey(random),
      random,
      hidden: new Map(),
      isStored: (descriptor) => mayBeStored(program, descriptor),
    }
    const isHere = (descriptor: string) => names.includes(program.classOf(descriptor)?.entry ?? '')
    const screens = new Set([...secured].filter(isHere))
    if (!takesClasses && names.length) this.reportHelpers(names[0]!, screens.size)
    for (const file of [...names.slice(1), ...names.slice(0, 1)]) {
      tools.step(this.done++, total, file)
      const bytes = tools.read(file)
      const redirects = tools.redirects.filter((one) => one.concerns(bytes))
      if (this.isElsewhere && !redirects.length) continue
      const [model, ...more] = readDexModels(bytes)
      if (!model || more.length) throw refusal('container', `${file} holds several dex files, which is not supported`)
      for (const one of redirects) one.redirect(file, model)
      const classes = model.classes.filter(({ type }) => mayChange(model.descriptor(type)))
      const levels = new Set(request.logLevels)
      for (let from = 0; from < classes.length; from += CLASSES_AT_ONCE) {
        tools.checkTime()
        const dex: EditedDex = { file, model, classes: classes.slice(from, from + CLASSES_AT_ONCE) }
        if (levels.size) removeLogs(dex, levels, log)
        if (antiDecompile && takesClasses) {
          hideTexts(dex, hiding, log)
          addPredicates(dex, predicates, log)
        }
        if (antiDecompile) reduceDebug(dex, log)
        if (takesClasses) secureScreens(dex, screens, guard, log)
        for (const one of dex.classes) for (const method of methodsOf(one)) packCode(model, method)
      }
      this.reportLeft(file, model, classes.length)
      if (takesClasses && file === names[0]) {
        if (antiDecompile) {
          addTextDecoder(model, decoder, hiding.key)
          addPredicateSource(model, predicates, random)
        }
        if (screens.size) addScreenGuard(model, guard)
      }
      tools.put(file, writeDexFiles(model))
    }
  }

  private screens(source: AndroidPackage, patterns: readonly string[]): ReadonlySet<string> {
    const { log, manifest } = this.tools
    const isChosen = chosenBy(patterns)
    const activities = source.facts.components
      .filter(({ kind, name }) => kind === 'activity' && name !== '' && isChosen(name))
      .map(({ name }) => `L${name.replaceAll('.', '/')};`)
    if (!activities.length) log.skipped('screenshot_prevention', manifest, '', 'no activity is chosen')
    return screensToSecure([...new Set(activities)], this.program, this.mayChange, log, manifest)
  }

  private reportHelpers(file: string, screens: number): void {
    const { log } = this.tools
    const reason = 'Android before 5.0 loads the first dex file alone'
    if (this.request.antiDecompile) log.skipped('anti_decompile', file, '', reason)
    log.skipped('screenshot_prevention', file, '', reason, screens)
  }

  private reportLeft(file: string, { classes }: DexModel, changed: number): void {
    const { logLevels = [], antiDecompile = false } = this.request
    const reason = 'classes of known libraries, or kept by rules, are left as they are'
    if (logLevels.length) this.tools.log.skipped('log_removal', file, '', reason, classes.length - changed)
    if (antiDecompile) this.tools.log.skipped('anti_decompile', file, '', reason, classes.length - changed)
  }
}

/** Name of a class that is not there yet, another one in each build. */
export function newClass(program: Program, random: SeededRandom): string {
  for (;;) {
    const descriptor = `L${random.letters(5)}/${random.letters(4)};`
    if (!program.classOf(descriptor)) return descriptor
  }
}

const MOST_ANCESTORS = 100

/** Classes of Java below Object are serializable more often than not; those of Android are not. */
function mayBeStored(program: Program, descriptor: string): boolean {
  if (['Ljava/io/Serializable;', 'Ljava/io/Externalizable;'].some((one) => program.isA(descriptor, one))) return true
  let above: string | null = descriptor
  for (let depth = 0; above !== null && depth < MOST_ANCESTORS; depth++) {
    const found = program.classOf(above)
    if (!found) return above.startsWith('Ljava') && above !== 'Ljava/lang/Object;'
    above = found.superclass
  }
  return false
}
