import { keyStoreFormat } from '../x509/key-store.ts'
import { looksLikePem } from '../x509/pem.ts'
import { openBksKeyStore } from './bks-key-store.ts'
import { openJavaKeyStore } from './java-key-store.ts'
import { KeyStoreWork } from './password-encryption.ts'
import { openDerKey, openPemKeys } from './pem-keys.ts'
import { openPkcs12 } from './pkcs12-key-store.ts'
import {
  chainFor,
  chooseKey,
  type KeyStorePasswords,
  keyStoreError,
  type LockedKey,
  type PrivateKeyEntry,
  privateKeyOf,
} from './private-key-entry.ts'

export interface OpenOptions {
  readonly passwords: KeyStorePasswords
  /** The only key where absent. */
  readonly alias?: string
  /** Certificates of a PEM or DER key that are in another file. */
  readonly certificates?: Uint8Array
  /** What may be computed; 2,000,000 iterations where absent. */
  readonly work?: KeyStoreWork
}

/** Above it nothing is a key store. */
export const MOST_KEY_BYTES = 8 * 2 ** 20

/**
 * Opens a key store (JKS, JCEKS, PKCS#12, BKS) or PEM text and answers one of its keys, once its certificate was found to belong to it.
 * Throws FormatError of format `keystore` and one of the keys `store-password`, `alias`, `key-password`, `certificate`, `algorithm`,
 * `limit`, `format`; of format `der` for what is malformed.
 */
export function openKeyStore(bytes: Uint8Array, options: OpenOptions): PrivateKeyEntry {
  const chosen = chooseKey(lockedKeys(bytes, options), options.alias)
  const opened = chosen.open(options.passwords.key ?? options.passwords.store)
  privateKeyOf(opened.pkcs8)
  return { alias: chosen.alias, pkcs8: opened.pkcs8, certificates: chainFor(opened.pkcs8, opened.certificates) }
}

/** Names of the keys in a store, once its password was found to be right. */
export function keyAliases(bytes: Uint8Array, options: OpenOptions): string[] {
  return lockedKeys(bytes, options).map(({ alias }) => alias)
}

function lockedKeys(bytes: Uint8Array, options: OpenOptions): LockedKey[] {
  const { passwords, certificates, work = new KeyStoreWork() } = options
  if (bytes.length > MOST_KEY_BYTES) throw keyStoreError('limit', 'the file is too large for a key store')
  const format = keyStoreFormat(bytes)
  if (format === 'pkcs12') return openPkcs12(bytes, passwords.store, work)
  if (format === 'bks') return openBksKeyStore(bytes, passwords.store, work)
  if (format) return openJavaKeyStore(bytes, passwords.store, work)
  if (looksLikePem(bytes)) return openPemKeys(bytes, work, certificates)
  if (bytes[0] === 0x30) return openDerKey(bytes, work, certificates)
  throw keyStoreError('format', 'neither a key store (JKS, JCEKS, PKCS#12, BKS) nor a key as PEM or PKCS#8')
}
