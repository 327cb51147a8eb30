import type { Certificate } from '../x509/certificate.ts'

export type Scheme = 'v1' | 'v2' | 'v3' | 'v31' | 'v4' | 'stamp'

/**
 * One reason for or against. Keys are named as AOSP's apksig names its issues, so that what is written about those applies here too;
 * the message is for people.
 */
export interface SigningIssue {
  readonly key: string
  readonly message: string
  readonly scheme?: Scheme
  /** Name of the v1 signature block, or the position of the signer in its signing block. */
  readonly signer?: string | number
}

/**
 * verified: every entry is what a signer signed. partial: what is signed holds, and there are entries without a signature, or signed
 * ones are missing. broken: something signed was changed, or the signature does not hold. unsigned: nothing of a signature is there.
 * unknown: it cannot be judged here (an algorithm that is not known, a limit).
 */
export type SignatureState = 'verified' | 'partial' | 'broken' | 'unsigned' | 'unknown'

/** What one scheme, or one part, of a signature comes to. */
export type SchemeOutcome = 'absent' | 'verified' | 'partial' | 'broken' | 'unchecked'

export interface SchemeState {
  /** Whether the package contains data of this scheme. */
  readonly present: boolean
  /** Whether the asked Android versions look at it. */
  readonly checked: boolean
  readonly verified: boolean
}

export interface ApkSigner {
  readonly scheme: Scheme
  readonly name: string | number
  /** The signer's own certificate first. */
  readonly certificates: readonly Certificate[]
  /** Android versions that a v3 or v3.1 signer is for. */
  readonly minSdk?: number
  readonly maxSdk?: number
}

/** A step of a key rotation: the certificate and what it may still do. */
export interface LineageNode {
  readonly certificate: Certificate
  readonly capabilities: {
    readonly installedData: boolean
    readonly sharedUserId: boolean
    readonly permission: boolean
    readonly rollback: boolean
    readonly auth: boolean
  }
}

export interface SourceStamp {
  readonly verified: boolean
  readonly certificate?: Certificate
  /** When the stamp was made, in seconds since 1970, as it says itself. */
  readonly time?: number
  readonly issues: readonly SigningIssue[]
}

/** Collects what one scheme or signer has to say. */
export class IssueList {
  readonly errors: SigningIssue[] = []
  readonly warnings: SigningIssue[] = []
  private readonly origin: Pick<SigningIssue, 'scheme' | 'signer'>

  constructor(origin: Pick<SigningIssue, 'scheme' | 'signer'>) {
    this.origin = origin
  }

  error(key: string, message: string): void {
    this.errors.push({ key, message, ...this.origin })
  }

  warn(key: string, message: string): void {
    this.warnings.push({ key, message, ...this.origin })
  }
}

/** First Android versions that matter here. */
export const SDK = { jellyBeanMr2: 18, kitkat: 19, lollipop: 21, n: 24, o: 26, p: 28, r: 30, t: 33 } as const

/** For 'and every later version'. */
export const ANY_LATER_SDK = 0x7fffffff
