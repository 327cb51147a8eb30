import { createPrivateKey } from 'node:crypto'
import { type Certificate, readCertificate } from '../x509/certificate.ts'
import { children, expectTag, readNode, TAG } from '../x509/der.ts'
import { type PemBlock, readPem } from '../x509/pem.ts'
import type { KeyStoreWork } from './password-encryption.ts'
import { openShrouded } from './pkcs12-key-store.ts'
import { chainFor, keyStoreError, type LockedKey } from './private-key-entry.ts'

const MOST_BLOCKS = 1000

/**
 * Private keys of a PEM text with their certificates in the same text or in `certificates`: PKCS#8, encrypted PKCS#8, and the older
 * forms of OpenSSL (RSA, EC, DSA PRIVATE KEY), encrypted or not. A key has the name `key`, several have `key-1`, `key-2` ….
 */
export function openPemKeys(bytes: Uint8Array, work: KeyStoreWork, certificates: Uint8Array = bytes): LockedKey[] {
  const blocks = readPem(bytes, MOST_BLOCKS)
  const keys = blocks.filter(({ label }) => /^(?:(?:RSA|EC|DSA|ENCRYPTED) )?PRIVATE KEY$/.test(label))
  const chain = () => readPemCertificates(certificates)
  return keys.map((block, i) => ({
    alias: keys.length === 1 ? 'key' : `key-${i + 1}`,
    open: (password) => {
      const pkcs8 = openBlock(block, i, bytes, password, work)
      return { pkcs8, certificates: chainFor(pkcs8, chain()) }
    },
  }))
}

/** A key as the bytes of PKCS#8, encrypted or not (.pk8 of Android's build), with its certificates in another file. */
export function openDerKey(bytes: Uint8Array, work: KeyStoreWork, certificates: Uint8Array | undefined): LockedKey[] {
  const node = expectTag(readNode(bytes), TAG.sequence, 'private key')
  // A plain key begins with its version, an encrypted one with its algorithm.
  const encrypted = children(node)[0]?.tag === TAG.sequence
  return [
    {
      alias: 'key',
      open: (password) => {
        const pkcs8 = encrypted ? openShrouded(node, password, work) : bytes
        return { pkcs8, certificates: chainFor(pkcs8, certificates ? readPemCertificates(certificates) : []) }
      },
    },
  ]
}

/** Certificates of a PEM text, or of one certificate as DER. */
export function readPemCertificates(bytes: Uint8Array): Certificate[] {
  if (bytes[0] === 0x30) return [readCertificate(bytes)]
  return readPem(bytes, MOST_BLOCKS)
    .filter(({ label }) => label === 'CERTIFICATE' || label === 'X509 CERTIFICATE')
    .map((block) => readCertificate(block.bytes))
}

function openBlock(
  { label, bytes }: PemBlock,
  index: number,
  text: Uint8Array,
  password: string,
  work: KeyStoreWork,
): Uint8Array {
  if (label === 'PRIVATE KEY') return bytes
  if (label === 'ENCRYPTED PRIVATE KEY')
    return openShrouded(expectTag(readNode(bytes), TAG.sequence, 'encrypted key'), password, work)
  try {
    // The parameters of the older encryption are in the text (RFC 1421).
    const key = createPrivateKey({ key: olderBlock(text, index), format: 'pem', passphrase: password })
    return key.export({ type: 'pkcs8', format: 'der' })
  } catch {
    throw keyStoreError('key-password', 'the key password is wrong, or the key cannot be read')
  }
}

/** The text of the key at that position among the keys. */
function olderBlock(text: Uint8Array, index: number): string {
  const all = Buffer.from(text).toString('latin1')
  const found = all.match(/-----BEGIN (?:(?:RSA|EC|DSA|ENCRYPTED) )?PRIVATE KEY-----[\s\S]*?-----END [A-Z ]+-----/g)
  return found?.[index] ?? ''
}
