import type { ResourceTable } from '../arsc/resource-table.ts'
import type { XmlElement } from '../axml/read-axml.ts'
import type { ApkFacts, ApkNote, Component, Fact, UsedFeature } from './apk-facts.ts'
import { fullClassName, readComponents, readMetaData } from './components.ts'
import { readIcons } from './icons.ts'
import { ManifestReader } from './manifest-reader.ts'
import type { PackageLayout } from './package-files.ts'
import { readDefinedPermissions, readPermissions } from './permissions.ts'

/** API level that Android gives to a code name: newer than any. */
const CODE_NAME = 10_000

/** The facts of a package from its manifest, its table and where its files lie. */
export function readFacts(
  layout: PackageLayout,
  manifest: XmlElement,
  resources: ResourceTable | undefined,
  notes: ApkNote[],
): ApkFacts {
  const reader = new ManifestReader(manifest, resources, layout.manifestEntry)
  if (manifest.name !== 'manifest')
    notes.push({ key: 'manifest-root', evidence: reader.evidence(manifest), detail: `root is <${manifest.name}>` })
  const children = (name: string) => manifest.children.filter((child) => child.name === name)
  const [application, second] = children('application')
  if (second)
    notes.push({ key: 'several-applications', evidence: reader.evidence(second), detail: 'a second <application>' })
  const packageName = reader.plain(manifest, 'package')
  const sdk = readSdk(reader, children('uses-sdk'))
  const owner = packageName?.value ?? ''
  const components = application ? readComponents(reader, application, owner, sdk.effectiveTargetSdk) : []
  const applicationClass = reader.text(application, 'name')
  return {
    package: packageName,
    versionCode: reader.text(manifest, 'versionCode'),
    versionCodeMajor: reader.number(manifest, 'versionCodeMajor'),
    versionName: reader.text(manifest, 'versionName'),
    ...sdk,
    sharedUserId: reader.text(manifest, 'sharedUserId'),
    label: reader.text(application, 'label'),
    icons: readIcons(reader, application, layout),
    applicationClass: applicationClass && {
      ...applicationClass,
      value: fullClassName(applicationClass.value, owner),
    },
    launchableActivity: launchable(components),
    permissions: readPermissions(reader, manifest, sdk.effectiveTargetSdk),
    definedPermissions: readDefinedPermissions(reader, manifest),
    features: children('uses-feature').map((element) => readFeature(reader, element)),
    libraries: (application?.children ?? [])
      .filter((child) => child.name === 'uses-library')
      .flatMap((element) => reader.text(element, 'name') ?? []),
    components,
    debuggable: reader.boolean(application, 'debuggable'),
    testOnly: reader.boolean(application, 'testOnly'),
    allowBackup: reader.boolean(application, 'allowBackup'),
    usesCleartextTraffic: reader.boolean(application, 'usesCleartextTraffic'),
    extractNativeLibs: reader.boolean(application, 'extractNativeLibs'),
    requestLegacyExternalStorage: reader.boolean(application, 'requestLegacyExternalStorage'),
    networkSecurityConfig: fileFact(reader.text(application, 'networkSecurityConfig'), layout),
    metaData: application ? readMetaData(reader, application) : [],
    split: reader.plain(manifest, 'split'),
    configForSplit: reader.plain(manifest, 'configForSplit'),
    isFeatureSplit: reader.boolean(manifest, 'isFeatureSplit'),
    isSplitRequired: reader.boolean(manifest, 'isSplitRequired'),
    abis: [...new Set(layout.nativeLibraries.map((library) => library.abi))].sort(),
    nativeLibraries: layout.nativeLibraries,
    dexEntries: layout.dexEntries,
    notes: [...notes, ...reader.notes],
  }
}

/** The entry where a file lies that a resource names; the name itself where it is not there. */
function fileFact(fact: Fact<string> | null, { fileOf }: PackageLayout): Fact<string> | null {
  return fact && { ...fact, value: fileOf(fact.value) ?? fact.value }
}

function readSdk(reader: ManifestReader, elements: readonly XmlElement[]) {
  // Of several <uses-sdk> the last that says it counts, as each overwrites the one before.
  const last = (name: 'minSdkVersion' | 'targetSdkVersion' | 'maxSdkVersion') =>
    elements.reduce<Fact<string> | null>((before, element) => reader.text(element, name) ?? before, null)
  const minSdk = last('minSdkVersion')
  const targetSdk = last('targetSdkVersion')
  const level = (fact: Fact<string> | null) =>
    !fact ? undefined : /^\d+$/.test(fact.value) ? Number(fact.value) : CODE_NAME
  return {
    minSdk,
    targetSdk,
    maxSdk: last('maxSdkVersion'),
    effectiveTargetSdk: level(targetSdk) ?? level(minSdk) ?? 1,
  }
}

function readFeature(reader: ManifestReader, element: XmlElement): UsedFeature {
  return {
    name: reader.text(element, 'name')?.value ?? '',
    required: reader.boolean(element, 'required')?.value ?? true,
    glEsVersion: reader.text(element, 'glEsVersion')?.value ?? null,
    evidence: reader.evidence(element),
  }
}

/** What the launcher shows first: an activity before an alias of one. */
function launchable(components: readonly Component[]): Fact<string> | null {
  const shown = components.filter(
    ({ kind, intentFilters }) =>
      (kind === 'activity' || kind === 'activity-alias') &&
      intentFilters.some(
        ({ actions, categories }) =>
          actions.includes('android.intent.action.MAIN') && categories.includes('android.intent.category.LAUNCHER'),
      ),
  )
  const first = shown.find(({ kind }) => kind === 'activity') ?? shown[0]
  return first ? { value: first.name, evidence: first.evidence } : null
}
