import type { ResourceTable } from '../arsc/resource-table.ts'
import { attributeName } from '../axml/find-attribute.ts'
import type { XmlElement } from '../axml/read-axml.ts'
import type { ResourceNote } from '../axml/resource-notes.ts'
import { isReference } from '../axml/typed-value.ts'
import type { Program } from '../dex/program.ts'
import type { Package } from '../package/package.ts'
import type { ZipArchive } from '../zip/zip-facts.ts'
import type { InspectedPackage } from './input/inspected-package.ts'
import type { Inspection } from './inspect-android.ts'
import type { Ownership } from './owner/class-owner.ts'
import type { Coverage, Note, OwnerKind } from './result/scan-result.ts'
import type { NativeCode } from './rules/rule-context.ts'

const MOST_NOTES = 200

/** How much of a package was looked at. */
export function coverageOf(
  source: Package,
  inspected: InspectedPackage,
  ownership: Ownership,
  unread: ReadonlySet<string>,
): Coverage {
  const { program, entries } = inspected
  const declared = sum(program, ({ classCount }) => classCount)
  return {
    classes: Math.max(declared, program?.classCount ?? 0),
    classesRead: program?.classCount ?? 0,
    methods: sum(program, ({ methodCount }) => methodCount),
    methodsRead: program?.methodCount ?? 0,
    entries: entries.length + (source.kind === 'so' ? 1 : 0),
    entriesRead: entries.length - unread.size + (source.kind === 'so' ? 1 : 0),
    ownPrefixes: ownership.prefixes,
    obfuscated: Math.min(1, Math.round(ownership.obfuscated * 10_000) / 10_000),
    ...(program && { owners: countOwners(program, ownership) }),
  }
}

function countOwners(program: Program, { ownerOf }: Ownership): Readonly<Record<OwnerKind, number>> {
  const owners = { own: 0, sdk: 0, unknown: 0 }
  for (const { descriptor } of program.classes()) owners[ownerOf(descriptor).kind]++
  return owners
}

type Summary = Program['dexes'][number]
const sum = (program: Program | null, of: (dex: Summary) => number): number =>
  program?.dexes.reduce((total, dex) => total + of(dex), 0) ?? 0

/** What could not be looked at, and why. */
export function notAssessedOf(
  source: Package,
  { inspected, unread, codeNotes }: Inspection,
  natives: readonly NativeCode[],
  cut: readonly string[],
): Note[] {
  const notes: Note[] = []
  const add = (key: string, zh: string, en: string) => notes.push({ key, text: { zh, en } })
  if (inspected.packer)
    add(
      'packed',
      `代码由${inspected.packer.zh}隐藏：代码类检测项未评估`,
      `${inspected.packer.en} hides the code: items that need it were not assessed`,
    )
  if (inspected.codeGap) add('code-gap', inspected.codeGap.zh, inspected.codeGap.en)
  for (const { zh, en } of codeNotes) add('code-note', zh, en)
  for (const { entry, detail } of source.notes)
    add('part-unreadable', `${entry} 无法读取：${detail}`, `${entry} cannot be read: ${detail}`)
  for (const { zip } of source.archives)
    for (const { name, detail } of oddities(zip))
      add(
        'archive',
        `压缩包${name ? `条目 ${name}` : ''}异常：${detail}`,
        `odd archive${name ? ` entry ${name}` : ''}: ${detail}`,
      )
  for (const { entry, detail } of xmlOddities(source))
    add('xml-damaged', `${entry} 已损坏：${detail}`, `${entry} is damaged: ${detail}`)
  for (const dex of inspected.program?.dexes ?? [])
    for (const key of new Set(dex.notes.map((note) => note.key))) {
      const [first, ...others] = dex.notes.filter((note) => note.key === key)
      const { offset, detail } = first!
      const at = offset >= 0 ? [` 偏移 ${offset}`, ` at ${offset}`] : ['', '']
      const more = others.length
        ? [`（另有 ${others.length} 处以上）`, ` (and at least ${others.length} more)`]
        : ['', '']
      add(`code-${key}`, `${dex.entry}${at[0]}：${detail}${more[0]}`, `${dex.entry}${at[1]}: ${detail}${more[1]}`)
    }
  for (const { entry, elf } of natives)
    if (!elf) add('native-unreadable', `${entry} 无法读取`, `${entry} cannot be read`)
  for (const name of [...unread].sort())
    add('entry-unread', `${name} 无法读取或超过大小限制`, `${name} cannot be read or is above the size limit`)
  for (const name of cut) add('text-cut', `${name} 超过文本大小限制`, `${name} is above the size limit of texts`)
  if (notes.length <= MOST_NOTES) return notes
  const rest = notes.length - MOST_NOTES
  return [...notes.slice(0, MOST_NOTES), { key: 'more', text: { zh: `另有 ${rest} 条`, en: `and ${rest} more` } }]
}

/** What makes tools and devices read different content, so that another than the judged one may run. */
const MISLEADING: ReadonlySet<string> = new Set([
  'prefix',
  'trailing-data',
  'second-end',
  'overlap',
  'local-name',
  'duplicate',
])
const MOST_ODDITIES = 20

function oddities(zip: ZipArchive): { name: string; detail: string }[] {
  const notes = [
    ...zip.notes.map((note) => ({ ...note, name: '' })),
    ...zip.entries.flatMap(({ name, notes: own }) => own.map((note) => ({ ...note, name }))),
  ]
  return notes.filter(({ key, refused }) => refused || MISLEADING.has(key)).slice(0, MOST_ODDITIES)
}

/** Parts of a manifest that are missing from what was read. */
const UNREADABLE: ReadonlySet<string> = new Set(['unclosed', 'second-root', 'string'])

/** What the manifest and the resources lack: values that nothing in the package gives. */
function xmlOddities(source: Package): { entry: string; detail: string }[] {
  if (!('manifest' in source) || source.platform !== 'android' || source.kind !== 'apk') return []
  const { manifest, resources } = source
  const damaged = (entry: string, notes: readonly ResourceNote[], keys: ReadonlySet<string>) => {
    const seen = new Set<string>()
    return notes
      .filter(({ key, refused }) => (refused || keys.has(key)) && !seen.has(key) && seen.add(key))
      .map(({ detail }) => ({ entry, detail }))
  }
  const missing = [...missingReferences(manifest.root, resources)]
  return [
    ...damaged('AndroidManifest.xml', manifest.notes, UNREADABLE),
    ...damaged('resources.arsc', resources?.notes ?? [], new Set()),
    ...(missing.length
      ? [
          {
            entry: 'resources.arsc',
            detail: `no value for ${missing.slice(0, 3).join(', ')}${missing.length > 3 ? ' and others' : ''}`,
          },
        ]
      : []),
  ].slice(0, MOST_ODDITIES)
}

/** Attributes of the manifest that decide something and refer to a resource of the package that has no value. */
const DECIDING: ReadonlySet<string> = new Set([
  'debuggable',
  'allowBackup',
  'exported',
  'usesCleartextTraffic',
  'networkSecurityConfig',
  'testOnly',
  'permission',
])
const OWN_PACKAGE = 0x7f

function* missingReferences(element: XmlElement, resources: ResourceTable | undefined): Generator<string> {
  for (const attribute of element.attributes) {
    const { data: id } = attribute.value
    if (!isReference(attribute.value) || id >>> 24 !== OWN_PACKAGE || resources?.valuesOf(id).length) continue
    if (DECIDING.has(attributeName(attribute))) yield `${element.name} ${attributeName(attribute)}`
  }
  for (const child of element.children) yield* missingReferences(child, resources)
}
