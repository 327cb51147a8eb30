import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MetaStore } from '#storage/postgres/database.ts'

/**
 * Secrets of this installation. One random master secret lies in the metadata store, wrapped (AES-256-GCM) under a key-encryption key
 * that is not in the store: APPWARDEN_KEK (32 bytes, base64 or hex), else a file of mode 0600 in the key folder. Every named secret
 * is derived from the master, so a name needs no storage, and all processes agree on it.
 */
export async function openSecrets(options: {
  meta: MetaStore
  keyFolder: string
  now(): number
  /** APPWARDEN_KEK. */
  kek?: string | undefined
}): Promise<(name: string) => Buffer> {
  const { meta, keyFolder, now, kek } = options
  const key = kek ? parseKek(kek) : readKekFile(keyFolder)
  await meta.db
    .insertInto('secrets')
    .values({ name: 'master', wrapped: wrap(key, randomBytes(32)), created_at: now() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const row = await meta.db
    .selectFrom('secrets')
    .select('wrapped')
    .where('name', '=', 'master')
    .executeTakeFirstOrThrow()
  const master = unwrap(key, row.wrapped)
  const made = new Map<string, Buffer>()
  return (name) => {
    let secret = made.get(name)
    if (!secret) {
      secret = Buffer.from(hkdfSync('sha256', master, 'appwarden', name, 32))
      made.set(name, secret)
    }
    return secret
  }
}

function parseKek(text: string): Buffer {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (key.length !== 32) throw new Error('APPWARDEN_KEK must be 32 bytes in base64 or hex')
  return key
}

function readKekFile(folder: string): Buffer {
  const file = join(folder, 'kek')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (!existsSync(file)) {
    try {
      writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error // another process was first
    }
  }
  const key = Buffer.from(readFileSync(file, 'utf8'), 'base64')
  if (key.length !== 32) throw new Error(`The key file ${file} is damaged: restore it from a backup`)
  return key
}

/** Prefix of a sealed text, so that a plain one written by an older version is recognised. */
const SEALED = 'aw_sealed.1.'

/** Encrypts a text for storage (AES-256-GCM under a 32-byte key of this installation): `aw_sealed.1.<iv>.<text>.<tag>`. */
export function sealText(key: Buffer, text: string): string {
  return SEALED + wrap(key, Buffer.from(text, 'utf8'))
}

export function isSealed(stored: string): boolean {
  return stored.startsWith(SEALED)
}

/** The text that `sealText` encrypted; a text that is not sealed is returned as it is. Throws where the key does not fit. */
export function openText(key: Buffer, stored: string): string {
  return isSealed(stored) ? unwrap(key, stored.slice(SEALED.length)).toString('utf8') : stored
}

function wrap(key: Buffer, secret: Buffer): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const text = Buffer.concat([cipher.update(secret), cipher.final()])
  return [iv, text, cipher.getAuthTag()].map((part) => part.toString('base64url')).join('.')
}

function unwrap(key: Buffer, wrapped: string): Buffer {
  const [iv, text, tag] = wrapped.split('.').map((part) => Buffer.from(part, 'base64url')) as [Buffer, Buffer, Buffer]
  const cipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: 16 })
  cipher.setAuthTag(tag)
  try {
    return Buffer.concat([cipher.update(text), cipher.final()])
  } catch (cause) {
    throw new Error('The key-encryption key does not fit this database: restore the key file or APPWARDEN_KEK', {
      cause,
    })
  }
}
