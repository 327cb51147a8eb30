import type { Program } from '../dex/program.ts'
import type { Package } from '../package/package.ts'
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
