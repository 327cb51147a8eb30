import type { ApkFacts } from '../apk/apk-facts.ts'
import type { MethodFacts, Program } from '../dex/program.ts'
import { readProgram } from '../dex/read-program.ts'
import { findPackageScripts } from '../jsguard/package-scripts.ts'
import type { AndroidPackage } from '../package/package.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import type { ZipArchive } from '../zip/zip-facts.ts'

/** Figures of a package; null for what its kind does not have. */
export interface PackageFigures {
  readonly size: number
  readonly dex_files: number | null
  readonly dex_bytes: number | null
  readonly classes: number | null
  readonly methods: number | null
  /** Of the texts that the code of the original loads, those that this package holds as they are. */
  readonly strings: number | null
  readonly exported: number | null
  /** Unpacked. */
  readonly library_bytes: number | null
  /** Shannon entropy over all dex files, bits a byte; null without one. */
  readonly entropy: number | null
}

/** One method before and after, as instructions. */
export interface ShownMethod {
  readonly method: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}

type ApkCheck = 'structure' | 'assets' | 'manifest' | 'permissions' | 'components' | 'dex'
export type LibraryCheck = 'archive' | 'contents' | 'classes' | 'elf'
type BundleCheck = 'bundle' | 'untouched' | 'manifests'
export type PackageCheck = ApkCheck | LibraryCheck | BundleCheck

export interface ComparedPackages {
  readonly before: PackageFigures
  readonly after: PackageFigures
  /** Each with the first thing that is wrong in `detail`. */
  readonly checks: readonly {
    readonly check: PackageCheck
    readonly passed: boolean
    readonly detail: string
  }[]
  readonly methods: readonly ShownMethod[]
}

const MOST_METHODS = 5
/** 16-bit units: less than that shows nothing. */
const SHORTEST = 8
const MOST_INSTRUCTIONS = 60
export const LONGEST = 300

/**
 * What reinforcement changed in a package, and whether the result is still that package. `open`: the result with readable code and files, where they are
 * encrypted; classes, methods and files below assets are compared with that.
 */
export function comparePackages(before: AndroidPackage, after: AndroidPackage, open = after): ComparedPackages {
  const [old, shown] = [readProgram(before.code), readProgram(after.code)]
  const now = open === after ? shown : readProgram(open.code)
  const texts = textsOf(old)
  const left = textsOf(shown)
  const readable = [...texts].filter((text) => left.has(text)).length
  return {
    before: figuresOf(before, old, texts.size),
    after: figuresOf(after, shown, readable),
    checks: checksOf(before, after, open, [old, now]),
    methods: shownMethods(old, now),
  }
}

export const textsOf = (program: Program): Set<string> =>
  new Set([...program.stringConstants()].map(({ value }) => value).filter((value) => value !== ''))

export function figuresOf(source: AndroidPackage, program: Program, strings: number): PackageFigures {
  const { zip } = source.archives[0]!
  const { components, dexEntries, nativeLibraries } = source.facts
  const sizeOf = (name: string) => zip.byName.get(name)?.size ?? 0
  return {
    size: zip.bytes.length,
    dex_files: dexEntries.length,
    dex_bytes: dexEntries.reduce((sum, name) => sum + sizeOf(name), 0),
    classes: program.classCount,
    methods: program.methodCount,
    strings,
    exported: components.filter(({ exported }) => exported).length,
    library_bytes: nativeLibraries.reduce((sum, { entry }) => sum + sizeOf(entry), 0),
    entropy: entropyOf(zip, dexEntries),
  }
}

function entropyOf(zip: ZipArchive, names: readonly string[]): number | null {
  const counts = new Float64Array(256)
  let total = 0
  for (const name of names) {
    const entry = zip.byName.get(name)
    if (!entry) continue
    const bytes = entryBytes(zip, entry)
    for (const byte of bytes) counts[byte]!++
    total += bytes.length
  }
  if (!total) return null
  return counts.reduce((sum, count) => (count ? sum - (count / total) * Math.log2(count / total) : sum), 0)
}

function checksOf(
  before: AndroidPackage,
  after: AndroidPackage,
  open: AndroidPackage,
  [old, now]: readonly [Program, Program],
) {
  const [was, is] = [before.facts, after.facts]
  const isLost = (descriptor: string) => now.classOf(descriptor) === undefined
  let lost = ''
  for (const { descriptor } of old.classes())
    if (isLost(descriptor)) {
      lost = descriptor
      break
    }
  const damaged = now.dexes.find(({ notes }, i) => notes.length > (old.dexes[i]?.notes.length ?? 0))
  const found: [ApkCheck, string][] = [
    ['structure', structureIssue(after.archives[0]!.zip)],
    ['assets', assetIssue(before, after, open)],
    ['manifest', manifestIssue(was, is)],
    ['permissions', firstNew(was.permissions, is.permissions, ({ name }) => name)],
    ['components', firstNew(exportedOf(was), exportedOf(is), ({ kind, name }) => `${kind} ${name}`)],
    ['dex', lost || (damaged ? `${damaged.entry}: ${damaged.notes.at(-1)!.detail}` : '')],
  ]
  return found.map(([check, detail]) => ({ check, passed: detail === '', detail: detail.slice(0, LONGEST) }))
}

/** Files below assets: all are there, and other ones than scripts as they were, where the result does not have them encrypted. */
function assetIssue(before: AndroidPackage, after: AndroidPackage, open: AndroidPackage): string {
  const [was, is, readable] = [before, after, open].map(({ archives }) => archives[0]!.zip) as [
    ZipArchive,
    ZipArchive,
    ZipArchive,
  ]
  const scripts = new Set(findPackageScripts([...was.byName.keys()]).map(({ path }) => path))
  for (const [name, entry] of was.byName) {
    if (entry.isDirectory || !name.startsWith('assets/')) continue
    const other = readable.byName.get(name)
    if (!other || !is.byName.has(name)) return `${name}: missing`
    if (!scripts.has(name) && Buffer.compare(entryBytes(was, entry), entryBytes(readable, other)))
      return `${name}: changed`
  }
  return ''
}

export const exportedOf = ({ components }: ApkFacts) => components.filter(({ exported }) => exported)

export function firstNew<T>(before: readonly T[], after: readonly T[], keyOf: (one: T) => string): string {
  const known = new Set(before.map(keyOf))
  const found = after.find((one) => !known.has(keyOf(one)))
  return found ? keyOf(found) : ''
}

/** Stored entries lie at multiples of 4, since Android maps them into memory. */
function structureIssue(zip: ZipArchive): string {
  const [note] = zip.notes
  if (note) return `${note.key}: ${note.detail}`
  const odd = zip.entries.find(({ method, size, dataOffset }) => method === 0 && size > 0 && dataOffset % 4 !== 0)
  return odd ? `${odd.name} is not aligned` : ''
}

export function manifestIssue(was: ApkFacts, is: ApkFacts): string {
  if (was.package?.value !== is.package?.value) return `package name ${is.package?.value}`
  if (was.versionCode?.value !== is.versionCode?.value) return `version code ${is.versionCode?.value}`
  return was.versionName?.value === is.versionName?.value ? '' : `version ${is.versionName?.value}`
}

/**
 * The first methods of the package whose code differs, those with more texts first. A method of class files keeps its size: of those, the classes
 * that `isChanged` names are compared by their instructions.
 */
export function shownMethods(
  old: Program,
  now: Program,
  isChanged: (descriptor: string) => boolean = () => false,
): ShownMethod[] {
  const found: (ShownMethod & { readonly weight: number })[] = []
  for (const one of old.classes()) {
    if (found.length >= 4 * MOST_METHODS) break
    const changed = now.classOf(one.descriptor)
    if (!changed) continue
    const bySize = !isChanged(one.descriptor)
    const others = new Map(changed.methods.map((method) => [method.reference, method]))
    for (const method of one.methods) {
      const other = others.get(method.reference)
      if (!other || method.codeSize < SHORTEST || (bySize && other.codeSize === method.codeSize)) continue
      const [before, after] = [listingOf(old, method), listingOf(now, other)]
      if (!before.length || !after.length || before.join() === after.join()) continue
      found.push({ method: method.reference.slice(0, LONGEST), before, after, weight: weightOf(before) })
    }
  }
  return found
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST_METHODS)
    .map(({ method, before, after }) => ({ method, before, after }))
}

const weightOf = (lines: readonly string[]): number => lines.filter((line) => /const-string/.test(line)).length

function listingOf(program: Program, method: MethodFacts): string[] {
  const [call] = program.callsFrom(method)
  if (!call) return []
  // The listing is around an instruction: twice as many lines reach the start of a short method.
  // Without addresses: an instruction that moved is the same one.
  return program.listing(call, MOST_INSTRUCTIONS).map((line) => line.replace(/^[\da-f]+: /, '').slice(0, LONGEST))
}
