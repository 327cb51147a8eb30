import { attributeName } from '../axml/find-attribute.ts'
import type { XmlAttribute, XmlElement } from '../axml/read-axml.ts'
import { numberOf } from '../axml/typed-value.ts'
import { readProtoXml } from '../bundle/read-proto-xml.ts'
import type { ClassFacts, Program } from '../dex/program.ts'
import { readProgram } from '../dex/read-program.ts'
import { findPackageScripts } from '../jsguard/package-scripts.ts'
import type { AndroidPackage } from '../package/package.ts'
import { isSigningEntry } from '../signing/sign-apk.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import type { ZipArchive } from '../zip/zip-facts.ts'
import { nativeIssue } from './compare-libraries.ts'
import {
  type ComparedPackages,
  exportedOf,
  figuresOf,
  firstNew,
  LONGEST,
  manifestIssue,
  type PackageCheck,
  shownMethods,
  textsOf,
} from './compare-packages.ts'
import { refusal } from './hardening.ts'

const MANIFEST = /^[^/]+\/manifest\/AndroidManifest\.xml$/
const DEX = /^[^/]+\/dex\/classes\d*\.dex$/
/** Android's own, of which an application without a name is one. */
const APPLICATION = 'Landroid/app/Application;'
const FINAL = 0x10
/** Methods that options add where a class has none. */
const ADDED_METHODS: ReadonlySet<string> = new Set(['<clinit>', 'onCreate'])
/** Attributes that options switch off, by element; each is false, or gone, or an empty text in the result. */
const SWITCHED: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'application',
    new Set(['debuggable', 'allowBackup', 'usesCleartextTraffic', 'testOnly', 'taskAffinity', 'allowTaskReparenting']),
  ],
  ['activity', new Set(['allowTaskReparenting'])],
])

/**
 * What reinforcement changed in a bundle (AAB), and whether the result is still that bundle: the same modules and entries with further dex files
 * at most, all declarations of classes, manifests that differ in what options set alone, native libraries that keep what the loader reads, and all else byte
 * by byte. Throws FormatError `judged` of format `harden` where the result is of another kind, and what the readers of the parts throw.
 */
export function compareBundles(before: AndroidPackage, after: AndroidPackage): ComparedPackages {
  if (after.kind !== before.kind) throw refusal('judged', `the result reads as ${after.kind}`)
  const [old, now] = [readProgram(before.code), readProgram(after.code)]
  const [was, is] = [before.archives[0]!.zip, after.archives[0]!.zip]
  const texts = textsOf(old)
  const left = textsOf(now)
  const found: [PackageCheck, string][] = [
    ['bundle', entriesIssue(before, after)],
    ['untouched', contentsIssue(before, was, is)],
    ['manifests', manifestsIssue(was, is, now) || manifestIssue(before.facts, after.facts)],
    ['permissions', firstNew(before.facts.permissions, after.facts.permissions, ({ name }) => name)],
    ['components', firstNew(exportedOf(before.facts), exportedOf(after.facts), ({ kind, name }) => `${kind} ${name}`)],
    ['dex', dexIssue(old, now)],
    ...(before.native.length ? ([['elf', nativeIssue(before, after)]] as [PackageCheck, string][]) : []),
  ]
  return {
    before: figuresOf(before, old, texts.size),
    after: figuresOf(after, now, [...texts].filter((text) => left.has(text)).length),
    checks: found.map(([check, detail]) => ({ check, passed: detail === '', detail: detail.slice(0, LONGEST) })),
    methods: shownMethods(old, now),
  }
}

const namesOf = ({ entries }: ZipArchive): string[] =>
  entries.map(({ name }) => name).filter((name) => !isSigningEntry(name))

const moduleOf = (name: string): string => name.slice(0, name.indexOf('/') + 1)

function entriesIssue(before: AndroidPackage, after: AndroidPackage): string {
  const [was, is] = [before.archives[0]!.zip, after.archives[0]!.zip]
  const note = after.notes[before.notes.length] ?? is.notes[was.notes.length]
  if (note) return `${note.key}: ${note.detail}`
  const [known, kept] = [namesOf(was), namesOf(is)]
  const [knownNames, keptNames] = [new Set(known), new Set(kept)]
  const lost = known.find((name) => !keptNames.has(name))
  if (lost !== undefined) return `${lost}: missing`
  const modules = new Set(known.map(moduleOf))
  const added = kept.find((name) => !knownNames.has(name) && !(DEX.test(name) && modules.has(moduleOf(name))))
  if (added !== undefined) return `${added}: not in the original`
  return keptNames.size < kept.length && knownNames.size === known.length ? 'an entry is there twice' : ''
}

/** Entries that no option changes. */
function contentsIssue(before: AndroidPackage, was: ZipArchive, is: ZipArchive): string {
  const native = new Set(before.native.map(({ entry }) => entry))
  const scripts = new Set(findPackageScripts([...was.byName.keys()]).map(({ path }) => path))
  for (const [name, entry] of was.byName) {
    if (entry.isDirectory || isSigningEntry(name)) continue
    if (native.has(name) || scripts.has(name) || DEX.test(name) || MANIFEST.test(name)) continue
    const other = is.byName.get(name)
    if (!other || Buffer.compare(entryBytes(was, entry), entryBytes(is, other))) return `${name}: changed`
  }
  return ''
}

function manifestsIssue(was: ZipArchive, is: ZipArchive, now: Program): string {
  for (const [name, entry] of was.byName) {
    const other = is.byName.get(name)
    if (!MANIFEST.test(name) || !other) continue
    const [old, made] = [entryBytes(was, entry), entryBytes(is, other)]
    if (!Buffer.compare(old, made)) continue
    const issue = elementIssue(readProtoXml(old).root, readProtoXml(made).root, now)
    if (issue) return `${name}: ${issue}`
  }
  return ''
}

function elementIssue(was: XmlElement, is: XmlElement, now: Program): string {
  const isOther =
    was.name !== is.name ||
    was.namespace !== is.namespace ||
    was.line !== is.line ||
    was.texts.join('\0') !== is.texts.join('\0') ||
    was.children.length !== is.children.length
  if (isOther) return `element ${was.name} is another one`
  const attribute = attributeIssue(was, is, now)
  if (attribute) return `${was.name} ${attribute}: changed`
  for (const [i, child] of was.children.entries()) {
    const issue = elementIssue(child, is.children[i]!, now)
    if (issue) return issue
  }
  return ''
}

/** The first attribute that differs in another way than options make. */
function attributeIssue(was: XmlElement, is: XmlElement, now: Program): string {
  const [old, made] = [attributesOf(was), attributesOf(is)]
  for (const name of new Set([...old.keys(), ...made.keys()])) {
    const [before, after] = [old.get(name), made.get(name)]
    if (before && after && writtenValue(before) === writtenValue(after)) continue
    if (SWITCHED.get(was.name)?.has(name) && isOff(after)) continue
    if (was.name === 'application' && name === 'name' && isAbove(before, after, now)) continue
    return name
  }
  return ''
}

const attributesOf = ({ attributes }: XmlElement): Map<string, XmlAttribute> =>
  new Map(attributes.map((one) => [one.resourceId ? attributeName(one) : `${one.namespace} ${one.name}`, one]))

const writtenValue = ({ value }: XmlAttribute): string => JSON.stringify([value.type, value.data, value.text])

const isOff = (attribute: XmlAttribute | undefined): boolean =>
  !attribute || attribute.value.text === '' || numberOf(attribute.value) === 0

/** Whether the Application of the result is a class of the result that extends the one of before. */
function isAbove(before: XmlAttribute | undefined, after: XmlAttribute | undefined, now: Program): boolean {
  const added = now.classOf(`L${after?.value.text?.replaceAll('.', '/')};`)
  if (!added) return false
  const name = before?.value.text?.replaceAll('.', '/')
  // A name without a package is written with a dot before it, or alone.
  return name === undefined ? added.superclass === APPLICATION : (added.superclass ?? '').endsWith(`${name};`)
}

function dexIssue(old: Program, now: Program): string {
  const damaged = now.dexes.find(({ entry, notes }) => {
    const before = old.dexes.find((one) => one.entry === entry)
    return notes.length > (before?.notes.length ?? 0)
  })
  if (damaged) return `${damaged.entry}: ${damaged.notes.at(-1)!.detail}`
  for (const one of old.classes()) {
    const other = now.classOf(one.descriptor)
    if (!other) return `${one.descriptor}: missing`
    const part = changedPart(one, other)
    if (part) return `${one.descriptor}: ${part} changed`
  }
  return ''
}

/** What a class declares that is another than before; '' where all of it is the same. A class that the runtime extends is final no more. */
function changedPart(was: ClassFacts, is: ClassFacts): string {
  if (moduleOf(was.entry) !== moduleOf(is.entry)) return 'module'
  if ((was.accessFlags & ~FINAL) !== (is.accessFlags & ~FINAL) || is.accessFlags & ~was.accessFlags) return 'flags'
  if (was.superclass !== is.superclass) return 'superclass'
  if (was.interfaces.join() !== is.interfaces.join()) return 'interfaces'
  const membersOf = ({ methods, fields }: ClassFacts) =>
    new Map([...methods, ...fields].map(({ reference, accessFlags }) => [reference, accessFlags]))
  const [members, kept] = [membersOf(was), membersOf(is)]
  for (const [reference, flags] of members) if (kept.get(reference) !== flags) return reference
  const added = is.methods.find(({ reference, name }) => !members.has(reference) && !ADDED_METHODS.has(name))
  if (added) return added.reference
  return is.fields.length === was.fields.length ? '' : 'fields'
}
