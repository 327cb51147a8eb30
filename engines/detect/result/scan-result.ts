import type { PackageSignature } from '../../package/package-signature.ts'
import type { DynamicResult } from './dynamic-result.ts'

/**
 * What one scan says, as plain data: the same package, rules and choices give the same bytes of JSON (times and durations are elsewhere).
 * Reports, comparison, screens and the command line read nothing else. Texts come in both languages.
 */
export interface ScanResult {
  readonly schema: 'appwarden-scan/1'
  readonly package: PackageSummary
  /** Rule pack and its version, sdk and permission data with theirs. */
  readonly rules: { readonly pack: string; readonly version: string; readonly items: number }
  readonly kinds: readonly DetectionKind[]
  readonly score: Score
  readonly counts: Readonly<Record<FindingLevel, number>>
  /** One per item that was asked, in the order of the rule pack. */
  readonly items: readonly ItemResult[]
  readonly certificates: readonly CertificateSummary[]
  readonly permissions: readonly PermissionResult[]
  readonly components: readonly ComponentResult[]
  readonly sdks: readonly SdkResult[]
  /** Third-party components that version files, code or native libraries name. */
  readonly dependencies: readonly Dependency[]
  readonly domains: readonly DomainResult[]
  readonly privacy: readonly PrivacyResult[]
  readonly content: readonly ContentHit[]
  readonly libraries: readonly { readonly entry: string; readonly abi: string; readonly name: string }[]
  readonly coverage: Coverage
  /** What could not be looked at, and why: limits, packers, unreadable parts. */
  readonly notAssessed: readonly Note[]
  /** What was seen on a phone; of dynamic detection alone. */
  readonly dynamic?: DynamicResult | undefined
}

export type DetectionKind = 'vulnerability' | 'static' | 'dynamic' | 'compliance' | 'sdk' | 'privacy' | 'content'
export type FindingLevel = 'high' | 'middle' | 'low' | 'info'
export type Verdict = 'fail' | 'pass' | 'not_applicable' | 'not_assessed'
export interface Text {
  readonly zh: string
  readonly en: string
}
export interface Note {
  readonly key: string
  readonly text: Text
}

export interface PackageSummary {
  readonly kind: 'apk' | 'aab' | 'apks' | 'aar' | 'jar' | 'so' | 'ipa'
  readonly platform: 'android' | 'ios'
  readonly name: string
  /** Package name or bundle id. */
  readonly id: string
  readonly version: string
  readonly build: string
  readonly minSdk: string
  readonly targetSdk: string
  readonly size: number
  readonly md5: string
  readonly sha1: string
  readonly sha256: string
  readonly mainClass: string
  readonly abis: readonly string[]
  readonly dexCount: number
  readonly classCount: number
  /** Named packer, where one was found. */
  readonly packer: string | null
  readonly signed: boolean
  /** Whether the signature holds; absent in results of earlier versions. */
  readonly signature?: PackageSignature['state'] | undefined
  /** Verified schemes: v1, v2, v3, v3.1; JAR of a bundle or library; of an IPA: code signature. */
  readonly schemes: readonly string[]
}

export interface Score {
  /** 0 to 100. */
  readonly value: number
  readonly grade: 'high' | 'middle' | 'low'
  /** Sorted by points, largest first; the caps of the formula are lines of their own (negative points give back). */
  readonly deductions: readonly { readonly item: string; readonly points: number }[]
  readonly formula: Text
}

export interface ItemResult {
  readonly id: string
  readonly category: string
  readonly level: FindingLevel
  readonly confidence: 'high' | 'medium' | 'low'
  readonly name: Text
  readonly verdict: Verdict
  /** Why not applicable or not assessed; of a passed item what was looked at. */
  readonly reason: Text | null
  /** Of the first 50, most telling first; `hits` counts all. */
  readonly findings: readonly Finding[]
  readonly hits: number
  /** 'own' if any finding of the worst level is in own code, else 'unknown' if the owner of one is not known, else 'sdk'. Null without findings. */
  readonly owner: OwnerKind | null
  readonly threat: Text
  readonly advice: Text
  readonly references: Readonly<Record<'masvs' | 'maswe' | 'mastg' | 'cwe' | 'cve' | 'gbt', readonly string[]>>
}

/** Whose code it is: the application's, that of an SDK or another library, or what renaming left without a sign of either. */
export type OwnerKind = 'own' | 'sdk' | 'unknown'
/** In place of the id of an SDK, where an owner is one text: null is own code, '' a library without name. */
export const UNKNOWN_OWNER = '?'

export interface Finding {
  /** Stable over versions: SHA-256 of item, owner, class and method or entry and path, and what was found (no offsets), first 16 hex digits. */
  readonly fingerprint: string
  readonly owner: { readonly kind: OwnerKind; readonly sdk: string | null }
  readonly evidence: Location
  /** What was found, secrets masked in the middle. */
  readonly detail: Text
  /** Where it is below the level of the item, which is that of its worst finding. */
  readonly level?: FindingLevel
}

/** Where something lies in the package. */
export interface Location {
  readonly entry: string
  /** Bytes from the start of the entry; -1 where only the entry is known. */
  readonly offset: number
  /** Element path of XML, key path of a plist. */
  readonly path?: string
  readonly class?: string
  readonly method?: string
  readonly line?: number
  /** A few decoded lines around the location. */
  readonly snippet?: readonly string[]
}

/** A third-party component in the package, and how it was found. */
export interface Dependency {
  /** Package URL (ECMA-427). */
  readonly purl: string
  /** Maven group; '' for a component of another kind. */
  readonly group: string
  readonly name: string
  /** '' where the build wrote none into the file that names it. */
  readonly version: string
  /** As CycloneDX names it: a version file of the build, or the content of a binary. */
  readonly technique: 'manifest-analysis' | 'binary-analysis'
  readonly places: readonly Location[]
  /** As the artifact's build file declares them; empty if the package does not include it. */
  readonly licenses: readonly ({ readonly id: string } | { readonly name: string })[]
  /** The SDK that it belongs to. */
  readonly sdk: string | null
  /** CVE ids whose range has this version. */
  readonly vulnerabilities: readonly string[]
}

export interface CertificateSummary {
  readonly subject: string
  readonly issuer: string
  readonly serial: string
  readonly notBefore: number
  readonly notAfter: number
  readonly algorithm: string
  readonly keyBits: number
  readonly md5: string
  readonly sha1: string
  readonly sha256: string
}

export interface PermissionResult {
  readonly name: string
  readonly title: Text
  readonly group: string
  readonly dangerous: boolean
  /** used: declared and called. unused: declared, no API of it found. undeclared: called, not declared. unknown: no API is known for it. */
  readonly state: 'used' | 'unused' | 'undeclared' | 'unknown'
  /** Beyond what the chosen application type may ask for; null without a type. */
  readonly excessive: boolean | null
  readonly personalInfo: readonly string[]
  /** Calls, own code first; at most 20. */
  readonly uses: readonly { readonly owner: string | null; readonly place: Location }[]
}

export interface ComponentResult {
  readonly kind: string
  readonly name: string
  readonly exported: boolean
  readonly permission: string | null
  readonly owner: string | null
}

export interface SdkResult {
  readonly id: string
  readonly name: Text
  readonly vendor: string
  readonly category: string
  readonly country: string
  readonly version: string | null
  /** called: own code or a component reaches it; present: only its classes, libraries or files are there. */
  readonly state: 'called' | 'present'
  readonly personalInfo: readonly string[]
  readonly permissions: readonly string[]
  readonly evidence: readonly Location[]
  readonly confidence: 'high' | 'medium' | 'low'
}

export interface DomainResult {
  readonly host: string
  readonly cleartext: boolean
  readonly owner: string | null
  readonly place: Location
}

export interface PrivacyResult {
  readonly id: string
  readonly source: string
  readonly clause: string
  readonly level: FindingLevel
  readonly name: Text
  /** `manual`: the questionnaire or a policy text must answer. */
  readonly verdict: Verdict | 'manual'
  readonly reason: Text
  /** From an entry point of the process down to the call that collects, outermost first. */
  readonly chains: readonly {
    readonly info: string
    readonly owner: string | null
    readonly steps: readonly Location[]
  }[]
}

export interface ContentHit {
  readonly kind: 'word' | 'qr' | 'text_in_image' | 'image'
  readonly group: string
  readonly value: string
  /** Which form matched: as written, width, traditional, pinyin, homoglyph, separators. */
  readonly form: string
  readonly place: Location
}

export interface Coverage {
  readonly classes: number
  readonly classesRead: number
  readonly methods: number
  readonly methodsRead: number
  readonly entries: number
  readonly entriesRead: number
  readonly ownPrefixes: readonly string[]
  /** Share of own classes with shortened names, 0 to 1. */
  readonly obfuscated: number
  /** Classes by owner, where there are any; absent in results of earlier versions. */
  readonly owners?: Readonly<Record<OwnerKind, number>>
}
