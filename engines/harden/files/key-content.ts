import { keyStoreFormat } from '../../x509/key-store.ts'

const KEY_NAME = /\.(?:cer|crt|pem|der|p12|pfx|bks|jks|key)$/i

export const isKeyName = (name: string): boolean => KEY_NAME.test(name)

/** Keys of ciphers have no form of their own: a short file whose name says so is one. */
const LONGEST_PLAIN_KEY = 4096

/** Whether a file of such a name holds a certificate, a key or a store of them: PEM, DER, PKCS #12, JKS, JCEKS, BKS, or a plain key. */
export function isKeyContent(name: string, content: Uint8Array): boolean {
  if (keyStoreFormat(content)) return true
  if (Buffer.from(content).includes('-----BEGIN ')) return true
  if (isWholeSequence(content)) return true
  return /\.key$/i.test(name) && content.length > 0 && content.length <= LONGEST_PLAIN_KEY
}

/** A SEQUENCE of DER that ends where the file does, as certificates and keys are. */
function isWholeSequence(content: Uint8Array): boolean {
  const [tag, first = 0, ...rest] = content.subarray(0, 6)
  if (tag !== 0x30 || first === 0) return false
  if (first < 0x80) return content.length === 2 + first
  const bytes = rest.slice(0, first - 0x80)
  if (first === 0x80 || bytes.length !== first - 0x80) return false
  return content.length === 2 + bytes.length + bytes.reduce((length, byte) => length * 256 + byte, 0)
}
