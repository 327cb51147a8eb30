import type { ApkFacts } from '../apk/apk-facts.ts'
import type { ResourceTable } from '../arsc/resource-table.ts'
import type { XmlDocument } from '../axml/read-axml.ts'
import type { IpaFacts } from '../ipa/ipa-facts.ts'
import type { ZipArchive } from '../zip/zip-facts.ts'

/** A package of any kind that can be uploaded; `kind` says which facts it has. */
export type Package = AndroidPackage | JarPackage | NativePackage | IosPackage

interface PackageParts {
  /** File name as uploaded. */
  readonly name: string
  readonly bytes: Uint8Array
  /** The package itself and the archives inside of it whose content counts as its own; empty for a bare library. */
  readonly archives: readonly PackageArchive[]
  /** Code for `readProgram`: dex files in the order of loading, class files of a JAR or AAR. */
  readonly code: readonly PackageFile[]
  /** Native libraries for `readElf`. */
  readonly native: readonly NativeFile[]
  /** What could not be read, each named; the rest of the package is there. */
  readonly notes: readonly PackageNote[]
}

/** APK, bundle (AAB), set of splits (APKS, XAPK) or library (AAR): all say the same facts in one shape. */
export interface AndroidPackage extends PackageParts {
  readonly kind: 'apk' | 'aab' | 'apks' | 'aar'
  readonly platform: 'android'
  readonly facts: ApkFacts
  /** Of the base module; attribute values of text manifests and bundles in the same form as of binary ones. */
  readonly manifest: XmlDocument
  readonly resources?: ResourceTable
}

export interface JarPackage extends PackageParts {
  readonly kind: 'jar'
  readonly platform: 'android'
}

/** A shared library alone. */
export interface NativePackage extends PackageParts {
  readonly kind: 'so'
  readonly platform: 'android'
}

export interface IosPackage extends PackageParts {
  readonly kind: 'ipa'
  readonly platform: 'ios'
  readonly facts: IpaFacts
}

export interface PackageArchive {
  /** Goes before the names of its entries: '' for the package itself, `base.apk!/` for one inside of it. */
  readonly prefix: string
  readonly zip: ZipArchive
}

export interface PackageFile {
  /** Name within the package: `classes.dex`, `base.apk!/classes.dex`, `classes.jar!/com/example/A.class`. */
  readonly entry: string
  /** Unpacked, as declared. */
  readonly size: number
  /** Unpacked again at each access, so that no one pays for what no one reads. Throws FormatError of format `zip`. */
  readonly bytes: Uint8Array
}

export interface NativeFile extends PackageFile {
  /** Folder it lies in; '' for a library alone, whose header says it. */
  readonly abi: string
  readonly name: string
}

export interface PackageNote {
  readonly key: 'part-unreadable' | 'parts-left-out'
  readonly entry: string
  readonly detail: string
}
