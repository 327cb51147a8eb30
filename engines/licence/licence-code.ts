import { concat, fromBase64url, toBase64url, utf8 } from '../gm/bytes.ts'
import type { GmPrimitives } from '../gm/primitives.ts'
import { sm2Sign, sm2Verify } from '../gm/sm2-signature.ts'

/**
 * The offline licence of an installation: `AWL1.<terms>.<signature>`, the terms as JSON and the signature (SM2 with SM3, GB/T 32918.2,
 * DER) both in base64url without padding. The signature covers a domain string and the first two parts. White space is ignored, so a
 * code may be wrapped, and lines that begin with `#` are comments. The digit is the version of the format.
 */

/** What a licence grants. Times are epoch milliseconds; a number of null means without limit. */
export type LicenceTerms = {
  v: 1
  /** Names the licence towards its issuer. */
  id: string
  customer: string
  /** Product code of the installation that it is for. */
  product: string
  /** MAC addresses, one of which the machine has: lower case with colons. */
  macs: string[]
  /** Names of the licensed modules; null: all. */
  modules: string[] | null
  applications: number | null
  users: number | null
  devices: number | null
  events_per_day: number | null
  issued_at: number
  not_before: number
  /** The last moment at which it is valid. */
  not_after: number
}

export type LicenceReading =
  | { ok: true; terms: LicenceTerms /** Fingerprint of the key that signed it. */; signer: string }
  /** `empty`: nothing was given; `format`: no licence; `version`: of another format; `signature`: not by one of the keys, or changed. */
  | { ok: false; problem: 'empty' | 'format' | 'version' | 'signature' }

/** Longer texts are refused before anything is decoded. */
export const LICENCE_TEXT_LIMIT = 16_384
export const MAC = /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/
/** Groups without the letters I, L, O and U, which are mistaken for digits or make words. */
export const PRODUCT_CODE = /^AW(-[0-9A-HJKMNP-TV-Z]{4}){4}$/
/** The latest time that a date has (ECMA-262, 21.4.1.1). */
const LAST_TIME = 8.64e15
const DOMAIN = utf8('AW-LICENCE\0')

/** Reads a licence and checks its signature against the uncompressed public points of `keys`; no clock, no machine. Never throws. */
export function readLicence(text: string, keys: readonly Uint8Array[], gm: Pick<GmPrimitives, 'sm3'>): LicenceReading {
  if (text.length > LICENCE_TEXT_LIMIT) return { ok: false, problem: 'format' }
  const code = licenceCodeOf(text)
  if (code === '') return { ok: false, problem: 'empty' }
  const match = /^AWL(\d{1,3})\.([\w-]+)\.([\w-]+)$/.exec(code)
  if (!match) return { ok: false, problem: 'format' }
  const [, version, body, signed] = match as unknown as [string, string, string, string]
  const bytes = fromBase64url(body)
  const signature = fromBase64url(signed)
  if (!bytes || !signature) return { ok: false, problem: 'format' }
  if (version !== '1') return { ok: false, problem: 'version' }
  const key = keys.find((one) => sm2Verify(gm, one, signedBytes(body), signature))
  if (!key) return { ok: false, problem: 'signature' }
  const terms = parseTerms(bytes)
  return terms ? { ok: true, terms, signer: keyFingerprint(gm, key) } : { ok: false, problem: 'format' }
}

/** The code of these terms. Throws Error for terms that no reader would take. `random` gives that many random bytes. */
export function writeLicence(
  terms: LicenceTerms,
  privateKey: bigint,
  gm: Pick<GmPrimitives, 'sm3'>,
  random: (size: number) => Uint8Array,
): string {
  const bytes = utf8(JSON.stringify(terms))
  if (!parseTerms(bytes)) throw new Error('These terms are not complete or out of range')
  const body = toBase64url(bytes)
  const code = `AWL1.${body}.${toBase64url(sm2Sign(gm, privateKey, signedBytes(body), random))}`
  if (code.length > LICENCE_TEXT_LIMIT) throw new Error('These terms are too long')
  return code
}

/** The code in a text or file: without comments, white space and byte order mark. */
export function licenceCodeOf(text: string): string {
  return text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .filter((line) => !/^\s*#/.test(line))
    .join('')
    .replace(/\s+/g, '')
}

/** The first 8 bytes of SM3 over the public point, in hex: short enough to compare by eye. */
export function keyFingerprint({ sm3 }: Pick<GmPrimitives, 'sm3'>, publicKey: Uint8Array): string {
  return Array.from(sm3(publicKey).subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function signedBytes(body: string): Uint8Array {
  return concat(DOMAIN, utf8(`AWL1.${body}`))
}

function parseTerms(bytes: Uint8Array): LicenceTerms | undefined {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const given = value as Record<string, unknown>
  const names = Object.keys(CHECKS) as (keyof LicenceTerms)[]
  if (Object.keys(given).length !== names.length) return undefined
  if (!names.every((name) => Object.hasOwn(given, name) && CHECKS[name](given[name]))) return undefined
  const terms = given as LicenceTerms
  return terms.not_before <= terms.not_after ? terms : undefined
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const LINE = /^[^\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+$/
const isLine = (most: number) => (value: unknown) =>
  typeof value === 'string' && value.length <= most && LINE.test(value) && value.trim() === value
const isTime = (value: unknown) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= LAST_TIME
const isLimit = (value: unknown) =>
  value === null || (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 1e12)
const isList = (of: RegExp, least: number, most: number) => (value: unknown) =>
  Array.isArray(value) &&
  value.length >= least &&
  value.length <= most &&
  new Set(value).size === value.length &&
  value.every((one) => typeof one === 'string' && of.test(one))

const CHECKS: Readonly<Record<keyof LicenceTerms, (value: unknown) => boolean>> = {
  v: (value) => value === 1,
  id: (value) => typeof value === 'string' && /^[\w.-]{1,40}$/.test(value),
  customer: isLine(120),
  product: (value) => typeof value === 'string' && PRODUCT_CODE.test(value),
  macs: isList(MAC, 1, 32),
  modules: (value) => value === null || isList(/^[a-z][a-z_]{0,29}$/, 0, 40)(value),
  applications: isLimit,
  users: isLimit,
  devices: isLimit,
  events_per_day: isLimit,
  issued_at: isTime,
  not_before: isTime,
  not_after: isTime,
}
