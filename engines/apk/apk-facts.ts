import type { ResourceTable } from '../arsc/resource-table.ts'
import type { XmlDocument, XmlElement } from '../axml/read-axml.ts'
import type { ResourceNote } from '../axml/resource-notes.ts'
import type { ZipArchive } from '../zip/zip-facts.ts'

/** Where a fact was read: an entry of the package, a byte offset in its content, and for XML the path of the element. */
export interface Evidence {
  readonly entry: string
  readonly offset: number
  readonly path?: string
}

export interface Fact<T> {
  readonly value: T
  readonly evidence: Evidence
}

export const COMPONENT_KINDS = ['activity', 'activity-alias', 'service', 'receiver', 'provider'] as const
export type ComponentKind = (typeof COMPONENT_KINDS)[number]

export interface IntentFilter {
  readonly actions: readonly string[]
  readonly categories: readonly string[]
  /** Of each <data>: what is written of scheme, host, port, path, pathPrefix, pathPattern, mimeType. */
  readonly data: readonly Readonly<Record<string, string>>[]
  readonly autoVerify: boolean
  readonly evidence: Evidence
}

export interface MetaData {
  readonly name: string
  /** Of `value` or `resource`, references resolved where the table has them. */
  readonly value: string
  readonly evidence: Evidence
}

export interface Component {
  readonly kind: ComponentKind
  /** Full class name; '' where none is written. */
  readonly name: string
  readonly enabled: boolean
  /** As a device takes it: what is written, else by intent filters, for providers by the target SDK (below 17). */
  readonly exported: boolean
  readonly exportedWritten: boolean
  readonly permission: string | null
  /** Providers: own permissions for reading and writing. */
  readonly readPermission: string | null
  readonly writePermission: string | null
  readonly authorities: readonly string[]
  readonly grantUriPermissions: boolean
  readonly targetActivity: string | null
  readonly process: string | null
  readonly intentFilters: readonly IntentFilter[]
  readonly metaData: readonly MetaData[]
  /** For whatever else is written there. */
  readonly element: XmlElement
  readonly evidence: Evidence
}

export interface UsedPermission {
  readonly name: string
  /** 23 where it is asked for by <uses-permission-sdk-23>, else null. */
  readonly fromSdk: number | null
  readonly maxSdkVersion: number | null
  /** Why Android grants it though it is not written, else null. */
  readonly impliedBy: string | null
  readonly evidence: Evidence
}

export interface DefinedPermission {
  readonly name: string
  /** `signature|privileged`; 'normal' where none is written. */
  readonly protectionLevel: string
  readonly evidence: Evidence
}

export interface UsedFeature {
  /** Empty for a mere OpenGL version. */
  readonly name: string
  readonly required: boolean
  readonly glEsVersion: string | null
  readonly evidence: Evidence
}

export interface Icon {
  /** Entry of the package. */
  readonly path: string
  /** Dots per inch, 0 for the default, 0xfffe for any. */
  readonly density: number
  readonly attribute: 'icon' | 'roundIcon' | 'logo' | 'banner'
}

export interface NativeLibrary {
  readonly abi: string
  /** File name. */
  readonly name: string
  readonly entry: string
}

export interface ApkNote {
  readonly key:
    | 'resources-unreadable'
    | 'manifest-root'
    | 'several-applications'
    | 'attribute-without-id'
    | 'component-without-name'
    | 'component-limit'
  readonly evidence: Evidence
  readonly detail: string
}

/** What an APK says of itself. Null is 'not written'. */
export interface ApkFacts {
  readonly package: Fact<string> | null
  readonly versionCode: Fact<string> | null
  /** Upper 32 bits of the version code, which platforms from 28 on know. */
  readonly versionCodeMajor: Fact<number> | null
  readonly versionName: Fact<string> | null
  /** API levels as written: digits, or the code name of an unfinished platform. */
  readonly minSdk: Fact<string> | null
  readonly targetSdk: Fact<string> | null
  readonly maxSdk: Fact<string> | null
  /** What Android works with: 1 where nothing is written, 10000 for a code name. */
  readonly effectiveTargetSdk: number
  readonly sharedUserId: Fact<string> | null
  readonly label: Fact<string> | null
  /** Densest first. */
  readonly icons: readonly Icon[]
  readonly applicationClass: Fact<string> | null
  readonly launchableActivity: Fact<string> | null
  readonly permissions: readonly UsedPermission[]
  readonly definedPermissions: readonly DefinedPermission[]
  readonly features: readonly UsedFeature[]
  readonly libraries: readonly Fact<string>[]
  readonly components: readonly Component[]
  readonly debuggable: Fact<boolean> | null
  readonly testOnly: Fact<boolean> | null
  readonly allowBackup: Fact<boolean> | null
  readonly usesCleartextTraffic: Fact<boolean> | null
  readonly extractNativeLibs: Fact<boolean> | null
  readonly requestLegacyExternalStorage: Fact<boolean> | null
  /** Entry of the package that holds it, or the reference where that is unknown. */
  readonly networkSecurityConfig: Fact<string> | null
  readonly metaData: readonly MetaData[]
  readonly split: Fact<string> | null
  readonly configForSplit: Fact<string> | null
  readonly isFeatureSplit: Fact<boolean> | null
  readonly isSplitRequired: Fact<boolean> | null
  readonly abis: readonly string[]
  readonly nativeLibraries: readonly NativeLibrary[]
  /** classes.dex, classes2.dex … in the order of loading; what follows a gap is not loaded. */
  readonly dexEntries: readonly string[]
  readonly notes: readonly ApkNote[]
}

export interface Apk {
  readonly zip: ZipArchive
  readonly manifest: XmlDocument
  /** Undefined where the package has none, or an unreadable one (noted). */
  readonly resources?: ResourceTable
  readonly resourceNotes: readonly ResourceNote[]
  readonly facts: ApkFacts
}
