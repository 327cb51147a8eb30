import type { ApkFacts } from '../../apk/apk-facts.ts'
import type { ResourceTable } from '../../arsc/resource-table.ts'
import type { XmlElement } from '../../axml/read-axml.ts'
import type { Program } from '../../dex/program.ts'
import type { OwnerKind, PackageSummary, Text } from '../result/scan-result.ts'

/** A package of any kind as permissions, SDKs, privacy and content ask about it. */
export interface InspectedPackage {
  readonly kind: PackageSummary['kind']
  /** Null for kinds without manifest (jar, so, ipa). */
  readonly facts: ApkFacts | null
  readonly resources: ResourceTable | null
  /** All code; null if the package has no code or no readable code. */
  readonly program: Program | null
  readonly ios: IosCode | null
  readonly entries: readonly { readonly name: string; readonly size: number }[]
  /** Named packer: what the code says then is the packer's, not the application's. */
  readonly packer: Text | null
  /** Why the code is incomplete: then an absence in it proves nothing. Null where it is complete. */
  readonly codeGap: Text | null
  /** Content of an entry; null where it is missing, unreadable or above the limits. */
  read(entry: string): Uint8Array | null
  /** Root of a binary XML entry, null if absent. */
  xml(entry: string): XmlElement | null
  /** Whose a class is, by descriptor. */
  ownerOf(descriptor: string): Owner
}

export interface Owner {
  /** `own` and `sdk` (an SDK or any other library) only on evidence, else `unknown`. */
  readonly kind: OwnerKind
  /** Id of the SDK, or the package prefix of a library without signature. */
  readonly sdk: string | null
}

/** What an iOS application's binaries name, main executable and embedded frameworks together. */
export interface IosCode {
  /** Entry of the main executable: the location of what is found in it. */
  readonly executable: string
  readonly info: Readonly<Record<string, unknown>>
  /** Objective-C classes that are defined or referenced, without prefix. */
  readonly classes: ReadonlySet<string>
  readonly selectors: ReadonlySet<string>
  /** Imported symbols without the leading underscore. */
  readonly imports: ReadonlySet<string>
  /** Linked and embedded frameworks by name, without `.framework`. */
  readonly frameworks: ReadonlySet<string>
  /** FairPlay: nothing of the binary can be read. */
  readonly encrypted: boolean
}
