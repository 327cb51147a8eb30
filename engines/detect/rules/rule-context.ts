import type { XmlElement } from '../../axml/read-axml.ts'
import type { ElfFacts } from '../../elf/elf-facts.ts'
import type { ElfText } from '../../elf/elf-texts.ts'
import type { PackageSignature } from '../../package/package-signature.ts'
import type { ApkVerification } from '../../signing/verify-apk.ts'
import type { Certificate } from '../../x509/certificate.ts'
import type { ZipArchive } from '../../zip/zip-facts.ts'
import type { InspectedPackage } from '../input/inspected-package.ts'
import type { Access } from '../permissions/collecting-apis.ts'
import type { Dependency, PermissionResult, SdkResult } from '../result/scan-result.ts'
import type { PackageTexts } from './package-texts.ts'

/** One Android package as rules ask about it. */
export interface RuleContext extends InspectedPackage {
  readonly manifest: XmlElement | null
  /** Lowest and intended Android version; above any where nothing is said (libraries). */
  readonly minSdk: number
  readonly targetSdk: number
  readonly natives: readonly NativeCode[]
  /** Of any kind of package. */
  readonly signature: PackageSignature
  /** What Android says of an APK; null for other packages. */
  readonly signing: ApkVerification | null
  /** Of the signers of every scheme, each once. */
  readonly certificates: readonly Certificate[]
  /** The package itself, null for a bare library. */
  readonly zip: ZipArchive | null
  /** Strings of code, resources, text files and libraries that rules may want to look at. */
  readonly texts: PackageTexts
  readonly ownPrefixes: readonly string[]
  /** Share of own classes with shortened names. */
  readonly obfuscated: number
  /** Keys of contracts/detection/kinds.ts; several add up. */
  readonly applicationTypes: readonly string[]
  /** Day of the scan in milliseconds since 1970; null where time shall not count. */
  readonly date: number | null
  /** SHA-256 digests of signers that the asset is known by; null where it has no baseline. */
  readonly baselineSigners: readonly string[] | null
  /** Text of the privacy policy, null where none was given. */
  readonly policyText: string | null
  readonly sdks: readonly SdkResult[]
  readonly dependencies: readonly Dependency[]
  readonly permissions: readonly PermissionResult[]
  /** Where code takes personal information, found when first asked; nothing where a packer hides the code. */
  accesses(): readonly Access[]
  /** `id/password` of a resource. */
  resourceName(id: number): string | undefined
}

/** A native library: its facts, null where it cannot be read. */
export interface NativeCode {
  readonly entry: string
  readonly name: string
  readonly abi: string
  readonly size: number
  readonly elf: ElfFacts | null
  /** Whether one of another ABI with the same name represents it in rules that ask each library once. */
  readonly repeated: boolean
  /** Texts of its constants that some rule may want to look at. */
  readonly texts: readonly ElfText[]
  readonly codeSize: number
  /** Of the code in bits a byte; null where there is no code section. */
  readonly codeEntropy: number | null
}
