import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { FormatError } from '../bytes/format-error.ts'
import type { Certificate } from '../x509/certificate.ts'

/** A private key with its certificates, out of a key store. */
export interface PrivateKeyEntry {
  readonly alias: string
  /** PrivateKeyInfo (PKCS#8), not encrypted. */
  readonly pkcs8: Uint8Array
  /** The key's own first. */
  readonly certificates: readonly Certificate[]
}

/** What opens a key store. */
export interface KeyStorePasswords {
  readonly store: string
  /** Of the key; the same as that of the store where absent. */
  readonly key?: string
}

/** How a store names its keys, and how each is opened. */
export interface LockedKey {
  readonly alias: string
  readonly open: (password: string) => { pkcs8: Uint8Array; certificates: readonly Certificate[] }
}

/** Why a key store is not opened: `store-password`, `alias`, `key-password`, `algorithm`, `certificate`, `limit`, `format`. */
export function keyStoreError(key: string, message: string): FormatError {
  return new FormatError('keystore', key, -1, message)
}

/** Java compares aliases without case; where nothing is asked for, the only key is meant. Throws FormatError `alias`. */
export function chooseKey<T extends { readonly alias: string }>(keys: readonly T[], alias: string | undefined): T {
  const names = keys.map((key) => JSON.stringify(key.alias)).join(', ')
  if (!keys.length) throw keyStoreError('alias', 'the key store has no private key')
  const chosen =
    alias === undefined
      ? keys.length === 1
        ? keys[0]
        : undefined
      : (keys.find((key) => key.alias === alias) ?? keys.find((key) => key.alias.toLowerCase() === alias.toLowerCase()))
  if (chosen) return chosen
  throw keyStoreError(
    'alias',
    alias === undefined
      ? `the key store has ${keys.length} keys (${names}): an alias is needed`
      : `no key ${JSON.stringify(alias)} in the key store, which has ${names}`,
  )
}

/** The key as an object. Throws FormatError `key-password` where the bytes are no key: what a wrong password sometimes gives. */
export function privateKeyOf(pkcs8: Uint8Array): KeyObject {
  try {
    return createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' })
  } catch {
    throw keyStoreError('key-password', 'the key password is wrong, or the key is of a kind that is not known here')
  }
}

/**
 * The key's own certificate first, then each issuer that is there. Throws FormatError `certificate` where no certificate is for this key.
 */
export function chainFor(pkcs8: Uint8Array, certificates: readonly Certificate[]): Certificate[] {
  const spki = createPublicKey(privateKeyOf(pkcs8)).export({ type: 'spki', format: 'der' })
  const own = certificates.find(({ publicKey }) => spki.equals(publicKey.spki))
  if (!own) throw keyStoreError('certificate', 'no certificate belongs to the private key')
  const rest = new Set(certificates)
  const chain: Certificate[] = []
  for (let next: Certificate | undefined = own; next; ) {
    chain.push(next)
    rest.delete(next)
    const { subject, issuer }: Certificate = next
    next = subject === issuer ? undefined : [...rest].find((one) => one.subject === issuer)
  }
  return chain
}

/** Turns what decryption says of a password into what the caller asked for. */
export function asPasswordError<T>(key: 'store-password' | 'key-password', open: () => T): T {
  try {
    return open()
  } catch (error) {
    if (!(error instanceof FormatError) || (error.format === 'keystore' && error.key !== 'password')) throw error
    throw keyStoreError(key, key === 'store-password' ? 'the store password is wrong' : 'the key password is wrong')
  }
}
