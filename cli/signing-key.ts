import { MOST_KEY_BYTES, openKeyStore } from '#engines/keystore/open-key-store.ts'
import { openSigningKey } from '#engines/signing/open-signing-key.ts'
import type { SigningKey } from '#engines/signing/signing-key.ts'
import { readWhole } from './open-file.ts'
import { UsageError } from './usage-error.ts'

export interface KeyPasswords {
  readonly store: string
  /** Of the key, where it has its own. */
  readonly key?: string
}

export interface KeyFile {
  readonly file: string
  readonly alias?: string | undefined
  /** Certificates of a PEM key that are in another file. */
  readonly certificates?: string | undefined
  readonly passwords: KeyPasswords
}

/** Passwords are variables of the environment: arguments can be read by every process. Throws UsageError without one. */
export function keyPasswords(env: Readonly<Record<string, string | undefined>>): KeyPasswords {
  const store = env['APPWARDEN_KEY_PASSWORD']
  if (store === undefined) throw new UsageError('APPWARDEN_KEY_PASSWORD is not set')
  const key = env['APPWARDEN_KEY_ALIAS_PASSWORD']
  return { store, ...(key !== undefined && { key }) }
}

/** A key of a key store file, ready to sign. Throws FormatError (engines/keystore) and what the system says of a file. */
export function readSigningKey({ file, alias, certificates, passwords }: KeyFile): { key: SigningKey; alias: string } {
  const entry = openKeyStore(readWhole(file, MOST_KEY_BYTES), {
    passwords,
    ...(alias !== undefined && { alias }),
    ...(certificates !== undefined && { certificates: readWhole(certificates, MOST_KEY_BYTES) }),
  })
  return { key: openSigningKey(entry), alias: entry.alias }
}
