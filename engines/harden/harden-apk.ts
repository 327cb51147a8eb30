import type { ClassFacts, Program } from '../dex/program.ts'
import { readProgram } from '../dex/read-program.ts'
import { readDexModels } from '../dex-edit/read-dex-model.ts'
import { writeDexFiles } from '../dex-edit/write-dex.ts'
import type { AndroidPackage, Package } from '../package/package.ts'
import { readPackage } from '../package/read-package.ts'
import { refuseOddArchive } from '../signing/refuse-odd-archive.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import type { ZipArchive } from '../zip/zip-facts.ts'
import {
  collectorBase,
  integrityList,
  possibleChecks,
  reportSending,
  runtimePlace,
  setApplication,
  silenceOf,
} from './add-runtime.ts'
import { type AppForm, appForm, LOADS_ALL_DEX } from './app-form.ts'
import { CodeChange, type DexModule, newClass } from './change-code.ts'
import { CodeSeal, checkSealed, setShell, shellPlace } from './dex-shell.ts'
import { FileProtection } from './files/protect-files.ts'
import type { HardenedPackage, HardenRequest, HardenStage } from './harden-request.ts'
import { HardenLog, type HardenOption, refusal } from './hardening.ts'
import { PreferenceProtection } from './preferences/protect-preferences.ts'
import { protectManifest } from './protect-manifest.ts'
import { protectScripts } from './protect-scripts.ts'
import { type RenamedResources, renameResources } from './rename-resources.ts'
import { actionDigits } from './runtime-checks.ts'
import { runtimeDex, shellDex } from './runtime-dex.ts'
import { SeededRandom } from './seeded-random.ts'
import { partList, reportShell, ShellSeal } from './shell-seal.ts'
import { wantedOptions, withoutImpossible } from './skip-others.ts'
import { trimLibraries } from './trim-libraries.ts'
import { virtualisePackage } from './vm/vm-package.ts'
import { type ArchiveChanges, writeArchive } from './write-archive.ts'

const CHANGES_CODE: readonly HardenOption[] = [
  'anti_decompile',
  'log_removal',
  'screenshot_prevention',
  'db_protection',
  'resource_protection',
  'cer_protection',
]
/** ACC_FINAL. */
const FINAL = 0x10

/**
 * Performs options of a reinforcement policy on an APK or a bundle (AAB). Code of known libraries, and classes that rules keep, are not changed. The result
 * has no signature. Throws FormatError: of format `harden` (`kind`, `split`, `packed`, `manifest`, `container`, `overflow`, `sealed`, `time`), of
 * `signing` (`archive`: what no device takes), and of the formats of the parts that are read.
 */
export async function hardenApk(bytes: Uint8Array, name: string, request: HardenRequest): Promise<HardenedPackage> {
  request.onStep?.('read', 0, 1, '')
  const source = readPackage(bytes, name)
  if (!isApp(source)) throw refusal('kind', `an APK or AAB is wanted; ${source.kind} is not reinforced by this version`)
  const { zip } = source.archives[0]!
  refuseOddArchive(zip)
  return new Hardening(source, zip, request).run()
}

const isApp = (source: Package): source is AndroidPackage => source.kind === 'apk' || source.kind === 'aab'

class Hardening {
  private readonly source: AndroidPackage
  private readonly zip: ZipArchive
  private readonly request: HardenRequest
  private readonly random: SeededRandom
  private readonly log = new HardenLog()
  private readonly form: AppForm
  /** Entry of the manifest of the application. */
  private readonly manifest: string
  /** New content of entries. */
  private readonly contents = new Map<string, Uint8Array>()
  private readonly added: { readonly name: string; readonly content: Uint8Array; readonly deflate?: boolean }[] = []
  /** Entries that the result does not have. */
  private readonly removed = new Set<string>()
  /** Libraries of ours, which follow all other entries. */
  private readonly companions: { readonly name: string; readonly content: Uint8Array; readonly deflate: false }[] = []
  /** Dex files that methods were taken out of, as they were before; undefined for one that was not there. */
  private readonly readableDex = new Map<string, Uint8Array | undefined>()
  private open: HardenedPackage['open']
  private files: FileProtection | undefined
  private preferences: PreferenceProtection | undefined
  /** Encrypted files by their entry: the readable result has them as they were. */
  private sealed: ReadonlyMap<string, Uint8Array> = new Map()
  private resources: RenamedResources | undefined
  private program: Program | undefined

  constructor(source: AndroidPackage, zip: ZipArchive, request: HardenRequest) {
    this.source = source
    this.zip = zip
    this.form = appForm(source)
    this.manifest = this.form.manifests[0]
    this.request = withoutImpossible(request, this.form.impossible, this.log)
    this.random = new SeededRandom(request.seed)
  }

  async run(): Promise<HardenedPackage> {
    const { request, source, zip, form } = this
    if (source.facts.split) throw refusal('split', 'a split of an application is not reinforced alone')
    this.virtualise(this.code())
    this.step('resources', 0, 1, this.manifest)
    if (request.manifest || request.antiHijack) {
      const options = { protect: request.manifest === true, hijack: request.antiHijack === true }
      const manifests = form.manifests.map((file) => ({ file, editor: form.openManifest(this.bytesOf(file)) }))
      const changed = protectManifest(manifests, source.facts, options, this.log)
      for (const [file, content] of changed) this.contents.set(file, content)
    }
    if (request.antiDecompile) {
      if (source.kind === 'aab')
        this.log.skipped('anti_decompile', form.table, '', 'resource files of a bundle keep their names')
      else this.resources = renameResources(zip, this.random, this.log)
      if (this.resources) this.contents.set(form.table, this.resources.table)
      this.log.absent('anti_decompile', 'renaming of classes and members')
    }
    await this.scripts()
    this.libraries()
    this.sealFiles()
    this.runtime()
    return this.result()
  }

  /** Answers which classes options may change. */
  private code(): (descriptor: string) => boolean {
    const { source, request, log, random, zip } = this
    this.program = readProgram(source.code)
    const { resources, certificates = false, preferences = false, manifest = false, keep } = request
    const newPackage = () => this.newPackage(this.program!)
    const given = { source, zip, program: this.program, minSdk: this.form.minSdk, keep, random, log, newPackage }
    this.files = FileProtection.plan({ resources, certificates }, given)
    if (preferences) this.preferences = PreferenceProtection.plan({ ...given, endsBackup: manifest })
    const change = new CodeChange(source, this.program, request, {
      ...{ random, log, manifest: this.manifest },
      read: (file) => this.bytesOf(file),
      put: (file, written) => this.putDex(file, written),
      redirects: [this.files, this.preferences].filter((one) => one !== undefined),
      step: (done, total, file) => this.step('code', done, total, file),
      checkTime: () => this.checkTime(),
    })
    change.run(this.form.modules)
    const { profile } = this.form
    if (profile && this.contents.size && zip.byName.has(profile)) {
      const wanted = wantedOptions(request)
      const option = CHANGES_CODE.find((one) => wanted.includes(one))!
      log.skipped(option, profile, '', 'the profile of the code no longer fits: Android does not use it')
    }
    return change.mayChange
  }

  /** After the other options that change code, since they cannot read the interpreter's code. */
  private virtualise(mayChange: (descriptor: string) => boolean): void {
    const { source, random, log, form } = this
    const { virtualised: patterns } = this.request
    if (!patterns) return
    const program = this.program!
    const dexFiles = this.dexFiles()
    const request = {
      ...{ facts: source.facts, manifest: this.bytesOf(this.manifest), minSdk: form.minSdk, program, dexFiles },
      ...{ patterns, mayChange, random, owner: newClass(program, random) },
      onFile: (name: string) => this.step('code', dexFiles.length, dexFiles.length, name),
    }
    const virtualised = virtualisePackage(request, log)
    if (!virtualised) return
    const before = new Map(dexFiles.map(({ name, content }) => [name, content]))
    for (const [name, files] of virtualised.dexFiles) {
      const place = this.added.findIndex((one) => one.name === name)
      if (place < 0) this.putDex(name, files)
      else {
        this.added[place] = { name, content: files[0]! }
        for (const content of files.slice(1)) this.added.push({ name: this.nextDex(), content })
      }
    }
    for (const { name } of this.dexFiles()) this.readableDex.set(name, before.get(name))
    for (const one of virtualised.libraries) this.companions.push({ ...one, deflate: false })
  }

  private newPackage(program: Program): string {
    for (;;) {
      const name = this.random.letters(6)
      if (![...program.classes()].some(({ descriptor }) => descriptor.startsWith(`L${name}/`))) return name
    }
  }

  private putDex(file: string, [first, ...more]: readonly Uint8Array[]): void {
    this.contents.set(file, first!)
    if (!more.length) return
    const { modules, minSdk } = this.form
    if (minSdk < LOADS_ALL_DEX)
      throw refusal(
        'overflow',
        `${file} is full, and version ${minSdk} of Android loads classes of the first file alone`,
      )
    const module = modules.find(({ names }) => names.includes(file))!
    for (const content of more) this.added.push({ name: this.nextDex(module), content })
  }

  /** The next free entry of dex files of a module, the base module without one named. */
  private nextDex(module: DexModule = this.form.modules[0]): string {
    for (let number = module.names.length + 1; ; number++) {
      const name = module.nameOf(number)
      if (!this.zip.byName.has(name) && !this.added.some((one) => one.name === name)) return name
    }
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

  /** Encrypts files, and adds the classes that open these and preferences. */
  private sealFiles(): void {
    if (this.files) {
      const { sealed, dex } = this.files.seal((entry) => this.currentOf(entry))
      this.sealed = sealed
      this.added.push({ name: this.nextDex(), content: dex })
    }
    if (this.preferences) this.added.push({ name: this.nextDex(), content: this.preferences.dex() })
  }

  /** Last of all, since the runtime knows what the other parts of the package hold. */
  private runtime(): void {
    const { random, request } = this
    const { checks: wanted = {}, certificate = '', riskControl, dexProtection } = request
    const shell = dexProtection ? this.shell() : undefined
    const runtime = Object.keys(wanted).length || riskControl ? this.plannedChecks(shell !== undefined) : undefined
    if (runtime?.place.final) this.openClass(runtime.place.final)
    const seal = runtime?.checks.shell_protection && !shell ? new ShellSeal(random) : undefined
    const makeRuntime = (own: string) => {
      const { checks, reports, name, place } = runtime!
      const vary = checks.shell_protection !== undefined
      const constants = {
        ...{ actions: actionDigits(checks), certificate, own },
        entries: checks.integrity_check ? integrityList(this.results()) : '',
        ...(vary && { parts: partList(this.shellParts(shell !== undefined)), seal: seal?.entry, key: seal?.key }),
        ...(reports && {
          address: collectorBase(reports.server),
          enrolment: reports.enrolmentKey,
          closed: reports.closed ? 'yes' : '',
        }),
      }
      return runtimeDex({ application: name, superclass: place.superclass, vary }, constants, random)
    }
    const className = runtime?.name.replace('/', '.')
    if (shell) {
      const vary = runtime?.checks.shell_protection !== undefined
      this.encrypt({ ...shell, vary }, className === undefined ? undefined : { className, make: makeRuntime })
      if (runtime?.checks.memory_protection)
        this.log.applied('memory_protection', '', '', 'keys and plain code of the loader are wiped after use')
    } else if (className !== undefined) {
      this.contents.set(this.manifest, this.withApplication(className))
      const own = this.nextDex()
      const checks = makeRuntime(own)
      this.added.push({ name: own, content: checks })
      if (seal) this.added.push({ name: seal.entry, content: seal.of(checks), deflate: false })
    }
    if (runtime?.checks.shell_protection)
      reportShell(this.shellParts(shell !== undefined).length, this.companions.length, this.log)
  }

  /** Entries of ours that the runtime knows by their hash; its own dex file and encrypted code are sealed otherwise. */
  private shellParts(isEncrypted: boolean): readonly { readonly name: string; readonly content: Uint8Array }[] {
    const loader = this.source.facts.dexEntries[0]!
    return [...(isEncrypted ? [{ name: loader, content: this.currentOf(loader) }] : []), ...this.companions]
  }

  /** What the checks need; undefined where none is possible. */
  private plannedChecks(hasShell: boolean) {
    const { source, log, random, request, form } = this
    const { checks: wanted = {}, certificate = '', riskControl } = request
    const program = this.program!
    // Code of other modules is not there yet when the process starts.
    const facts = { ...source.facts, dexEntries: form.modules[0].names }
    const place = runtimePlace(facts, program, form.minSdk)
    const silence = riskControl && silenceOf(riskControl, source.facts, request.manifest === true)
    const reports = riskControl !== undefined && silence === undefined ? riskControl : undefined
    const checks = possibleChecks(
      wanted,
      {
        ...{ place, hasCertificate: certificate !== '', reports: reports !== undefined, manifest: this.manifest },
        hasShell: hasShell || this.companions.length > 0,
      },
      log,
    )
    const isEmpty = !Object.keys(checks).length
    if (riskControl)
      reportSending(riskControl, 'refused' in place ? place : { refused: silence, detail: '' }, isEmpty, facts, log)
    if ('refused' in place || isEmpty) return undefined
    return { place, checks, reports, name: `${this.newPackage(program)}/${random.letters(4)}` }
  }

  private shell() {
    const { source, log, request } = this
    const hasCertificate = request.certificate !== undefined && request.certificate !== ''
    const codeBytes = this.dexFiles().reduce((sum, { content }) => sum + content.length, 0)
    const given = { minSdk: this.form.minSdk, hasCertificate, codeBytes }
    const place = shellPlace(source.facts, this.currentOf(this.manifest), this.program!, given)
    if (!('refused' in place)) return place
    log.skipped('dex_protection', this.manifest, '', place.refused, 1, place.detail)
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
    place: { readonly application: string; readonly factory: string; readonly vary: boolean },
    runtime: { readonly className: string; make(own: string): Uint8Array } | undefined,
  ): void {
    const { log, random, request, source, zip } = this
    const files = this.dexFiles()
    const readable = this.readableCode()
    const manifest = this.currentOf(this.manifest)
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
      { application, factory, vary: place.vary },
      { ...start, salt: seal.salt, shown: seal.shown, entry, stub },
      random,
    )
    this.contents.set(this.manifest, setShell(manifest, { application: stub, factory: factory.replace('/', '.') }))
    const [first, ...others] = source.facts.dexEntries
    this.contents.set(first!, loader)
    for (const name of others) this.removed.add(name)
    this.added.length = 0
    const code = files.map(({ content }) => content)
    if (runtime) {
      const checks = runtime.make(entry)
      code.push(checks)
      readable.contents.set(this.manifest, this.withApplication(runtime.className, manifest))
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

  /** Entries of the result so far, with their contents. */
  private *results(): Generator<readonly [name: string, content: () => Uint8Array]> {
    for (const { name, isDirectory } of this.zip.entries)
      if (!isDirectory && !this.removed.has(name))
        yield [this.resources?.names.get(name) ?? name, () => this.currentOf(name)]
    for (const { name, content } of [...this.added, ...this.companions]) yield [name, () => content]
  }

  private withApplication(className: string, manifest = this.currentOf(this.manifest)): Uint8Array {
    return setApplication(this.form.openManifest(manifest), className)
  }

  /** A class that the runtime extends cannot be final. */
  private openClass({ descriptor, entry }: ClassFacts): void {
    const [model] = readDexModels(this.currentOf(entry))
    const found = model!.classes.find(({ type }) => model!.descriptor(type) === descriptor)!
    found.flags &= ~FINAL
    this.putDex(entry, writeDexFiles(model!))
  }

  /** The result so far as it would be without virtualised methods. */
  private readableCode() {
    const contents = new Map(this.contents)
    const { added, readableDex } = this
    for (const [name, content] of readableDex) if (content && this.zip.byName.has(name)) contents.set(name, content)
    const isNew = (name: string) => readableDex.has(name) && readableDex.get(name) === undefined
    return {
      contents,
      added: added
        .filter(({ name }) => !isNew(name))
        .map((one) => ({ ...one, content: readableDex.get(one.name) ?? one.content })),
    }
  }

  private result(): HardenedPackage {
    const { log, request, zip, contents, added, removed } = this
    if ((this.companions.length || this.sealed.size) && !this.open) {
      const readable = this.readableCode()
      this.open = () => this.write(readable)
    }
    const { open } = this
    const pieces = this.write({ contents: new Map([...contents, ...this.sealed]), added, removed })
    if (request.zipCheck) {
      log.applied('zip_check', '', '', 'entries checked, stored ones aligned', zip.entries.length)
      log.absent('zip_check', 'the check at run time, which needs the shell')
    }
    const size = pieces.reduce((sum, { length }) => sum + length, 0)
    return { pieces, size, lines: log.lines, ...(open && { open }) }
  }

  private write(changes: Pick<ArchiveChanges, 'contents' | 'added' | 'removed'>): readonly Uint8Array[] {
    const step = (done: number, total: number, name: string) => this.step('write', done, total, name)
    const added = [...(changes.added ?? []), ...this.companions]
    return writeArchive(this.zip, { ...changes, added, names: this.resources?.names }, step)
  }

  /** An entry as the result will have it. */
  private currentOf(name: string): Uint8Array {
    return this.contents.get(name) ?? this.bytesOf(name)
  }

  private bytesOf(name: string): Uint8Array {
    const entry = this.zip.byName.get(name)
    if (!entry) throw refusal('manifest', `${name} is missing`)
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
