import type { ImageBytes } from './addresses.ts'
import { cStrings } from './objc.ts'

export interface MachoString {
  readonly value: string
  /** In the file. */
  readonly offset: number
  readonly section: string
}

const WIDE = '__ustring'
const MOST = 2_000_000

/** Texts that the code of an image uses: C strings and those of NSString constants in UTF-16; none of what is encrypted. */
export function* machoStrings(bytes: ImageBytes): Generator<MachoString> {
  let count = 0
  for (const section of bytes.sections('__cstring', '__oslogstring', WIDE)) {
    if (!section.offset || bytes.isEncrypted(section.offset)) continue
    const texts = section.name === WIDE ? wideStrings : cStrings
    for (const { value, offset } of texts(bytes.sectionBytes(section), section.offset)) {
      if (++count > MOST) return
      yield { value, offset, section: section.name }
    }
  }
}

/** The text of an NSString constant (`@"…"`) at an address; undefined where none lies there. */
export function constantString(bytes: ImageBytes, address: number): string | undefined {
  const holder = bytes.image.sections.find(
    ({ name, address: begin, size }) => name === '__cfstring' && address >= begin && address < begin + size,
  )
  const at = holder ? bytes.offsetOf(address) : -1
  if (at < 0) return undefined
  const word = bytes.pointerSize
  const wide = (bytes.u32(at + word) & 0x10) !== 0
  const length = bytes.u32(at + 3 * word)
  const text = bytes.offsetOf(bytes.pointer(at + 2 * word))
  if (text < 0 || length > 0x10000) return undefined
  const part = bytes.file.subarray(text, text + length * (wide ? 2 : 1))
  return Buffer.from(part.buffer, part.byteOffset, part.length).toString(wide ? 'utf16le' : 'utf8')
}

function* wideStrings(bytes: Uint8Array, base: number): Generator<{ value: string; offset: number }> {
  let begin = 0
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    if (bytes[at] || bytes[at + 1]) continue
    if (at > begin)
      yield {
        value: Buffer.from(bytes.buffer, bytes.byteOffset + begin, at - begin).toString('utf16le'),
        offset: base + begin,
      }
    begin = at + 2
  }
}
