import type { ApkFacts } from '../apk/apk-facts.ts'
import type { Program } from '../dex/program.ts'
import { descriptorOf } from './evidence/locations.ts'
import { findHiddenCode, type HiddenCode, type PayloadSource } from './hidden-code.ts'
import type { Text } from './result/scan-result.ts'

/** What keeps the code of a package from being judged as a whole. */
export interface CodeGaps {
  /** The structure of an unknown packer; null if no packer was found. */
  readonly packer: Text | null
  /** Why the code is incomplete, in one sentence with counts; null where it is complete enough to pass an item. */
  readonly gap: Text | null
  /** Further facts worth a note, which alone do not keep an item from passing. */
  readonly notes: readonly Text[]
}

const UNKNOWN_PACKER: Text = { zh: '未知加固', en: 'an unknown packer' }

/** Whether a packer was recognised by structure alone: what it protects against is not known. */
export function isUnknownPacker(packer: Text): boolean {
  return packer.en === UNKNOWN_PACKER.en
}
/** From this share of missing or damaged classes on, absence of a finding says nothing. */
const MANY_MISSING = 0.2
const SOME_DAMAGED = 0.01
/** A loader needs few classes of its own. */
export const STUB_CLASSES = 300

/** @param known a packer was recognised by its signature: nothing more is asked then */
export function findCodeGaps(
  facts: ApkFacts | null,
  program: Program | null,
  files: PayloadSource,
  known: boolean,
): CodeGaps {
  if (known || !facts) return { packer: null, gap: null, notes: [] }
  const declared = declaredClasses(facts)
  const missing = declared.filter((name) => !program?.classOf(descriptorOf(name)))
  const hidden = findHiddenCode(files, new Set(program?.dexes.map(({ entry }) => entry)))
  const { code, encrypted } = hidden
  const share = declared.length ? missing.length / declared.length : 0
  if (program && isStub(program, share, payloadSize(files, [...code, ...encrypted])))
    return { packer: UNKNOWN_PACKER, gap: null, notes: missingNotes(missing, declared, code) }
  const entry = facts.launchableActivity?.value ?? facts.applicationClass?.value
  const lost = damaged(program)
  const gap =
    (program?.classCount ? null : declared.length > 0 ? noCode(declared.length) : null) ??
    lost ??
    (code.length ? hiddenText(code) : null) ??
    (share >= MANY_MISSING || (entry !== undefined && missing.includes(entry)) ? missingText(missing, declared) : null)
  const notes = [
    ...missingNotes(missing, declared, code).filter((note) => note.en !== gap?.en),
    ...unknownContent(program, hidden, files),
  ]
  return { packer: null, gap, notes }
}

const payloadSize = ({ entries }: PayloadSource, names: readonly string[]): number =>
  entries.reduce((sum, { name, size }) => sum + (names.includes(name) ? size : 0), 0)

/** Few classes that load others: most of the manifest's are missing, or the payload outweighs them and they make class loaders. */
function isStub(program: Program, missingShare: number, payload: number): boolean {
  if (program.classCount > STUB_CLASSES) return false
  const loads = makesLoaders(program)
  if (missingShare >= 0.5) return payload > 0 || loads
  return loads && payload > program.dexes.reduce((sum, { size }) => sum + size, 0)
}

/** Files that may hold code as far as this scan can see, in a program that can load it: named, since nothing else speaks of them. */
function unknownContent(
  program: Program | null,
  { opaque, encrypted, compressed }: HiddenCode,
  files: PayloadSource,
): Text[] {
  if (!program || !canLoad(program)) return []
  const code = program.dexes.reduce((sum, { size }) => sum + size, 0)
  const outweighs = program.classCount <= STUB_CLASSES && payloadSize(files, compressed) > code
  const names = [...encrypted, ...opaque, ...(outweighs ? compressed : [])]
  if (!names.length) return []
  const shown = names.slice(0, 3)
  const more = names.length - shown.length
  return [
    {
      zh: `${shown.join('、')}${more > 0 ? ` 等 ${names.length} 个文件` : ''}的内容无法识别，而代码能够加载其他代码：其中是否含有代码未评估`,
      en: `the content of ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''} is not known, and the code can load other code: whether ${names.length === 1 ? 'it holds' : 'they hold'} code was not assessed`,
    },
  ]
}

/** Class loaders of any program; of a small one also what finds classes by names that are put together. */
const canLoad = (program: Program): boolean =>
  makesLoaders(program) ||
  LOADERS.some((name) => program.callsTo(`Ldalvik/system/${name};->`).length > 0) ||
  (program.classCount <= STUB_CLASSES && REFLECTION.some((name) => program.callsTo(name).length > 0))

const REFLECTION = [
  'Ljava/lang/Class;->forName(',
  'Ljava/lang/ClassLoader;->loadClass(',
  'Ljava/lang/reflect/Constructor;->newInstance(',
  'Ljava/lang/System;->load(',
]

/** Classes that the manifest names, each once. */
function declaredClasses(facts: ApkFacts): string[] {
  const application = facts.applicationClass?.value ?? ''
  return [...new Set([application, ...componentClasses(facts)])].filter((name) => name !== '')
}

/** Classes of the components that the manifest names. */
export function componentClasses({ components }: ApkFacts): string[] {
  return components
    .map(({ kind, name, targetActivity }) => (kind === 'activity-alias' ? (targetActivity ?? '') : name))
    .filter((name) => name !== '')
}

const LOADERS = ['DexClassLoader', 'InMemoryDexClassLoader', 'PathClassLoader', 'BaseDexClassLoader', 'DexFile']
const LOADER_TEXT = /dexElements|mClassLoader|dalvik[./]system|makeDexElements|makePathElements|loadDex|ClassLoader/

/** Whether code makes class loaders, by their constructors or by texts that reflection needs. */
function makesLoaders(program: Program): boolean {
  if (program.classCount > STUB_CLASSES) return false
  if (LOADERS.some((name) => program.callsTo(`Ldalvik/system/${name};->`).length > 0)) return true
  for (const { value } of program.stringConstants()) if (LOADER_TEXT.test(value)) return true
  return program.callsTo('Ljava/lang/reflect/Method;->invoke(').length > 0
}

/** Classes that the dex files define and that cannot be read. */
function damaged(program: Program | null): Text | null {
  if (!program) return null
  const claimed = program.dexes.reduce((sum, dex) => sum + Math.max(dex.classCount, claimedIn(dex.notes)), 0)
  const unreadable = program.dexes.filter(({ notes }) => notes.some(({ key }) => key === 'not-dex')).length
  if (unreadable > 0)
    return {
      zh: `${program.dexes.length} 个代码文件中有 ${unreadable} 个无法读取：代码类检测项不能判为通过`,
      en: `${unreadable} of ${program.dexes.length} code files cannot be read: items that need the code cannot pass`,
    }
  const broken = program.dexes.some(({ notes }) => notes.some(({ key }) => DAMAGE.has(key)))
  const duplicates = program.dexes.some(({ notes }) => notes.some(({ key }) => key === 'duplicate-class'))
  const lost = claimed - program.classCount
  if (!broken && (duplicates || lost <= 0)) return null
  if (lost <= SOME_DAMAGED * claimed && !broken) return null
  return lost > 0
    ? {
        zh: `代码已损坏：${claimed} 个类中只读取了 ${program.classCount} 个，代码类检测项不能判为通过`,
        en: `the code is damaged: ${program.classCount} of ${claimed} classes could be read, so items that need the code cannot pass`,
      }
    : {
        zh: '代码已损坏：部分方法无法读取，代码类检测项不能判为通过',
        en: 'the code is damaged: some methods could not be read, so items that need the code cannot pass',
      }
}

const DAMAGE: ReadonlySet<string> = new Set(['class-definition', 'table', 'truncated', 'limit'])

/** Class definitions that a header claims beyond the end of its file. */
function claimedIn(notes: readonly { readonly key: string; readonly detail: string }[]): number {
  for (const { key, detail } of notes) {
    const count = key === 'table' ? /^(\d+) classes claimed/.exec(detail)?.[1] : undefined
    if (count !== undefined) return Number(count)
  }
  return 0
}

const noCode = (count: number): Text => ({
  zh: `清单声明了 ${count} 个类，但包中没有代码：代码类检测项未评估`,
  en: `the manifest declares ${count} ${count === 1 ? 'class' : 'classes'} and the package holds no code: items that need the code were not assessed`,
})

const missingText = (missing: readonly string[], declared: readonly string[]): Text => ({
  zh: `清单声明的 ${declared.length} 个类中有 ${missing.length} 个不在代码里（${missing[0]} 等）`,
  en: `${missing.length} of the ${declared.length} classes that the manifest declares are not in the code (${missing[0]}${missing.length > 1 ? ' and others' : ''})`,
})

const hiddenText = (code: readonly string[]): Text => ({
  zh: `${code.slice(0, 3).join('、')}${code.length > 3 ? ` 等 ${code.length} 个文件` : ''}含有未读取的代码`,
  en: `${code.slice(0, 3).join(', ')}${code.length > 3 ? ` and ${code.length - 3} more` : ''} ${code.length === 1 ? 'holds' : 'hold'} code that was not read`,
})

const missingNotes = (missing: readonly string[], declared: readonly string[], code: readonly string[]): Text[] => [
  ...(missing.length ? [missingText(missing, declared)] : []),
  ...(code.length ? [hiddenText(code)] : []),
]
