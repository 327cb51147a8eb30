import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { parseArgs } from 'node:util'
import { FormatError } from '#engines/bytes/format-error.ts'
import { keyAliases, MOST_KEY_BYTES, openKeyStore } from '#engines/keystore/open-key-store.ts'
import type { PrivateKeyEntry } from '#engines/keystore/private-key-entry.ts'
import { KEY_STORE_FORMATS, type KeyStoreFormat, writeKeyStore } from '#engines/keystore/write-key-store.ts'
import { readCertificate } from '#engines/x509/certificate.ts'
import { parseSubject, writeCertificate } from '#engines/x509/write-certificate.ts'
import { readWhole } from './open-file.ts'
import { OutputFile } from './output-file.ts'
import { printFailure } from './print-failure.ts'
import { printable } from './printable.ts'
import { type KeyPasswords, keyPasswords } from './signing-key.ts'
import { UsageError } from './usage-error.ts'

export const KEY_USAGE =
  'appwarden key new OUT --alias ALIAS --name "CN=…, O=…" [--type pkcs12|jks|bks|pem] [--algorithm rsa|ec|dsa] [--bits N] [--days N]\n' +
  'appwarden key check FILE [--alias ALIAS] [--cert FILE]\n' +
  'appwarden key convert FILE OUT [--type pkcs12|jks|bks|pem] [--alias ALIAS] [--cert FILE]\n' +
  'passwords: APPWARDEN_KEY_PASSWORD of the key store, APPWARDEN_KEY_ALIAS_PASSWORD of the key where it has its own'

type Environment = Readonly<Record<string, string | undefined>>

const DAY = 86_400_000
/** As long as stores want a signer to be valid, and a little more. */
const DAYS = 10_000

/**
 * `appwarden key`: makes a key store with a new key, says whether one opens and what is in it, or writes its key in another format.
 * Answers the exit code: 0 done, 2 refused or not readable.
 */
export function keyCommand(
  args: readonly string[],
  env: Environment,
  now: number,
  print: (text: string) => void,
): number {
  try {
    const [verb, ...rest] = args
    const passwords = keyPasswords(env)
    const { values, positionals } = parse(rest)
    const type = keyStoreType(values.type)
    const [file, out] = positionals
    if (verb === 'new' && positionals.length === 1) {
      const entry = newKey(values, now)
      writeStore(file!, type, entry, passwords, now)
      print(factsOf(file!, entry))
    } else if (verb === 'check' && positionals.length === 1) {
      const entry = open(file!, passwords, values)
      print(
        `${factsOf(file!, entry)}\n${'keys'.padEnd(9)} ${keyAliases(readWhole(file!, MOST_KEY_BYTES), { passwords }).map(printable).join(', ')}`,
      )
    } else if (verb === 'convert' && positionals.length === 2) {
      const entry = open(file!, passwords, values)
      writeStore(out!, type, entry, passwords, now)
      print(factsOf(out!, entry))
    } else throw new UsageError('new, check or convert is wanted')
    return 0
  } catch (error) {
    return printFailure(error, KEY_USAGE, print)
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        alias: { type: 'string' },
        name: { type: 'string' },
        type: { type: 'string', default: 'pkcs12' },
        algorithm: { type: 'string', default: 'rsa' },
        bits: { type: 'string' },
        days: { type: 'string' },
        cert: { type: 'string' },
      },
    })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

type Options = ReturnType<typeof parse>['values']

function keyStoreType(name: string): KeyStoreFormat {
  const found = KEY_STORE_FORMATS.find((one) => one === name)
  if (!found) throw new UsageError(`Unknown type: ${name}`)
  return found
}

function open(file: string, passwords: KeyPasswords, { alias, cert }: Options): PrivateKeyEntry {
  return openKeyStore(readWhole(file, MOST_KEY_BYTES), {
    passwords,
    ...(alias !== undefined && { alias }),
    ...(cert !== undefined && { certificates: readWhole(cert, MOST_KEY_BYTES) }),
  })
}

function newKey({ alias, name, algorithm, bits, days }: Options, now: number): PrivateKeyEntry {
  if (!alias || alias.length > 128) throw new UsageError('--alias is needed')
  if (!name) throw new UsageError('--name is needed')
  const length = days === undefined ? DAYS : Number(days)
  if (!Number.isInteger(length) || length < 1 || length > 100_000) throw new UsageError('--days takes a number of days')
  const subject = parseSubject(name)
  const { keyKind, privateKey, publicKey } = keyPair(algorithm, bits)
  const certificate = writeCertificate({
    spki: publicKey.export({ type: 'spki', format: 'der' }),
    keyKind,
    subject,
    serial: Buffer.concat([Buffer.from([1]), randomBytes(15)]),
    notBefore: now,
    notAfter: now + length * DAY,
    sign: (bytes) => sign('sha256', bytes, privateKey),
  })
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' })
  return { alias, pkcs8, certificates: [readCertificate(certificate)] }
}

const EC_CURVES: Readonly<Record<string, string>> = { 256: 'P-256', 384: 'P-384', 521: 'P-521' }

function keyPair(
  algorithm: string,
  bits: string | undefined,
): { keyKind: 'rsa' | 'ec' | 'dsa'; privateKey: KeyObject; publicKey: KeyObject } {
  if (algorithm === 'ec') {
    const namedCurve = EC_CURVES[bits ?? '256']
    if (!namedCurve) throw new UsageError('--bits of an EC key: 256, 384 or 521')
    return { keyKind: 'ec', ...generateKeyPairSync('ec', { namedCurve }) }
  }
  if (algorithm !== 'rsa' && algorithm !== 'dsa') throw new UsageError(`Unknown algorithm: ${algorithm}`)
  const modulusLength = Number(bits ?? 2048)
  if (![2048, 3072, 4096].includes(modulusLength)) throw new UsageError('--bits: 2048, 3072 or 4096')
  if (algorithm === 'rsa') return { keyKind: 'rsa', ...generateKeyPairSync('rsa', { modulusLength }) }
  return { keyKind: 'dsa', ...generateKeyPairSync('dsa', { modulusLength, divisorLength: 256 }) }
}

/** A key store is never written over another one: a lost key of an application cannot be made again. */
function writeStore(
  file: string,
  type: KeyStoreFormat,
  entry: PrivateKeyEntry,
  passwords: KeyPasswords,
  now: number,
): void {
  if (passwords.store.length < 6) throw new UsageError('A password of 6 characters at least is wanted, as Java does')
  const bytes = writeKeyStore(type, { entry, passwords, random: (count) => randomBytes(count), now })
  const written = new OutputFile(file, [bytes], { mode: 0o600, replace: false })
  try {
    const read = openKeyStore(readWhole(written.temporary), { passwords })
    const same = createPrivateKey({ key: Buffer.from(read.pkcs8), format: 'der', type: 'pkcs8' }).equals(
      createPrivateKey({ key: Buffer.from(entry.pkcs8), format: 'der', type: 'pkcs8' }),
    )
    if (!same) throw new FormatError('keystore', 'judged', -1, 'the key store that was written does not open')
    written.keep()
  } finally {
    written.discard()
  }
}

function factsOf(file: string, { alias, certificates }: PrivateKeyEntry): string {
  const [own] = certificates
  const lines: [string, string][] = [
    ['key store', file],
    ['alias', alias],
    ['signer', own!.subject],
    ['key', `${own!.publicKey.algorithm} ${own!.publicKey.bits}`],
    ['valid', `${new Date(own!.notBefore).toISOString()} to ${new Date(own!.notAfter).toISOString()}`],
    ['SHA-256', own!.fingerprints.sha256],
    ['chain', String(certificates.length)],
  ]
  return lines.map(([name, value]) => `${name.padEnd(9)} ${printable(value)}`).join('\n')
}
