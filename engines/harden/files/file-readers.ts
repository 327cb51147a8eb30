import type { CallSite, Program, Value } from '../../dex/program.ts'
import type { AndroidPackage } from '../../package/package.ts'
import { entryBytes, entryHead } from '../../zip/entry-bytes.ts'
import type { ZipArchive } from '../../zip/zip-facts.ts'
import type { HardenText } from '../harden-texts.ts'
import type { FileRule, PackageFile, SkipReason } from './file-rule.ts'
import { ASSETS, RESOURCES } from './redirect-opens.ts'
import { webReader } from './web-pages.ts'

interface Given {
  readonly source: AndroidPackage
  readonly zip: ZipArchive
  readonly program: Program
  readonly keeps: (descriptor: string) => boolean
}

const reason = (text: HardenText, detail = ''): SkipReason => ({ text, detail })
const always = (found: SkipReason): FileRule[] => [() => found]

/**
 * Everything that may read files of the package, or name them, otherwise than by a call that is redirected. Where the file is not known, all files
 * that it may be stay as they are.
 */
export function otherReaders(given: Given): readonly FileRule[] {
  const texts = textsOf(given.program)
  return [
    ...unreadKinds(given),
    ...nativeReaders(given),
    ...codeReaders(given, texts),
    ...keptReaders(given),
    ...archiveReaders(given, texts),
    ...describedReaders(given),
    ...resourceReaders(given, texts),
    webReader(given.zip, texts.has('android_asset') || given.program.classOf(ASSET_LOADER) !== undefined),
  ]
}

/** What no call of the package opens is read by something else, or not at all. */
function unreadKinds({ program }: Given): FileRule[] {
  const kinds = [
    ['asset', `${ASSETS}->open(`],
    ['resource', `${RESOURCES}->openRawResource(`],
  ] as const
  return kinds.flatMap(([kind, pattern]): FileRule[] =>
    program.callsTo(pattern).length
      ? []
      : [(file) => (file.kind === kind ? reason('no call of the package opens such files') : undefined)],
  )
}

// ---- native code

/** By which native code reaches files of the package: the interface of Android, Java's, and the package file itself. */
const NATIVE_NAMES = ['AAssetManager', 'android/content/res/AssetManager', 'openRawResource', 'assets/']
/** Reads below its own folder alone, and so does the code of the app that it runs. */
const FLUTTER = /\/lib(?:flutter|app)\.so$/

function nativeReaders({ source, zip }: Given): FileRule[] {
  const flutter = source.native.some(({ name }) => name === 'libflutter.so')
  const rules: FileRule[] = flutter
    ? [({ name }) => (name.startsWith('flutter_assets/') ? reason('{detail} reads it itself', 'Flutter') : undefined)]
    : []
  for (const entry of zip.entries) {
    if (entry.isDirectory || (flutter && FLUTTER.test(entry.name))) continue
    if (!isElf(entryHead(zip, entry, 4))) continue
    const bytes = Buffer.from(entryBytes(zip, entry))
    if (NATIVE_NAMES.some((name) => bytes.includes(name)))
      return always(reason('native code may read it ({detail})', entry.name))
  }
  return rules
}

const isElf = (head: Uint8Array): boolean => Buffer.compare(head.subarray(0, 4), Buffer.from('\x7fELF')) === 0

// ---- code

/** Texts that say how files are read, by what is looked for in them, with the classes that load them. */
type Texts = ReadonlyMap<string, readonly { readonly value: string; readonly owners: readonly string[] }[]>
/** Serves assets to web views. */
const ASSET_LOADER = 'Landroidx/webkit/WebViewAssetLoader;'
const LOOKED_FOR = ['android_asset', 'assets/', 'android.content.res.AssetManager', 'android.resource://']

function textsOf(program: Program): Texts {
  const found = new Map<string, { value: string; owners: string[] }[]>()
  for (const constant of program.stringConstants())
    for (const part of LOOKED_FOR)
      if (constant.value.includes(part)) {
        // Locations are looked for when they are asked for.
        const owners = constant.locations.map(({ method }) => method.owner)
        found.set(part, [...(found.get(part) ?? []), { value: constant.value, owners }])
      }
  return found
}

const LOADERS = [
  ...['DexClassLoader', 'PathClassLoader', 'InMemoryDexClassLoader', 'DelegateLastClassLoader'].map(
    (name) => `Ldalvik/system/${name};-><init>(`,
  ),
  ...['loadDex(', '<init>('].map((method) => `Ldalvik/system/DexFile;->${method}`),
]
/** They load code of the package itself, or that of Google Play services, which opens files of its own; or are a copy of a loader, whose calls count. */
const LOADS_KNOWN =
  /^L(?:(?:androidx|android\/support)\/(?:multidex|test)|com\/google\/android\/gms\/dynamite|dalvik\/system)\//
const NATIVE = 0x100
const OPENING = /^open/

/** A call that loads code which is not in the package, or not seen in it. */
export const loadedCode = (program: Program): CallSite | undefined =>
  callsTo(program, LOADERS).find(({ method }) => !LOADS_KNOWN.test(method.owner))

function codeReaders({ program }: Given, texts: Texts): FileRule[] {
  const loading = loadedCode(program)
  if (loading) return always(reason('code that {detail} loads may open it', loading.method.owner))
  const [named] = texts.get('android.content.res.AssetManager') ?? []
  if (named) return always(reason('{detail} may open it by reflection', named.owners[0] ?? ''))
  for (const call of callsTo(
    program,
    ['getMethod(', 'getDeclaredMethod('].map((name) => `Ljava/lang/Class;->${name}`),
  )) {
    const isAsked = program
      .possibleArguments(call, 0)
      .some((value) => value.kind === 'class' && [ASSETS, RESOURCES].includes(value.descriptor))
    const mayOpen = program
      .possibleArguments(call, 1)
      .some((value) => value.kind !== 'string' || OPENING.test(value.value))
    if (isAsked && mayOpen) return always(reason('{detail} may open it by reflection', call.method.owner))
  }
  const [cast] = program.typeUses('Landroid/content/res/AssetManager$AssetInputStream;')
  if (cast) return always(reason('{detail} needs the stream of Android itself', cast.method.owner))
  for (const one of program.classes())
    for (const { accessFlags, parameters, reference } of one.methods)
      if (accessFlags & NATIVE && parameters.some((type) => type === ASSETS || type === RESOURCES))
        return always(reason('native code may read it ({detail})', reference))
  return []
}

const callsTo = (program: Program, patterns: readonly string[]): CallSite[] =>
  patterns.flatMap((pattern) => [...program.callsTo(pattern)])

/** Classes that rules keep are not changed, so that their calls give what is in the package. */
function keptReaders({ program, keeps }: Given): FileRule[] {
  const kept = (pattern: string) => program.callsTo(pattern).filter(({ method }) => keeps(method.owner))
  const text = 'it is opened by {detail}, which a rule keeps'
  return [
    ...kept(`${ASSETS}->open(`).map((call) => ofCall(program, call, 1, 'asset', text)),
    ...kept(`${RESOURCES}->openRawResource(`).map((call) => ofCall(program, call, 1, 'resource', text)),
  ]
}

/** The rule of a call that reads files itself: those that its parameter names, or all of the kind where that is not decided. */
function ofCall(
  program: Program,
  call: CallSite,
  parameter: number,
  kind: PackageFile['kind'],
  text: HardenText,
  isMeant: (file: PackageFile) => boolean = () => true,
): FileRule {
  const values = program.possibleArguments(call, parameter)
  const names = new Set(values.map(nameOf))
  const found = reason(text, call.method.owner)
  return (file) =>
    file.kind === kind && isMeant(file) && (names.has(undefined) || names.has(file.name)) ? found : undefined
}

function nameOf(value: Value): string | undefined {
  if (value.kind === 'string') return value.value
  return value.kind === 'number' ? Number(value.value).toString(16) : undefined
}

// ---- the package file

const ARCHIVES = [
  ...['ZipFile', 'ZipInputStream'].map((name) => `Ljava/util/zip/${name};-><init>(`),
  ...['JarFile', 'JarInputStream'].map((name) => `Ljava/util/jar/${name};-><init>(`),
  ...['getResource', 'getResourceAsStream'].flatMap((name) =>
    ['Ljava/lang/Class;', 'Ljava/lang/ClassLoader;'].map((owner) => `${owner}->${name}(`),
  ),
]

/** Code that opens archives, or entries of the package, and knows where assets lie in them. */
function archiveReaders({ program }: Given, texts: Texts): FileRule[] {
  const outer = (descriptor: string) => descriptor.replace(/[$;].*$/s, '')
  const readers = new Set(callsTo(program, ARCHIVES).map(({ method }) => outer(method.owner)))
  return (texts.get('assets/') ?? []).flatMap(({ value, owners }): FileRule[] => {
    const owner = owners.find((one) => readers.has(outer(one)))
    if (owner === undefined) return []
    const path = value.slice(value.indexOf('assets/'))
    return [
      ({ entry }) => (entry.name.startsWith(path) ? reason('{detail} may read it as an entry', owner) : undefined),
    ]
  })
}

// ---- what only Android can open

const FONT = /\.(?:ttf|otf|ttc|otc)$/i
const FONT_HEADS = ['\0\x01\0\0', 'OTTO', 'ttcf', 'true'].map((head) => Buffer.from(head, 'latin1'))
const isFont = ({ entry, content }: PackageFile): boolean =>
  FONT.test(entry.name) || FONT_HEADS.some((head) => Buffer.compare(content.subarray(0, 4), head) === 0)
const isStored = ({ entry }: PackageFile): boolean => entry.method === 0

/** Calls that take a description of the file, or open it in Android itself. Compressed files have no description. */
function describedReaders({ program }: Given): FileRule[] {
  const rules = (patterns: readonly string[], parameter: number, isMeant: (file: PackageFile) => boolean) =>
    callsTo(program, patterns).map((call) =>
      ofCall(program, call, parameter, 'asset', 'it is opened by {detail} in another way', isMeant),
    )
  return [
    (file) => (isFont(file) ? reason('a font, which Android reads itself') : undefined),
    ({ entry }) =>
      entry.name.startsWith('assets/dexopt/') ? reason('{detail} reads it itself', 'Android') : undefined,
    ...rules([`${ASSETS}->openFd(`], 1, isStored),
    // Its path begins with the folder of the package.
    ...(callsTo(program, [`${ASSETS}->openNonAssetFd(`, `${RESOURCES}->openRawResourceFd(`, ...FILE_SOUNDS]).length
      ? [
          (file: PackageFile) =>
            isStored(file) ? reason('not compressed, so that Android may read it itself') : undefined,
        ]
      : []),
    ...rules(['Landroid/graphics/ImageDecoder;->createSource(Landroid/content/res/AssetManager;'], 2, () => true),
    ...rules(['Landroid/graphics/Typeface;->createFromAsset('], 2, () => true),
    ...rules(
      ['Landroid/graphics/Typeface$Builder;', 'Landroid/graphics/fonts/Font$Builder;'].map(
        (owner) => `${owner}-><init>(Landroid/content/res/AssetManager;`,
      ),
      2,
      () => true,
    ),
  ]
}
/** They open the description of a resource. */
const FILE_SOUNDS = [
  'Landroid/media/MediaPlayer;->create(',
  'Landroid/media/SoundPool;->load(Landroid/content/Context;',
]

// ---- resources

/** What Android draws, plays or parses where a resource of any type is named. */
const SHOWN = /\.(?:png|jpe?g|gif|webp|avif|bmp|svg|mp3|mp4|m4a|aac|ogg|oga|wav|flac|mid|midi|3gp|webm|mkv|xml)$/i

function resourceReaders({ zip }: Given, texts: Texts): FileRule[] {
  const [address] = texts.get('android.resource://') ?? []
  const forms = formsOf(zip)
  return [
    (file) => {
      if (file.kind !== 'resource') return undefined
      if (address) return reason('{detail} names resources by address', address.owners[0] ?? '')
      if (SHOWN.test(file.entry.name)) return reason('Android may show or play the resource itself')
      const number = Buffer.alloc(4)
      number.writeUInt32LE(Number.parseInt(file.name, 16))
      const form = forms.find(({ bytes }) => bytes.includes(number))
      return form && reason('{detail} names the resource', form.name)
    },
  ]
}

/** Binary XML files and the table: Android opens what they name. */
function formsOf(zip: ZipArchive): { readonly name: string; readonly bytes: Buffer }[] {
  return zip.entries
    .filter((entry) => {
      if (entry.isDirectory) return false
      if (entry.name === 'resources.arsc' || entry.name === 'AndroidManifest.xml') return true
      return entry.name.startsWith('res/') && Buffer.compare(entryHead(zip, entry, 4), Buffer.from([3, 0, 8, 0])) === 0
    })
    .map((entry) => ({ name: entry.name, bytes: Buffer.from(entryBytes(zip, entry)) }))
}
