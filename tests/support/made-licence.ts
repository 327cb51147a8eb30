import { createHash, randomBytes } from 'node:crypto'
import { toHex } from '#engines/gm/bytes.ts'
import { publicKeyOf, sm2PrivateKey } from '#engines/gm/sm2-signature.ts'
import { type LicenceTerms, writeLicence } from '#engines/licence/licence-code.ts'

/** A vendor of tests: its key is no product's. */
export const gm = { sm3: (data: Uint8Array) => createHash('sm3').update(data).digest() }
const privateKey = sm2PrivateKey(createHash('sm3').update('AppWarden test vendor').digest())
export const TEST_VENDOR_KEY = toHex(publicKeyOf(privateKey))
export const TEST_VENDOR_BYTES = publicKeyOf(privateKey)

const DAY = 86_400_000

export function madeTerms(now: number, more: Partial<LicenceTerms> = {}): LicenceTerms {
  return {
    v: 1,
    id: 'L-TEST-1',
    customer: '示例银行股份有限公司',
    product: 'AW-0123-4567-89AB-CDEF',
    macs: ['3c:ec:ef:5a:81:d4'],
    modules: null,
    applications: null,
    users: null,
    devices: null,
    events_per_day: null,
    issued_at: now,
    not_before: now - DAY,
    not_after: now + 365 * DAY,
    ...more,
  }
}

export function signedLicence(terms: LicenceTerms, key: bigint = privateKey): string {
  return writeLicence(terms, key, gm, randomBytes)
}
