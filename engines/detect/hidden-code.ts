import { Buffer } from 'node:buffer'
import { constants, gunzipSync } from 'node:zlib'
import { byteEntropy } from './rules/mask.ts'

const HEAD = 64
const LONGER_HEAD = 512
const SAMPLE = 65_536
const SMALLEST_PAYLOAD = 50_000
/** Bits a byte: encrypted content reaches 7.99, text and code stay below 7. */
const ENCRYPTED = 7.9
const MOST_LOOKED_AT = 20_000
/** Bytes of samples that are searched for code in the middle of a file. */
const SEARCHED_IN_ALL = 32 * 2 ** 20
/** Enough for the tables of a library and the begin of a compressed file. */
const TABLES = 4096
const LARGEST_UNPACKED = 64 * 2 ** 20
const LONGEST_KEY = 8

/** Files of a package that can hold code without being loaded as code. */
export interface PayloadSource {
  readonly entries: readonly { readonly name: string; readonly size: number }[]
  /** The first bytes of an entry. */
  head(entry: string, count: number): Uint8Array
  read(entry: string): Uint8Array | null
  /** Bytes of the archives that belong to no entry, each with a name to show. */
  outside(): readonly { readonly name: string; readonly bytes: Uint8Array }[]
}

export interface HiddenCode {
  /** Entries that hold a dex file or a package with one: plain, as text, compressed, or masked with a repeated key. */
  readonly code: readonly string[]
  /** Large entries without any order, of no known format. */
  readonly encrypted: readonly string[]
  /** Binary entries of no known format: what they hold is not known. */
  readonly opaque: readonly string[]
  /** Entries of media formats and archives, which are compressed and look like any other payload. */
  readonly compressed: readonly string[]
}

/** What Android reads itself and this scan does too, and the files of a v1 signature. */
const READ =
  /^(?:[^/]+!\/)?(?:[^/]+\/)?(?:manifest\/)?(?:AndroidManifest\.xml|resources\.(?:arsc|pb))$|^META-INF\/[^/]+\.(?:MF|SF|RSA|DSA|EC)$|\.class$|\.kotlin_(?:module|builtins|metadata)$/

/**
 * Looks into files that are no code by their name for code that a loader could unpack at run time.
 * @param loaded entries that were read as code
 */
export function findHiddenCode(source: PayloadSource, loaded: ReadonlySet<string>): HiddenCode {
  const code: string[] = []
  const encrypted: string[] = []
  const opaque: string[] = []
  const compressed: string[] = []
  let looked = 0
  let left = SEARCHED_IN_ALL
  for (const { name, size } of source.entries) {
    if (size < 112 || loaded.has(name) || READ.test(name)) continue
    if (++looked > MOST_LOOKED_AT) break
    const head = source.head(name, HEAD)
    const shown = latin1(head)
    const isLibrary = ELF.test(shown)
    const digits = asBytes(shown)
    if (holdsCode(source, name, head, digits)) {
      code.push(name)
      continue
    }
    const isText = digits !== null && !PLAIN_NAME.test(name)
    if (isLibrary && size - endOfLibrary(source.head(name, TABLES)) >= SMALLEST_PAYLOAD) encrypted.push(name)
    if (isLibrary || AXML.test(shown)) continue
    // Of noise one in a thousand has nothing but characters of texts in its first bytes.
    if (!isText && !BINARY.test(shown) && !BINARY.test(latin1(source.head(name, LONGER_HEAD)))) continue
    const sample = left > 0 ? sampleOf(source, name, isText) : head
    left -= sample.length
    const known = KNOWN_FORMAT.test(shown)
    if (holdsDexFile(sample)) code.push(name)
    else if (known) compressed.push(name)
    else if (size >= SMALLEST_PAYLOAD && !PLAIN_NAME.test(name) && byteEntropy(sample) > ENCRYPTED) encrypted.push(name)
    else if (!isText || byteEntropy(sample) > ENCRYPTED) opaque.push(name)
  }
  for (const { name, bytes } of source.outside())
    if (holdsDexFile(bytes.subarray(0, SEARCHED_IN_ALL))) code.push(name)
    else if (bytes.length >= SMALLEST_PAYLOAD && byteEntropy(bytes.subarray(0, SAMPLE)) > ENCRYPTED)
      encrypted.push(name)
  return { code, encrypted, opaque, compressed }
}

/** A dex file or a package with one at the begin of an entry: plain, as text, compressed by gzip, or masked. */
function holdsCode(source: PayloadSource, name: string, head: Uint8Array, digits: Uint8Array | null): boolean {
  const isGzip = digits === null && head[0] === 0x1f && head[1] === 0x8b
  const unpack = digits ? (bytes: Uint8Array) => asBytes(latin1(bytes)) : isGzip ? gunzipped : null
  const first = digits ?? (isGzip ? gunzipped(source.head(name, TABLES)) : head)
  if (isDex(first) || isMaskedDex(first)) return true
  if (!isZip(first) && !isMaskedZip(first)) return false
  const bytes = source.read(name)
  return bytes !== null && holdsDex(unpack?.(bytes) ?? bytes, first)
}

/** As far as the given bytes go. */
function gunzipped(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: LARGEST_UNPACKED })
  } catch {
    return new Uint8Array()
  }
}

/** Where the sections and segments of an ELF library end: what follows is no part of it. Infinity where the tables lie elsewhere. */
function endOfLibrary(head: Uint8Array): number {
  if (head.length < 64) return Number.POSITIVE_INFINITY
  const view = new DataView(head.buffer, head.byteOffset, head.length)
  const wide = head[4] === 2
  const word = (at: number) => (wide ? Number(view.getBigUint64(at, true)) : view.getUint32(at, true))
  const half = (narrow: number, at: number) => view.getUint16(wide ? at : narrow, true)
  const sections = word(wide ? 0x28 : 0x20)
  let end = sections > 0 ? sections + half(0x2e, 0x3a) * half(0x30, 0x3c) : 0
  const segments = word(wide ? 0x20 : 0x1c)
  const row = half(0x2a, 0x36)
  for (let at = segments, left = half(0x2c, 0x38); left > 0; left--, at += row) {
    if (at + (wide ? 56 : 32) > head.length) return Number.POSITIVE_INFINITY
    end = Math.max(end, word(at + (wide ? 8 : 4)) + word(at + (wide ? 0x20 : 0x10)))
  }
  return end
}

/** Payloads come as text too, so that they look like data. */
const BASE64 = /^[A-Za-z0-9+/]{40}[A-Za-z0-9+/=\s]*$/
const HEXADECIMAL = /^(?:[0-9a-f]{40}[0-9a-f\s]*|[0-9A-F]{40}[0-9A-F\s]*)$/

/** What a text of base64 or hexadecimal digits means; null where it is no such text. */
function asBytes(text: string): Uint8Array | null {
  if (HEXADECIMAL.test(text)) return new Uint8Array(Buffer.from(text.replace(/\s/g, ''), 'hex'))
  return BASE64.test(text) ? new Uint8Array(Buffer.from(text, 'base64')) : null
}

function sampleOf(source: PayloadSource, name: string, isText: boolean): Uint8Array {
  const sample = source.head(name, SAMPLE)
  return (isText && asBytes(latin1(sample))) || sample
}

const ELF = /^\x7fELF/
// biome-ignore lint/suspicious/noControlCharactersInRegex: the first bytes of binary XML
const AXML = /^\x03\0\x08\0/
/** Bytes that no text has. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is asked for
const BINARY = /[\0-\x08\x0e-\x1a\x1c-\x1f]/

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength)
const latin1 = (bytes: Uint8Array): string => viewOf(bytes).toString('latin1')
const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39
/** `dex\n0` and two digits, then a zero. */
const isDex = (bytes: Uint8Array, at = 0): boolean =>
  DEX_MAGIC.every((byte, i) => bytes[at + i] === byte) &&
  isDigit(bytes[at + 5]) &&
  isDigit(bytes[at + 6]) &&
  bytes[at + 7] === 0
const DEX_MAGIC = [...'dex\n0'].map((one) => one.charCodeAt(0))
const isZip = (head: Uint8Array): boolean => head[0] === 0x50 && head[1] === 0x4b && head[2] === 3 && head[3] === 4

/** A dex file anywhere in it. */
function holdsDexFile(bytes: Uint8Array): boolean {
  const view = viewOf(bytes)
  for (let at = view.indexOf('dex\n0', 0, 'latin1'); at >= 0; at = view.indexOf('dex\n0', at + 1, 'latin1'))
    if (isDex(bytes, at)) return true
  return false
}

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

/** A dex file under an XOR key of 1 to 8 bytes that repeats, or under a sum: the known bytes must agree on the key. */
function isMaskedDex(head: Uint8Array): boolean {
  if (head.length < 0x2c) return false
  const counted = (mask: (at: number, value: number) => number) => {
    const [[first, known]] = DEX_KNOWN as [readonly [number, number]]
    const key = mask(first, known) & 255
    return DEX_KNOWN.every(([at, value]) => (mask(at, value) & 255) === key)
  }
  // A number added to each byte, and an XOR with a number that grows by one.
  if (counted((at, value) => head[at]! - value) || counted((at, value) => head[at]! ^ value ^ at)) return true
  if (counted((at, value) => (head[at]! ^ value) - at)) return true
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
