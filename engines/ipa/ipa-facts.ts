import type { Evidence, Fact } from '../apk/apk-facts.ts'
import type { Macho } from '../macho/macho-facts.ts'
import type { PlistNode } from '../plist/plist-node.ts'
import type { ZipArchive } from '../zip/zip-facts.ts'
import type { Provision } from './provision.ts'

/** A property list of the package and the entry that holds it. */
export interface PlistFile {
  readonly entry: string
  readonly node: PlistNode
}

export interface IpaIcon {
  /** Entry of the package. */
  readonly path: string
  readonly width: number
  readonly height: number
  /** Apple's own form of PNG, which other viewers cannot show. */
  readonly cgbi: boolean
}

export interface IpaBinary {
  readonly entry: string
  readonly role: 'main' | 'framework' | 'dylib' | 'extension' | 'watch'
  /** Of its bundle, else of its file, without ending. */
  readonly name: string
  /** Of its bundle, where it has one. */
  readonly info: PlistFile | null
  readonly macho: Macho
  /** FairPlay: the store has encrypted it, its code and texts cannot be read. */
  readonly encrypted: boolean
}

export interface UsageDescription {
  /** `NSCameraUsageDescription` */
  readonly key: string
  readonly text: string
  readonly evidence: Evidence
}

export interface IpaNote {
  readonly key:
    | 'payload-place'
    | 'several-apps'
    | 'no-executable'
    | 'binary-unreadable'
    | 'provision-unreadable'
    | 'plist-unreadable'
    | 'binary-limit'
  readonly entry: string
  readonly detail: string
}

/** What an iOS package says of itself. Null is 'not written'. */
export interface IpaFacts {
  /** `Payload/Some.app/` */
  readonly app: string
  readonly info: PlistFile
  readonly bundleId: Fact<string> | null
  readonly name: Fact<string> | null
  readonly displayName: Fact<string> | null
  readonly version: Fact<string> | null
  readonly build: Fact<string> | null
  readonly minOs: Fact<string> | null
  /** With which the application was built: `iphoneos17.0`. */
  readonly sdk: Fact<string> | null
  /** 1 phone, 2 tablet. */
  readonly deviceFamilies: readonly number[]
  readonly platforms: readonly string[]
  readonly urlSchemes: readonly Fact<string>[]
  readonly querySchemes: readonly Fact<string>[]
  readonly backgroundModes: readonly Fact<string>[]
  readonly usageDescriptions: readonly UsageDescription[]
  /** Entry of the main executable, null where it is missing. */
  readonly executable: string | null
  /** The main executable first. */
  readonly binaries: readonly IpaBinary[]
  /** Names of embedded frameworks, extensions, watch applications. */
  readonly frameworks: readonly string[]
  readonly extensions: readonly string[]
  readonly watchApps: readonly string[]
  readonly icons: readonly IpaIcon[]
  readonly provision: Provision | null
  readonly privacyManifests: readonly PlistFile[]
  readonly notes: readonly IpaNote[]
}

export interface Ipa {
  readonly zip: ZipArchive
  readonly facts: IpaFacts
}
