/** Bytes in which a page may declare its encoding. */
const HEAD = 2048
const MARKS: readonly (readonly [bytes: readonly number[], charset: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]

/**
 * A page as text: by its byte order mark, the type of its answer, what it declares itself, else UTF-8 where it is valid and GB 18030 where not.
 * Encodings are those of the WHATWG Encoding Standard; what cannot be decoded becomes U+FFFD.
 */
export function decodePage(bytes: Uint8Array, contentType: string): { text: string; charset: string } {
  const mark = MARKS.find(([begin]) => begin.every((byte, at) => bytes[at] === byte))?.[1]
  const said = /charset\s*=\s*["']?([\w-]+)/i.exec(contentType)?.[1]
  const head = Buffer.from(bytes.subarray(0, HEAD)).toString('latin1')
  const declared =
    /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)/i.exec(head)?.[1] ??
    /^\s*<\?xml[^>]{0,100}encoding\s*=\s*["']([\w-]+)/i.exec(head)?.[1]
  for (const charset of [mark, said, declared]) {
    const decoder = charset && decoderOf(charset)
    if (decoder) return { text: decoder.decode(bytes), charset: decoder.encoding }
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), charset: 'utf-8' }
  } catch {
    // Not UTF-8: pages without any declaration are older Chinese ones for the most part.
    return { text: new TextDecoder('gb18030').decode(bytes), charset: 'gb18030' }
  }
}

function decoderOf(charset: string): TextDecoder | undefined {
  try {
    return new TextDecoder(charset)
  } catch {
    // A name that no standard knows says nothing.
    return undefined
  }
}
