import type { SignatureState } from '../signing/signing-facts.ts'

/** Raised whenever prints of an older version can no longer be compared with new ones. */
export const PRINT_FORMAT = 2

/** What is kept of a package to compare it with others: small enough to store as JSON, so that no package is read twice. */
export interface PackagePrint {
  readonly format: typeof PRINT_FORMAT
  readonly platform: 'android' | 'ios'
  /** SHA-256 of the file, hexadecimal. */
  readonly sha256: string
  readonly size: number
  /** Application id or bundle id; '' where none is written. */
  readonly package: string
  readonly versionCode: string
  readonly versionName: string
  readonly label: string
  readonly signer: SignerPrint
  /** SHA-256 over names and contents of all files but those of the signature. */
  readonly content: string
  /** Null where the package has no code that can be read. */
  readonly code: CodePrint | null
  /** Name of the packer that hides the code, '' without one. */
  readonly packer: string
  /** Files except code and signature, sorted by name. */
  readonly files: readonly FilePrint[]
  /** Native libraries or binaries. */
  readonly natives: readonly NativePrint[]
  /** Class names of own components, sorted. */
  readonly components: readonly string[]
  /** Sorted. */
  readonly permissions: readonly string[]
  readonly icon: IconPrint | null
  /** What was left out because a limit was reached or a part could not be read; nothing is concluded from its absence. */
  readonly gaps: readonly PrintGap[]
}

export type PrintGap = 'code' | 'classes' | 'files' | 'native'

export interface SignerPrint {
  readonly state: SignatureState
  /** SHA-256 of the signer's certificates, sorted; of a signature that does not hold, those written there. */
  readonly certificates: readonly string[]
  /** SHA-256 of certificates that a proof of rotation says came before. */
  readonly lineage: readonly string[]
  readonly subject: string
  /** Anyone can sign with this key: AOSP publishes it. */
  readonly isPublicKey: boolean
}

export interface CodePrint {
  /**
   * By Java package, sorted: hashes of the methods of own code and of code without a known owner, sorted, base64 of 32-bit numbers. Names of
   * the code do not count in a hash.
   */
  readonly methods: readonly (readonly [packageName: string, hashes: string])[]
  /** Hashes of methods of known libraries: what is among them says nothing about a copy. */
  readonly libraryMethods: string
  /** Every class that is not of a known library, sorted by name. */
  readonly classes: readonly ClassPrint[]
  /** Ids of the libraries whose classes are there, with their number of classes, sorted. */
  readonly libraries: readonly (readonly [id: string, classes: number])[]
}

export interface ClassPrint {
  /** `com.example.Main` */
  readonly name: string
  /** 16 hexadecimal digits over the whole class: names, texts, numbers, references. */
  readonly hash: string
  readonly methods: number
}

export interface FilePrint {
  readonly name: string
  /** 16 hexadecimal digits: of binary XML over what it says, of others over the bytes. */
  readonly hash: string
  /** Brought along by a common library or by a build tool. */
  readonly common: boolean
}

export interface NativePrint {
  readonly name: string
  readonly abi: string
  readonly buildId: string | null
  readonly hash: string
  readonly common: boolean
}

export interface IconPrint {
  /** Difference hash of 64 bits, 16 hexadecimal digits: brighter than the right neighbour, row by row of 9 x 8 pixels. */
  readonly shape: string
  /** Mean colours of 4 x 4 fields, 4 bits for each of red, green, blue: 48 hexadecimal digits. */
  readonly colours: string
}

export interface PrintLimits {
  readonly classes: number
  readonly methods: number
  readonly files: number
  /** Binary XML above this size is compared by its bytes. */
  readonly xmlSize: number
}

export const PRINT_LIMITS: PrintLimits = { classes: 60_000, methods: 400_000, files: 30_000, xmlSize: 1 << 20 }

/** Sorted distinct 32-bit numbers as text. */
export function packNumbers(numbers: Iterable<number>): string {
  const sorted = Uint32Array.from(new Set(numbers)).sort()
  return Buffer.from(sorted.buffer, sorted.byteOffset, sorted.byteLength).toString('base64')
}

export function unpackNumbers(text: string): Uint32Array {
  const bytes = Buffer.from(text, 'base64')
  const numbers = new Uint32Array(Math.floor(bytes.length / 4))
  for (let at = 0; at < numbers.length; at++) numbers[at] = bytes.readUInt32LE(4 * at)
  return numbers
}
