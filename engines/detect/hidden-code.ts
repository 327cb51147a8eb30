import { Buffer } from 'node:buffer'
import { byteEntropy } from './rules/mask.ts'

const HEAD = 64
const SAMPLE = 65_536
const SMALLEST_PAYLOAD = 50_000
/** Bits a byte: encrypted content reaches 7.99, text and code stay below 7. */
const ENCRYPTED = 7.9
const MOST_LOOKED_AT = 5_000
const LONGEST_KEY = 8

/** Files of a package that can hold code without being loaded as code. */
export interface PayloadSource {
  readonly entries: readonly { readonly name: string; readonly size: number }[]
  /** The first bytes of an entry. */
  head(entry: string, count: number): Uint8Array
  read(entry: string): Uint8Array | null
}

export interface HiddenCode {
  /** Entries that hold a dex file or a package with one: plain, in base64 or under a repeated XOR key. */
  readonly code: readonly string[]
  /** Large entries without any order, of no known format. */
  readonly encrypted: readonly string[]
}

/** Where Android finds code and resources itself. */
const LOADED =
  /(?:^|\/)classes\d*\.dex$|(?:^|\/)(?:AndroidManifest\.xml|resources\.(?:arsc|pb))$|^META-INF\/|^(?:base\/)?(?:lib|jni)\/|^(?:base\/)?res\/(?!raw)|\.class$/

/** Looks into files that are no code by their name for code that a loader could unpack at run time. */
export function findHiddenCode(source: PayloadSource): HiddenCode {
  const code: string[] = []
  const encrypted: string[] = []
  let looked = 0
  for (const { name, size } of source.entries) {
    if (size < 112 || LOADED.test(name)) continue
    if (++looked > MOST_LOOKED_AT) break
    const plain = source.head(name, HEAD)
    const isText = BASE64.test(latin1(plain)) && !PLAIN_NAME.test(name)
    const head = isText ? decoded(plain) : plain
    if (isDex(head) || isMaskedDex(head)) code.push(name)
    else if (isZip(head) || isMaskedZip(head)) {
      const bytes = source.read(name)
      if (bytes && holdsDex(isText ? decoded(bytes) : bytes, head)) code.push(name)
    } else if (size >= SMALLEST_PAYLOAD && !KNOWN_FORMAT.test(latin1(head)) && !PLAIN_NAME.test(name))
      if (byteEntropy(sampleOf(source, name, isText)) > ENCRYPTED) encrypted.push(name)
  }
  return { code, encrypted }
}

/** Payloads come as text too, so that they look like data. */
const BASE64 = /^[A-Za-z0-9+/]{40}[A-Za-z0-9+/=\s]*$/
const decoded = (bytes: Uint8Array): Uint8Array => new Uint8Array(Buffer.from(latin1(bytes), 'base64'))

function sampleOf(source: PayloadSource, name: string, isText: boolean): Uint8Array {
  const sample = source.head(name, SAMPLE)
  return isText ? decoded(sample) : sample
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
const isDex = (head: Uint8Array): boolean => /^dex\n0\d\d\0/.test(latin1(head))
const isZip = (head: Uint8Array): boolean => latin1(head.subarray(0, 4)) === 'PK\x03\x04'

/** Formats whose content is compressed, by their first bytes. */
const KNOWN_FORMAT =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the first bytes of binary formats
  /^(?:\x89PNG|\xff\xd8\xff|GIF8|RIFF|OggS|ID3|\xff[\xe2-\xfb]|\x1f\x8b|\x28\xb5\x2f\xfd|\xfd7zXZ|7z\xbc\xaf|BZh|wOF[F2]|\x00\x01\x00\x00|OTTO|.{4}ftyp|\x1aE\xdf\xa3|%PDF|fLaC|FORM|TFL3|.{4}TFL3|SQLite|UnityFS|\x5d\x00\x00)/s
/** Names under which compressed media come. */
const PLAIN_NAME = /\.(?:png|jpe?g|webp|gif|mp[34]|m4a|ogg|wav|aac|avif|heic|ttf|otf|woff2?|tflite|br|gz|xz|lzma|zst)$/i

/** What each dex file holds at a fixed position: magic, header size and byte order (dex format, 035 and later). */
const DEX_KNOWN: readonly (readonly [at: number, value: number])[] = [
  ...[...'dex\n0'].map((one, at) => [at, one.charCodeAt(0)] as const),
  [7, 0],
  ...[0x70, 0, 0, 0, 0x78, 0x56, 0x34, 0x12].map((value, i) => [0x24 + i, value] as const),
]

/** A dex file under an XOR key of 1 to 8 bytes that repeats: the known bytes must agree on the key. */
function isMaskedDex(head: Uint8Array): boolean {
  if (head.length < 0x2c) return false
  for (let length = 1; length <= LONGEST_KEY; length++) {
    const key = new Array<number>(length).fill(-1)
    const agrees = DEX_KNOWN.every(([at, value]) => {
      const byte = head[at]! ^ value
      const before = key[at % length]!
      key[at % length] = byte
      return before < 0 || before === byte
    })
    if (agrees && key.some((one) => one > 0)) return true
  }
  return false
}

/** A zip under an XOR key of one byte: its magic, and the second byte of the version needed, which is 0. */
function isMaskedZip(head: Uint8Array): boolean {
  const key = head[0]! ^ 0x50
  return key !== 0 && [0x50, 0x4b, 3, 4].every((value, at) => head[at] === (value ^ key)) && head[5] === key
}

/** Does an archive name a dex file? Its names stay readable in the directory. */
function holdsDex(bytes: Uint8Array, head: Uint8Array): boolean {
  const key = head[0]! ^ 0x50
  const name = Buffer.from([...Buffer.from('classes.dex')].map((byte) => byte ^ key))
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(name)
}
