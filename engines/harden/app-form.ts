import { AxmlEditor } from '../axml/axml-editor.ts'
import { ProtoXmlEditor } from '../bundle/proto-xml-editor.ts'
import type { AndroidPackage } from '../package/package.ts'
import { manifestVersions } from '../signing/manifest-versions.ts'
import type { ZipArchive } from '../zip/zip-facts.ts'
import type { DexModule } from './change-code.ts'
import type { HardenText } from './harden-texts.ts'
import type { HardenOption } from './hardening.ts'
import type { ManifestEditor } from './manifest-editor.ts'

/** Where an application keeps what options act on: as an APK, or as a bundle (AAB). */
export interface AppForm {
  /** Entries of manifests: that of the application, then those of other modules. */
  readonly manifests: readonly [string, ...string[]]
  openManifest(bytes: Uint8Array): ManifestEditor
  /** The base module first, even without code. */
  readonly modules: readonly [DexModule, ...DexModule[]]
  readonly minSdk: number
  /** Entry of the resource table. */
  readonly table: string
  /** Entry of the profile by which Android compiles code; it names methods by their number in the dex files that it was made for. */
  readonly profile: string
  /** What the store makes of a bundle ends these options, or is not known here. */
  readonly impossible: ReadonlyMap<HardenOption, HardenText>
}

/** Below, Android loads classes of the first dex file alone before the application's own code runs. */
export const LOADS_ALL_DEX = 21

export function appForm(source: AndroidPackage): AppForm {
  const { zip } = source.archives[0]!
  return source.kind === 'aab' ? bundleForm(source, zip) : apkForm(source, zip)
}

function apkForm({ facts }: AndroidPackage, zip: ZipArchive): AppForm {
  const nameOf = (number: number) => `classes${number > 1 ? number : ''}.dex`
  return {
    manifests: ['AndroidManifest.xml'],
    openManifest: (bytes) => new AxmlEditor(bytes),
    modules: [{ names: facts.dexEntries, nameOf, takesClasses: true }],
    minSdk: manifestVersions(zip)?.minSdk ?? 1,
    table: 'resources.arsc',
    profile: 'assets/dexopt/baseline.prof',
    impossible: new Map(),
  }
}

const MODULE_MANIFEST = /^([^/]+)\/manifest\/AndroidManifest\.xml$/
const BASE_MANIFEST = 'base/manifest/AndroidManifest.xml'

/** Options that nothing can be done for in a bundle, and why. */
const NOT_IN_BUNDLES: ReadonlyMap<HardenOption, HardenText> = new Map([
  ['dex_protection', 'the store signs the bundle again: the key follows from a certificate that is not known here'],
  ['signature_check', 'the store signs the bundle again: the certificate of the app is not that of the upload'],
  ['integrity_check', 'the store makes other APKs of the bundle: their files are not known here'],
  ['shell_protection', 'the store makes other APKs of the bundle: their files are not known here'],
  ['multi_channel', 'the store makes the packages that devices get: channels are written into APKs'],
  ['zip_check', 'the store makes other APKs of the bundle: devices never see its ZIP structure'],
  ['dex_vmp', 'the interpreter is not put into bundles by this version'],
  ['db_protection', 'preferences of bundles are not encrypted by this version'],
  ['resource_protection', 'files of bundles are not encrypted by this version'],
  ['cer_protection', 'files of bundles are not encrypted by this version'],
])

function bundleForm({ facts }: AndroidPackage, zip: ZipArchive): AppForm {
  const others = [...zip.byName.keys()].filter((name) => MODULE_MANIFEST.test(name) && name !== BASE_MANIFEST)
  const written = facts.minSdk?.value ?? '1'
  // A code name is that of a later version.
  const minSdk = /^\d+$/.test(written) ? Number(written) : LOADS_ALL_DEX
  // For these versions the store puts all code into dex files of its own making, and knows which classes must be in the first one.
  const takesClasses = minSdk >= LOADS_ALL_DEX || facts.dexEntries.length <= 1
  const module = (name: string): DexModule => ({
    names: facts.dexEntries.filter((entry) => entry.startsWith(`${name}/`)),
    nameOf: (number) => `${name}/dex/classes${number > 1 ? number : ''}.dex`,
    takesClasses,
  })
  const named = new Set(facts.dexEntries.map((entry) => entry.slice(0, entry.indexOf('/'))))
  named.delete('base')
  return {
    manifests: [BASE_MANIFEST, ...others],
    openManifest: (bytes) => new ProtoXmlEditor(bytes),
    modules: [module('base'), ...[...named].map(module)],
    minSdk,
    table: 'base/resources.pb',
    profile: 'BUNDLE-METADATA/com.android.tools.build.profiles/baseline.prof',
    impossible: NOT_IN_BUNDLES,
  }
}
