import { FormatError } from '../bytes/format-error.ts'
import { readCode } from '../detect/read-context.ts'
import { readElf } from '../elf/read-elf.ts'
import { findPackageScripts } from '../jsguard/package-scripts.ts'
import { ClassFile } from '../jvm/class-file.ts'
import type { Package, PackageArchive } from '../package/package.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import {
  type ComparedPackages,
  type LibraryCheck,
  LONGEST,
  type PackageFigures,
  shownMethods,
  textsOf,
} from './compare-packages.ts'
import { refusal } from './hardening.ts'

type Content = (name: string) => Uint8Array | undefined

/**
 * What reinforcement changed in a library (AAR, JAR, SO), and whether the result is still that library: an archive with the same entries, of
 * which classes keep what they declare, native libraries what the loader reads, and all others but scripts their bytes.
 * Throws FormatError `judged` of format `harden` where the result is of another kind, and what the readers of the parts throw.
 */
export function compareLibraries(before: Package, after: Package): ComparedPackages {
  if (after.kind !== before.kind) throw refusal('judged', `the result reads as ${after.kind}`)
  if (before.kind === 'so')
    return {
      ...{ before: figuresOf(before), after: figuresOf(after), methods: [] },
      checks: [judged('elf', elfIssue(before.bytes, after.bytes))],
    }
  const [old, now] = [readCode(before), readCode(after)]
  const texts = textsOf(old)
  const left = textsOf(now)
  const readable = [...texts].filter((text) => left.has(text)).length
  const code = (program: typeof old, strings: number) => ({
    ...{ classes: program.classCount, methods: program.methodCount, strings },
  })
  const changed = changedClasses(before, after)
  return {
    before: { ...figuresOf(before), ...code(old, texts.size) },
    after: { ...figuresOf(after), ...code(now, readable) },
    checks: [
      judged('archive', archiveIssue(before, after)),
      judged('contents', contentsIssue(before, after)),
      ...(before.code.length ? [judged('classes', classesIssue(before, after))] : []),
      ...(before.native.length ? [judged('elf', nativeIssue(before, after))] : []),
    ],
    methods: shownMethods(old, now, (descriptor) => changed.has(descriptor)),
  }
}

const judged = (check: LibraryCheck, detail: string) => ({
  check,
  passed: detail === '',
  detail: detail.slice(0, LONGEST),
})

function figuresOf(source: Package): PackageFigures {
  return {
    size: source.bytes.length,
    ...{ dex_files: null, dex_bytes: null, entropy: null, exported: null },
    ...{ classes: null, methods: null, strings: null },
    library_bytes: source.kind === 'aar' ? source.native.reduce((sum, { size }) => sum + size, 0) : null,
  }
}

const namesOf = ({ archives }: Package): string[] =>
  archives.flatMap(({ prefix, zip }) => zip.entries.map(({ name }) => prefix + name))

function archiveIssue(before: Package, after: Package): string {
  const note = after.notes[before.notes.length] ?? after.archives[0]!.zip.notes[before.archives[0]!.zip.notes.length]
  if (note) return `${note.key}: ${note.detail}`
  const [was, is] = [namesOf(before), namesOf(after)]
  const [known, kept] = [new Set(was), new Set(is)]
  const lost = was.find((name) => !kept.has(name))
  const added = is.find((name) => !known.has(name))
  if (lost !== undefined) return `${lost}: missing`
  if (added !== undefined) return `${added}: not in the original`
  const at = was.findIndex((name, index) => name !== is[index])
  return at < 0 ? '' : `${was[at]}: not at its place`
}

/** Entries that no option changes; inner archives are compared entry by entry. */
function contentsIssue(before: Package, after: Package): string {
  const native = new Set(before.native.map(({ entry }) => entry))
  const inner = new Set(before.archives.map(({ prefix }) => prefix.slice(0, -2)))
  const [outer] = before.archives
  const scripts = new Set(findPackageScripts(outer!.zip.entries.map(({ name }) => name)).map(({ path }) => path))
  const mayChange = (place: string) =>
    native.has(place) || inner.has(place) || scripts.has(place) || place.endsWith('.class')
  return firstIssue(before, after, (place, was, is) =>
    mayChange(place) || equal(was(place), is(place)) ? '' : 'changed',
  )
}

function classesIssue(before: Package, after: Package): string {
  return firstIssue(before, after, (place, was, is) => {
    if (!place.endsWith('.class')) return ''
    const [old, now] = [was(place), is(place)]
    if (equal(old, now)) return ''
    const declared = old && declaredBy(old)
    return declared !== undefined && now && declaredBy(now) === declared ? '' : 'its declarations are not the same'
  })
}

/** The first native library of which the loader reads something else than before. */
export function nativeIssue(before: Package, after: Package): string {
  const results = new Map(after.native.map(({ entry, bytes }) => [entry, bytes]))
  for (const { entry, bytes } of before.native) {
    const issue = elfIssue(bytes, results.get(entry) ?? new Uint8Array())
    if (issue) return `${entry}: ${issue}`
  }
  return ''
}

/** What the loader reads of a native library that is another than before; '' where all of it is the same. */
function elfIssue(before: Uint8Array, after: Uint8Array): string {
  if (equal(before, after)) return ''
  const [was, is] = [loadedOf(before), loadedOf(after)]
  if (!was || !is) return 'cannot be read'
  const part = (Object.keys(was) as (keyof typeof was)[]).find((key) => was[key] !== is[key])
  return part ? `${part} changed` : ''
}

function loadedOf(bytes: Uint8Array) {
  try {
    const { type, machine, abi, soname, needed, segments, imports, exports } = readElf(bytes)
    return {
      ...{ type, machine, abi, soname: soname?.value ?? '' },
      needed: JSON.stringify(needed.map(({ value }) => value)),
      segments: JSON.stringify(segments),
      imports: JSON.stringify(imports.map(({ name, kind, weak }) => [name, kind, weak])),
      exports: JSON.stringify(exports.map(({ name, kind, weak }) => [name, kind, weak])),
    }
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}

/** What other classes see of a class file; undefined where it cannot be read. */
function declaredBy(bytes: Uint8Array): string | undefined {
  try {
    const { version, accessFlags, descriptor, superclass, interfaces, fields, methods } = new ClassFile(bytes)
    const members = [...fields, ...methods].map(({ flags, name, descriptor: type }) => [flags, name, type])
    return JSON.stringify([version, accessFlags, descriptor, superclass, interfaces, members])
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}

/** Descriptors of class files whose bytes are not those of before. */
function changedClasses(before: Package, after: Package): ReadonlySet<string> {
  const results = new Map(after.code.map((file) => [file.entry, file]))
  const found = new Set<string>()
  for (const file of before.code)
    if (file.entry.endsWith('.class') && !equal(file.bytes, results.get(file.entry)?.bytes))
      found.add(`L${file.entry.replace(/^.*!\//, '').slice(0, -'.class'.length)};`)
  return found
}

/** The first entry of which something is wrong, with what it is. */
function firstIssue(
  before: Package,
  after: Package,
  issueOf: (place: string, was: Content, is: Content) => string,
): string {
  for (const archive of before.archives) {
    const other = after.archives.find(({ prefix }) => prefix === archive.prefix)
    const [was, is] = [contentOf(archive), other ? contentOf(other) : () => undefined]
    for (const { name, isDirectory } of archive.zip.entries) {
      if (isDirectory) continue
      const place = archive.prefix + name
      const issue = issueOf(place, was, is)
      if (issue) return `${place}: ${issue}`
    }
  }
  return ''
}

const contentOf =
  ({ prefix, zip }: PackageArchive): Content =>
  (place) => {
    const entry = zip.byName.get(place.slice(prefix.length))
    return entry && entryBytes(zip, entry)
  }

const equal = (a: Uint8Array | undefined, b: Uint8Array | undefined): boolean =>
  a !== undefined && b !== undefined && Buffer.compare(a, b) === 0
