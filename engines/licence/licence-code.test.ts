import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gm, madeTerms, signedLicence, TEST_VENDOR_BYTES } from '#tests/support/made-licence.ts'
import { toBase64url, utf8 } from '../gm/bytes.ts'
import { publicKeyOf, sm2PrivateKey, sm2Sign } from '../gm/sm2-signature.ts'
import {
  keyFingerprint,
  LICENCE_TEXT_LIMIT,
  type LicenceTerms,
  licenceCodeOf,
  readLicence,
  writeLicence,
} from './licence-code.ts'

const NOW = Date.UTC(2026, 10, 24)
const keys = [TEST_VENDOR_BYTES]
const read = (text: string) => readLicence(text, keys, gm)

/** A code around any text, signed as the vendor would. */
function signedText(text: string, version = 1): string {
  const privateKey = sm2PrivateKey(randomBytes(48))
  const body = toBase64url(utf8(text))
  const signature = sm2Sign(gm, privateKey, utf8(`AW-LICENCE\0AWL1.${body}`), randomBytes)
  signers.push(publicKeyOf(privateKey))
  return `AWL${version}.${body}.${toBase64url(signature)}`
}
const signers: Uint8Array[] = []

describe('licence codes', () => {
  test('[LIC-01] what was written is read back, with the fingerprint of the key', () => {
    const terms = madeTerms(NOW, { modules: ['detection'], applications: 10, users: 0 })
    expect(read(signedLicence(terms))).toEqual({ ok: true, terms, signer: keyFingerprint(gm, TEST_VENDOR_BYTES) })
  })

  test('a wrapped file with comments, blank lines, Windows line ends and a byte order mark is the same code', () => {
    const code = signedLicence(madeTerms(NOW))
    const file = `\ufeff# licence\r\n  # second\r\n${(code.match(/.{1,76}/g) as string[]).join(' \r\n\r\n\t')}\r\n`
    expect(licenceCodeOf(file)).toBe(code)
    expect(read(file).ok).toBe(true)
  })

  test('any allowed terms survive the way through a code (property)', () => {
    const limit = fc.option(fc.nat(1_000_000), { nil: null })
    const mac = fc
      .uint8Array({ minLength: 6, maxLength: 6 })
      .map((one) => [...one].map((byte) => byte.toString(16).padStart(2, '0')).join(':'))
    const given: fc.Arbitrary<LicenceTerms> = fc.record({
      v: fc.constant(1 as const),
      id: fc.stringMatching(/^[\w.-]{1,40}$/),
      customer: fc.stringMatching(/^[A-Za-z\u4e00-\u9fff]{1,60}$/),
      product: fc.stringMatching(/^AW(-[0-9A-HJKMNP-TV-Z]{4}){4}$/),
      macs: fc.uniqueArray(mac, { minLength: 1, maxLength: 5 }),
      modules: fc.option(fc.uniqueArray(fc.constantFrom('detection', 'hardening', 'later_one'), { maxLength: 3 }), {
        nil: null,
      }),
      applications: limit,
      users: limit,
      devices: limit,
      events_per_day: limit,
      issued_at: fc.nat(2 ** 42),
      not_before: fc.nat(2 ** 41),
      not_after: fc.integer({ min: 2 ** 41, max: 2 ** 43 }),
    })
    fc.assert(
      fc.property(given, (terms) => {
        expect(read(signedLicence(terms))).toMatchObject({ ok: true, terms })
      }),
      { numRuns: 40 },
    )
  })

  test('[LIC-01] no code with one changed character is read (every third position)', () => {
    const code = signedLicence(madeTerms(NOW))
    for (let at = 0; at < code.length; at += 3) {
      const other = code[at] === 'A' ? 'B' : 'A'
      const reading = read(code.slice(0, at) + other + code.slice(at + 1))
      expect(reading.ok, `at ${at}`).toBe(false)
    }
  }, 60_000)

  test('a code that is cut off at any place, or goes on, is refused', () => {
    const code = signedLicence(madeTerms(NOW))
    for (let end = 1; end < code.length; end += 7) expect(read(code.slice(0, end)).ok).toBe(false)
    expect(read(`${code}AAAA`).ok).toBe(false)
    expect(read(`${code}.`).ok).toBe(false)
    expect(read(code + code).ok).toBe(false)
  })

  test('[LIC-01] empty, other texts and other versions give different problems', () => {
    const problem = (text: string) => {
      const reading = read(text)
      return reading.ok ? null : reading.problem
    }
    expect(problem('')).toBe('empty')
    expect(problem(' \r\n# only a comment\n')).toBe('empty')
    expect(problem('hello')).toBe('format')
    expect(problem('AWL1..')).toBe('format')
    expect(problem('AWL1.e30.e31')).toBe('format') // not the one canonical base64url of its bytes
    expect(problem('AWL1.e30.e30')).toBe('signature')
    expect(problem('AWL2.e30.e30')).toBe('version')
    expect(problem('A'.repeat(LICENCE_TEXT_LIMIT + 1))).toBe('format')
    expect(problem(signedLicence(madeTerms(NOW), sm2PrivateKey(randomBytes(48))))).toBe('signature')
  })

  test('arbitrary text is refused and never throws (property)', () => {
    fc.assert(fc.property(fc.string({ maxLength: 400, unit: 'binary' }), (text) => !read(text).ok))
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.uint8Array({ maxLength: 100 }),
        (body, signature) => !read(`AWL1.${toBase64url(body)}.${toBase64url(signature)}`).ok,
      ),
    )
  })

  test('signed terms that are incomplete, out of range or hold more than is known are refused', () => {
    const good = madeTerms(NOW)
    const { id: _, ...without } = good
    const bad: unknown[] = [
      null,
      [],
      'text',
      without,
      { ...good, extra: 1 },
      { ...good, v: 2 },
      { ...good, id: '../x' },
      { ...good, customer: '' },
      { ...good, customer: 'a\nb' },
      { ...good, customer: '\u202ebank' },
      { ...good, customer: 'x'.repeat(121) },
      { ...good, product: 'AW-0123-4567-89AB-CDEI' },
      { ...good, macs: [] },
      { ...good, macs: ['3C:EC:EF:5A:81:D4'] },
      { ...good, macs: Array.from({ length: 33 }, (_, i) => `00:00:00:00:00:${i.toString(16).padStart(2, '0')}`) },
      { ...good, macs: [good.macs[0], good.macs[0]] },
      { ...good, modules: ['__proto__'] },
      { ...good, modules: 'all' },
      { ...good, applications: -1 },
      { ...good, applications: 1.5 },
      { ...good, users: '5' },
      { ...good, devices: 1e13 },
      { ...good, not_after: 8.64e15 + 1 },
      { ...good, not_after: good.not_before - 1 },
    ]
    for (const one of bad) {
      const code = signedText(JSON.stringify(one))
      expect(readLicence(code, signers, gm), JSON.stringify(one)).toEqual({ ok: false, problem: 'format' })
    }
    const raw = signedText(`{"__proto__":{},${JSON.stringify(good).slice(1)}`)
    expect(readLicence(raw, signers, gm).ok).toBe(false)
    expect(readLicence(signedText(JSON.stringify(good)), signers, gm).ok).toBe(true)
    expect(() => writeLicence({ ...good, macs: [] }, 5n, gm, randomBytes)).toThrow()
  })

  test('a signature for another purpose with the same key is no licence', () => {
    const privateKey = sm2PrivateKey(randomBytes(48))
    const body = toBase64url(utf8(JSON.stringify(madeTerms(NOW))))
    const signature = sm2Sign(gm, privateKey, utf8(`AWL1.${body}`), randomBytes)
    expect(readLicence(`AWL1.${body}.${toBase64url(signature)}`, [publicKeyOf(privateKey)], gm)).toEqual({
      ok: false,
      problem: 'signature',
    })
  })

  test('the next key is taken beside the current one, and none at all takes nothing', () => {
    const next = sm2PrivateKey(randomBytes(48))
    const code = signedLicence(madeTerms(NOW), next)
    expect(readLicence(code, [TEST_VENDOR_BYTES, publicKeyOf(next)], gm).ok).toBe(true)
    expect(readLicence(code, [], gm)).toEqual({ ok: false, problem: 'signature' })
  })
})
