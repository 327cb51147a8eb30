import { inspectAndroid } from '../detect/inspect-android.ts'
import type { ClassFacts, Program } from '../dex/program.ts'
import { readProgram } from '../dex/read-program.ts'
import { type DexModel, methodsOf } from '../dex-edit/dex-model.ts'
import { packCode } from '../dex-edit/pack-code.ts'
import { readDexModels } from '../dex-edit/read-dex-model.ts'
import { writeDexFiles } from '../dex-edit/write-dex.ts'
import type { ProtectedScript } from '../jsguard/protect-script.ts'
import type { AndroidPackage, Package } from '../package/package.ts'
import { readPackage } from '../package/read-package.ts'
import { manifestVersions } from '../signing/manifest-versions.ts'
import { refuseOddArchive } from '../signing/refuse-odd-archive.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import type { ZipArchive, ZipEntry } from '../zip/zip-facts.ts'
import {
  collectorBase,
  integrityList,
  possibleChecks,
  type RiskControl,
  runtimePlace,
  setApplication,
  silenceOf,
} from './add-runtime.ts'
import { CodeSeal, checkSealed, setShell, shellPlace } from './dex-shell.ts'
import { classNameOf, type EditedDex } from './edited-dex.ts'
import type { HardenText } from './harden-texts.ts'
import { type HardenLine, HardenLog, refusal } from './hardening.ts'
import { hideTexts, type TextHiding } from './hide-texts.ts'
import type { KeepRules } from './keep-rules.ts'
import { chosenBy } from './name-pattern.ts'
import { addPredicateSource, addPredicates } from './opaque-predicates.ts'
import { protectManifest } from './protect-manifest.ts'
import { protectScripts } from './protect-scripts.ts'
import { reduceDebug } from './reduce-debug.ts'
import { type LogLevel, removeLogs } from './remove-logs.ts'
import { type RenamedResources, renameResources } from './rename-resources.ts'
import { actionDigits, type WantedChecks } from './runtime-checks.ts'
import { runtimeDex, shellDex } from './runtime-dex.ts'
import { addScreenGuard, screensToSecure, secureScreens } from './secure-screens.ts'
import { SeededRandom } from './seeded-random.ts'
import { addTextDecoder, makeTextKey } from './text-decoder.ts'
import { trimLibraries } from './trim-libraries.ts'
import { type ArchiveChanges, writeArchive } from './write-archive.ts'

const MANIFEST = 'AndroidManifest.xml'
const TABLE = 'resources.arsc'
/** Below, Android loads classes of the first dex file alone before the application's own code runs. */
const LOADS_ALL_DEX = 21

/** ACC_FINAL. */
const FINAL = 0x10

/** Code that is taken apart takes a multiple of its size in memory, so that classes are edited in groups. */
const CLASSES_AT_ONCE = 250

/** Options that are wanted; absent ones are off. */
export interface HardenRequest {
  /** Code is encrypted for `certificate`. */
  readonly dexProtection?: boolean
  /** Patterns of libraries that stay besides the known ones of others. */
  readonly thirdPartySoBan?: readonly string[]
  readonly soProtection?: boolean
  readonly logLevels?: readonly LogLevel[]
  readonly antiDecompile?: boolean
  readonly zipCheck?: boolean
  readonly manifest?: boolean
  readonly antiHijack?: boolean
  /** Patterns of class names of activities. */
  readonly screens?: readonly string[]
  /** Checks at run time, each with what it does when it finds something. */
  readonly checks?: WantedChecks
  /** SHA-256 of the certificate that the result will be signed with, lower-case hexadecimal. */
  readonly certificate?: string
  /** Findings of the checks are sent. */
  readonly riskControl?: RiskControl
  /** Protects a script; throws ScriptRefused where it cannot. */
  readonly protectScript?: (bytes: Uint8Array, path: string) => ProtectedScript | Promise<ProtectedScript>
  readonly keep: KeepRules
  /** Random bytes of this build; equal ones give equal output. */
  readonly seed: Uint8Array
  /** Called before each step: of `total` steps of the stage `done` are done, and `current`, an entry, comes next. */
  readonly onStep?: (stage: HardenStage, done: number, total: number, current: string) => void
  /** Asked between two steps; with an answer the work ends there (FormatError `time`). */
  readonly isLate?: () => boolean
}

/** In this order. */
export type HardenStage = 'read' | 'code' | 'resources' | 'libraries' | 'write'

export interface HardenedPackage {
  /** The package without signature, in pieces that follow each other. */
  readonly pieces: readonly Uint8Array[]
  readonly size: number
  readonly lines: readonly HardenLine[]
  /** Where code is encrypted: the package with the same code readable, checks at run time too, for those who judge what was changed. */
  readonly open?: () => readonly Uint8Array[]
}

/**
 * Performs options of a reinforcement policy on an APK. Code of known libraries, and classes that rules keep, are not changed. The result
 * has no signature. Throws FormatError: of format `harden` (`kind`, `split`, `packed`, `manifest`, `container`, `overflow`, `sealed`, `time`), of
 * `signing` (`archive`: what no device takes), and of the formats of the parts that are read.
 */
export async function hardenApk(bytes: Uint8Array, name: string, request: HardenRequest): Promise<HardenedPackage> {
  request.onStep?.('read', 0, 1, '')
  const source = readPackage(bytes, name)
  if (!isApk(source)) throw refusal('kind', `an APK is wanted; ${source.kind} is not reinforced by this version`)
  const { zip } = source.archives[0]!
  refuseOddArchive(zip)
  return new Hardening(source, zip, request).run()
}

const isApk = (source: Package): source is AndroidPackage => source.kind === 'apk'

class Hardening {
  private readonly source: AndroidPackage
  private readonly zip: ZipArchive
  private readonly request: HardenRequest
  private readonly random: SeededRandom
  private readonly log = new HardenLog()
  /** New content of entries. */
  private readonly contents = new Map<string, Uint8Array>()
  private readonly added: { readonly name: string; readonly content: Uint8Array; readonly deflate?: boolean }[] = []
  /** Entries that the result does not have. */
  private readonly removed = new Set<string>()
  private open: HardenedPackage['open']
  private resources: RenamedResources | undefined
  private program: Program | undefined

  constructor(source: AndroidPackage, zip: ZipArchive, request: HardenRequest) {
    this.source = source
    this.zip = zip
    this.request = request
    this.random = new SeededRandom(request.seed)
  }

  async run(): Promise<HardenedPackage> {
    const { request, source, zip } = this
    if (source.facts.split) throw refusal('split', 'a split of an application is not reinforced alone')
    this.code()
    this.step('resources', 0, 1, MANIFEST)
    if (request.manifest || request.antiHijack) {
      const options = { protect: request.manifest === true, hijack: request.antiHijack === true }
      const changed = protectManifest(this.bytesOf(MANIFEST), source.facts, options, this.log)
      if (changed) this.contents.set(MANIFEST, changed)
    }
    if (request.antiDecompile) {
      this.resources = renameResources(zip, this.random, this.log)
      if (this.resources) this.contents.set(TABLE, this.resources.table)
      this.log.absent('anti_decompile', 'renaming of classes and members')
    }
    await this.scripts()
    this.libraries()
    this.runtime()
    return this.result()
  }

  /** Transforms dex files, the first one last: it gets the classes that the others call. */
  private code(): void {
    const { source, request, log } = this
    const { logLevels = [], antiDecompile = false, screens } = request
    const program = readProgram(source.code)
    this.program = program
    const { inspected } = inspectAndroid(source, program)
    if (inspected.packer)
      throw refusal('packed', `already protected by ${inspected.packer.en}: its code is not there to be changed`)
    if (!logLevels.length && !antiDecompile && !screens) return
    const mayChange = (descriptor: string) => {
      const { kind } = inspected.ownerOf(descriptor)
      return kind !== 'sdk' && !request.keep.keeps(classNameOf(descriptor))
    }
    const secured = screens ? this.screens(program, mayChange, screens) : new Set<string>()
    const guard = this.newClass(program)
    const decoder = this.newClass(program)
    const predicates = this.newClass(program)
    const hiding: TextHiding = {
      decoder: `${decoder}->a(Ljava/lang/String;)Ljava/lang/String;`,
      key: makeTextKey(this.random),
      random: this.random,
      hidden: new Map(),
      isStored: (descriptor) => mayBeStored(program, descriptor),
    }
    const names = source.facts.dexEntries
    const order = [...names.slice(1), ...names.slice(0, 1)]
    for (const [done, file] of order.entries()) {
      this.step('code', done, order.length, file)
      const [model, ...more] = readDexModels(this.bytesOf(file))
      if (!model || more.length) throw refusal('container', `${file} holds several dex files, which is not supported`)
      const classes = model.classes.filter(({ type }) => mayChange(model.descriptor(type)))
      const levels = new Set(logLevels)
      for (let from = 0; from < classes.length; from += CLASSES_AT_ONCE) {
        this.checkTime()
        const dex: EditedDex = { file, model, classes: classes.slice(from, from + CLASSES_AT_ONCE) }
        if (levels.size) removeLogs(dex, levels, log)
        if (antiDecompile) {
          hideTexts(dex, hiding, log)
          addPredicates(dex, predicates, log)
          reduceDebug(dex, log)
        }
        secureScreens(dex, secured, guard, log)
        for (const one of dex.classes) for (const method of methodsOf(one)) packCode(model, method)
      }
      this.reportLeft(file, model, classes.length)
      if (file === names[0]) {
        if (antiDecompile) {
          addTextDecoder(model, decoder, hiding.key)
          addPredicateSource(model, predicates, this.random)
        }
        if (secured.size) addScreenGuard(model, guard)
      }
      this.putDex(file, writeDexFiles(model))
    }
  }

  private screens(program: Program, mayChange: (descriptor: string) => boolean, patterns: readonly string[]) {
    const isChosen = chosenBy(patterns)
    const activities = this.source.facts.components
      .filter(({ kind, name }) => kind === 'activity' && name !== '' && isChosen(name))
      .map(({ name }) => `L${name.replaceAll('.', '/')};`)
    if (!activities.length) this.log.skipped('screenshot_prevention', MANIFEST, '', 'no activity is chosen')
    return screensToSecure([...new Set(activities)], program, mayChange, this.log)
  }

  /** Name of a class that is not there yet, another one in each build. */
  private newClass(program: Program): string {
    for (;;) {
      const descriptor = `L${this.random.letters(5)}/${this.random.letters(4)};`
      if (!program.classOf(descriptor)) return descriptor
    }
  }

  private newPackage(program: Program): string {
    for (;;) {
      const name = this.random.letters(6)
      if (![...program.classes()].some(({ descriptor }) => descriptor.startsWith(`L${name}/`))) return name
    }
  }

  private reportLeft(file: string, { classes }: DexModel, changed: number): void {
    const { logLevels = [], antiDecompile = false } = this.request
    const reason = 'classes of known libraries, or kept by rules, are left as they are'
    if (logLevels.length) this.log.skipped('log_removal', file, '', reason, classes.length - changed)
    if (antiDecompile) this.log.skipped('anti_decompile', file, '', reason, classes.length - changed)
  }

  private putDex(file: string, [first, ...more]: readonly Uint8Array[]): void {
    this.contents.set(file, first!)
    if (!more.length) return
    const minSdk = manifestVersions(this.zip)?.minSdk ?? 1
    if (minSdk < LOADS_ALL_DEX)
      throw refusal(
        'overflow',
        `${file} is full, and version ${minSdk} of Android loads classes of the first file alone`,
      )
    for (const content of more) this.added.push({ name: this.nextDex(), content })
  }

  private nextDex(): string {
    return `classes${this.source.facts.dexEntries.length + this.added.length + 1}.dex`
  }

  private async scripts(): Promise<void> {
    const { protectScript } = this.request
    if (!protectScript) return
    const protect = (bytes: Uint8Array, path: string) => {
      this.checkTime()
      return protectScript(bytes, path)
    }
    const changed = await protectScripts(this.zip, protect, this.log)
    for (const [path, content] of changed) this.contents.set(path, content)
  }

  private libraries(): void {
    const { thirdPartySoBan: ban, soProtection: trim = false } = this.request
    if (!ban && !trim) return
    const { nativeLibraries } = this.source.facts
    let done = 0
    const read = (entry: string) => {
      this.step('libraries', done++, nativeLibraries.length, entry)
      return this.bytesOf(entry)
    }
    const options = { ...(ban && { ban }), trim }
    const trimmed = trimLibraries(nativeLibraries, read, options, this.log)
    for (const [entry, content] of trimmed) this.contents.set(entry, content)
  }

  /** Last of all, since the runtime knows what the other parts of the package hold. */
  private runtime(): void {
    const { zip, random, request } = this
    const { checks: wanted = {}, certificate = '', riskControl, dexProtection } = request
    const minSdk = manifestVersions(zip)?.minSdk ?? 1
    const shell = dexProtection ? this.shell(minSdk) : undefined
    const runtime = Object.keys(wanted).length || riskControl ? this.plannedChecks(minSdk) : undefined
    if (runtime?.place.final) this.openClass(runtime.place.final)
    const makeRuntime = (own: string) => {
      const { checks, reports, name, place } = runtime!
      const constants = {
        ...{ actions: actionDigits(checks), certificate, own },
        entries: checks.integrity_check ? integrityList(this.results()) : '',
        ...(reports && { address: collectorBase(reports.server), enrolment: reports.enrolmentKey }),
      }
      return runtimeDex({ application: name, superclass: place.superclass }, constants, random)
    }
    const className = runtime?.name.replace('/', '.')
    if (shell) this.encrypt(shell, className === undefined ? undefined : { className, make: makeRuntime })
    else if (className !== undefined) {
      this.contents.set(MANIFEST, setApplication(this.currentOf(MANIFEST), className))
      const own = this.nextDex()
      this.added.push({ name: own, content: makeRuntime(own) })
    }
  }

  /** What the checks need; undefined where none is possible. */
  private plannedChecks(minSdk: number) {
    const { source, log, random, request } = this
    const { checks: wanted = {}, certificate = '', riskControl } = request
    const program = this.program!
    const place = runtimePlace(source.facts, program, minSdk)
    const silence = riskControl && silenceOf(riskControl, source.facts, request.manifest === true)
    const reports = riskControl !== undefined && silence === undefined ? riskControl : undefined
    const checks = possibleChecks(
      wanted,
      { place, hasCertificate: certificate !== '', reports: reports !== undefined },
      log,
    )
    const isEmpty = !Object.keys(checks).length
    if (riskControl)
      this.reportSending(riskControl, 'refused' in place ? place : { refused: silence, detail: '' }, isEmpty)
    if ('refused' in place || isEmpty) return undefined
    return { place, checks, reports, name: `${this.newPackage(program)}/${random.letters(4)}` }
  }

  private shell(minSdk: number) {
    const { source, log, request } = this
    const hasCertificate = request.certificate !== undefined && request.certificate !== ''
    const codeBytes = this.dexFiles().reduce((sum, { content }) => sum + content.length, 0)
    const given = { minSdk, hasCertificate, codeBytes }
    const place = shellPlace(source.facts, this.currentOf(MANIFEST), this.program!, given)
    if (!('refused' in place)) return place
    log.skipped('dex_protection', MANIFEST, '', place.refused, 1, place.detail)
    return undefined
  }

  /** All code of the result so far. */
  private dexFiles(): readonly { readonly name: string; readonly content: Uint8Array }[] {
    return [...this.source.facts.dexEntries.map((name) => ({ name, content: this.currentOf(name) })), ...this.added]
  }

  /**
   * Puts all code into one encrypted entry and the loader in its place. The checks are encrypted too; their list has the loader, and the loader refuses an
   * entry that was changed. `runtime`: the Application of the checks, and what makes them when all else is there.
   */
  private encrypt(
    place: { readonly application: string; readonly factory: string },
    runtime: { readonly className: string; make(own: string): Uint8Array } | undefined,
  ): void {
    const { log, random, request, source, zip } = this
    const files = this.dexFiles()
    const readable = { contents: new Map(this.contents), added: [...this.added] }
    const manifest = this.currentOf(MANIFEST)
    const nextDex = this.nextDex()
    const folder = this.newPackage(this.program!)
    const [application, factory] = [`${folder}/${random.letters(4)}`, `${folder}/${random.letters(5)}`]
    const entry = `assets/${random.letters(8)}`
    const certificate = request.certificate!
    const seal = new CodeSeal(certificate, random)
    const stub = application.replace('/', '.')
    const start = {
      application: runtime?.className ?? (place.application || 'android.app.Application'),
      factory: place.factory,
    }
    const loader = shellDex(
      { application, factory },
      { ...start, salt: seal.salt, shown: seal.shown, entry, stub },
      random,
    )
    this.contents.set(MANIFEST, setShell(manifest, { application: stub, factory: factory.replace('/', '.') }))
    const [first, ...others] = source.facts.dexEntries
    this.contents.set(first!, loader)
    for (const name of others) this.removed.add(name)
    this.added.length = 0
    const code = files.map(({ content }) => content)
    if (runtime) {
      const checks = runtime.make(entry)
      code.push(checks)
      readable.contents.set(MANIFEST, setApplication(manifest, runtime.className))
      readable.added.push({ name: nextDex, content: checks })
    }
    const content = seal.seal(code)
    checkSealed(content, { salt: seal.salt, certificate }, code)
    this.added.push({ name: entry, content, deflate: false })
    this.open = () => this.write(readable)
    for (const { name, content: dex } of files)
      log.applied('dex_protection', name, '', 'classes encrypted', classCountOf(dex))
    log.skipped('dex_protection', first!, '', 'classes of the loader stay readable', classCountOf(loader))
    for (const { name } of zip.entries)
      if (name.endsWith('.dex') && !source.facts.dexEntries.includes(name))
        log.skipped('dex_protection', name, '', 'a dex file that the app loads itself stays as it is')
  }

  private reportSending(
    { server, closed }: RiskControl,
    { refused, detail }: { readonly refused: HardenText | undefined; readonly detail: string },
    isEmpty: boolean,
  ): void {
    const { log } = this
    if (refused) log.skipped('risk_control', MANIFEST, '', refused, 1, detail)
    else if (isEmpty) log.skipped('risk_control', '', '', 'no check is in the package whose findings could be sent')
    else {
      log.applied('risk_control', '', '', 'findings are sent to {detail}', 1, server)
      if (server.startsWith('http:') && this.source.facts.networkSecurityConfig)
        log.skipped(
          'risk_control',
          MANIFEST,
          '',
          'a network security configuration decides whether the http address is reached',
        )
      log.absent('risk_control', 'obeying the policy of the server, and keeping what could not be sent')
      if (closed) log.absent('risk_control', 'ending while there is no connection')
    }
  }

  /** Entries of the result so far, with their contents. */
  private *results(): Generator<readonly [name: string, content: () => Uint8Array]> {
    for (const { name, isDirectory } of this.zip.entries)
      if (!isDirectory && !this.removed.has(name))
        yield [this.resources?.names.get(name) ?? name, () => this.currentOf(name)]
    for (const { name, content } of this.added) yield [name, () => content]
  }

  /** A class that the runtime extends cannot be final. */
  private openClass({ descriptor, entry }: ClassFacts): void {
    const [model] = readDexModels(this.currentOf(entry))
    const found = model!.classes.find(({ type }) => model!.descriptor(type) === descriptor)!
    found.flags &= ~FINAL
    this.putDex(entry, writeDexFiles(model!))
  }

  private result(): HardenedPackage {
    const { log, request, zip, open, contents, added, removed } = this
    const pieces = this.write({ contents, added, removed })
    if (request.zipCheck) {
      log.applied('zip_check', '', '', 'entries checked, stored ones aligned', zip.entries.length)
      log.absent('zip_check', 'the check at run time, which needs the shell')
    }
    const size = pieces.reduce((sum, { length }) => sum + length, 0)
    return { pieces, size, lines: log.lines, ...(open && { open }) }
  }

  private write(changes: Pick<ArchiveChanges, 'contents' | 'added' | 'removed'>): readonly Uint8Array[] {
    const step = (done: number, total: number, name: string) => this.step('write', done, total, name)
    return writeArchive(this.zip, { ...changes, names: this.resources?.names }, step)
  }

  /** An entry as the result will have it. */
  private currentOf(name: string): Uint8Array {
    return this.contents.get(name) ?? this.bytesOf(name)
  }

  private bytesOf(name: string): Uint8Array {
    const entry = this.zip.byName.get(name)
    if (!entry) throw refusal('manifest', `${name} is missing`)
    return this.contentOf(entry)
  }

  private contentOf(entry: ZipEntry): Uint8Array {
    return entryBytes(this.zip, entry)
  }

  private step(stage: HardenStage, done: number, total: number, current: string): void {
    this.checkTime()
    this.request.onStep?.(stage, done, total, current)
  }

  private checkTime(): void {
    if (this.request.isLate?.()) throw refusal('time', 'the package takes longer than the limit')
  }
}

/** class_defs_size of the header. */
const classCountOf = (dex: Uint8Array): number => new DataView(dex.buffer, dex.byteOffset).getUint32(0x60, true)

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
