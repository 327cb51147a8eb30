import { createHash } from 'node:crypto'
import { readAxml, type XmlElement } from '../axml/read-axml.ts'
import { VALUE } from '../axml/typed-value.ts'
import { FormatError } from '../bytes/format-error.ts'
import { gatherFileSigns } from '../detect/sdks/file-signs.ts'
import { readElf } from '../elf/read-elf.ts'
import type { Package, PackageFile } from '../package/package.ts'
import { allFiles, fileNamed } from '../package/package-files.ts'
import { PACKAGE_LIMITS } from '../package/package-limits.ts'
import type { FilePrint, NativePrint, PrintGap, PrintLimits } from './package-print.ts'

/** Files of a signature, of a source stamp, and what tools write beside them. */
const OF_SIGNATURE =
  /^META-INF\/(?:MANIFEST\.MF|[^/]+\.(?:SF|RSA|DSA|EC))$|^stamp-cert-sha256$|\/_CodeSignature\/|\.app\/embedded\.mobileprovision$/i
const CODE = /(?:^|\/)classes\d*\.dex$/
/** Resources that the support libraries, Material and Google's libraries bring along, by name; and files that builds write. */
const COMMON_NAME =
  /(?:^|\/)(?:abc_|design_|mtrl_|m3_|material_|notification_|notify_panel|compat_|tooltip_|common_google_|common_full_open|googleg_|preference_|exo_|btn_(?:checkbox|radio)|ic_mtrl_|com_facebook_|fragment_|select_dialog_|support_simple|custom_dialog|leak_canary_|browser_actions)|^META-INF\/|^kotlin\/|\.kotlin_(?:module|builtins|metadata)$|\.properties$|^(?:okhttp3|org|com|net|google|lib|firebase-|play-services-)[/\w.-]*\.(?:proto|txt|properties|gz)$|^assets\/dexopt\/|^DebugProbesKt\.bin$|^resources\.arsc$|^AndroidManifest\.xml$/
/** Runtimes and frameworks that many applications carry unchanged. */
const COMMON_LIBRARY =
  /^lib(?:c\+\+_shared|gnustl_shared|stlport_shared|flutter|hermes|jsc|reactnative\w*|fbjni|fb|folly\w*|glog\w*|yoga|v8\w*|unity|main|il2cpp|monosgen\w*|monodroid|mono-\w+|xamarin-\w+|crashlytics\w*|sqlcipher|realm-jni|gdx\w*|cocos2d\w*|godot_android|node|qt\w*|avcodec\w*|avformat\w*|avutil\w*|swresample\w*|swscale\w*|ijk\w*|mmkv|weex\w*|BaiduMapSDK\w*|AMapSDK\w*|tpush|pl_droidsonroids_gif|conscrypt\w*|imagepipeline|static-webp|native-imagetranscoder|opencv_java\w*)\.so$/i

export interface PrintedFiles {
  readonly files: readonly FilePrint[]
  readonly natives: readonly NativePrint[]
  /** SHA-256 over all but the signature. */
  readonly content: string
  readonly gaps: readonly PrintGap[]
}

/** Prints of the files of a package; those of known SDKs and of common libraries are marked. */
export function filePrints(source: Package, limits: PrintLimits): PrintedFiles {
  const gaps = new Set<PrintGap>()
  const all = [...allFiles(source, PACKAGE_LIMITS.zip)]
  const ofSdks = new Set<string>()
  gatherFileSigns(
    all.map(({ entry }) => ({ name: entry })),
    (_, { location }) => void (location?.entry && ofSdks.add(location.entry)),
  )
  const natives = nativePrints(source, ofSdks, gaps)
  const nativeEntries = new Set(source.native.map(({ entry }) => entry))
  const files: FilePrint[] = []
  const contents: string[] = []
  for (const file of all) {
    const { entry } = file
    if (OF_SIGNATURE.test(entry)) continue
    const bytes = bytesOf(file)
    // An empty file in META-INF is how channels mark their packages.
    if (bytes?.length === 0 && entry.startsWith('META-INF/')) continue
    contents.push(`${entry} ${bytes ? createHash('sha256').update(bytes).digest('hex') : `unreadable ${file.size}`}`)
    if (!bytes) gaps.add('files')
    if (!bytes || CODE.test(entry) || nativeEntries.has(entry)) continue
    if (files.length >= limits.files) {
      gaps.add('files')
      continue
    }
    files.push({
      name: entry,
      hash: contentHash(entry, bytes, limits),
      common: COMMON_NAME.test(entry) || ofSdks.has(entry),
    })
  }
  const content = createHash('sha256').update(contents.sort().join('\n')).digest('hex')
  return { files: files.sort((a, b) => (a.name < b.name ? -1 : 1)), natives, content, gaps: [...gaps] }
}

function nativePrints(source: Package, ofSdks: ReadonlySet<string>, gaps: Set<PrintGap>): NativePrint[] {
  if (source.kind === 'ipa')
    return source.facts.binaries.map(({ entry, name, role, macho }) => {
      const file = fileNamed(source, entry, PACKAGE_LIMITS.zip)
      return {
        name,
        abi: '',
        buildId: macho.images.find(({ uuid }) => uuid)?.uuid ?? null,
        hash: shortHash((file && bytesOf(file)) ?? entry),
        common: role !== 'main' && role !== 'extension',
      }
    })
  return source.native.flatMap((file) => {
    const bytes = bytesOf(file)
    if (!bytes) {
      gaps.add('native')
      return []
    }
    const common = COMMON_LIBRARY.test(file.name) || ofSdks.has(file.entry)
    return { name: file.name, abi: file.abi, buildId: buildId(bytes), hash: shortHash(bytes), common }
  })
}

function buildId(bytes: Uint8Array): string | null {
  try {
    return readElf(bytes).buildId?.value ?? null
  } catch (error) {
    if (error instanceof FormatError) return null
    throw error
  }
}

function bytesOf(file: PackageFile): Uint8Array | null {
  try {
    return file.bytes
  } catch (error) {
    if (error instanceof FormatError) return null
    throw error
  }
}

const shortHash = (content: Uint8Array | string): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 16)

/** Binary XML by what it says: rebuilding gives it other bytes and other resource ids. */
function contentHash(entry: string, bytes: Uint8Array, limits: PrintLimits): string {
  if (!entry.endsWith('.xml') || !entry.includes('res/') || bytes.length > limits.xmlSize) return shortHash(bytes)
  try {
    const hash = createHash('sha256')
    const add = ({ name, attributes, texts, children }: XmlElement) => {
      const said = attributes.map((one) => {
        const { type, data, text } = one.value
        const isId = type === VALUE.reference && data >>> 24 === 0x7f
        return `${one.name || one.resourceId}=${text ?? (isId ? 'id' : `${type}:${data}`)}`
      })
      hash.update(`<${name} ${said.sort().join(' ')}>${texts.join('')}`)
      for (const child of children) add(child)
      hash.update('>')
    }
    add(readAxml(bytes).root)
    return hash.digest('hex').slice(0, 16)
  } catch (error) {
    if (error instanceof FormatError) return shortHash(bytes)
    throw error
  }
}
