import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { sm2 } from 'sm-crypto'
import { describe, expect, test } from 'vitest'
import { sm2Decrypt, sm2PublicKey } from '#server/http/gm-node.ts'
import { sm2EncryptBrowser } from '#src/shared/api/gm-browser.ts'
import { concat, fromBase64url, fromHex, toBase64url, toHex, utf8 } from './bytes.ts'
import { EnvelopeError, openRequest, openResponse, sealRequest, sealResponse } from './envelope.ts'
import { gmNode } from './gm-openssl.ts'
import { gmPortable } from './gm-portable.ts'
import vectors from './gm-vectors.json' with { type: 'json' }
import { hkdfSm3 } from './primitives.ts'
import { parseSignature, signRequest, verifySignature } from './signature.ts'
import { makeSm2Encrypt } from './sm2-encrypt.ts'

const PRIVATE = fromHex('3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8')
const random = (length: number) => new Uint8Array(randomBytes(length))

describe.each([
  ['Node', gmNode],
  ['plain TypeScript', gmPortable],
])('published vectors hold for %s', (_, gm) => {
  test('SM3 digests equal the published vectors', () => {
    for (const { msg, md } of vectors.sm3) expect(toHex(gm.sm3(fromHex(msg)))).toBe(md)
  })
  test('HMAC-SM3 tags equal the published vectors', () => {
    for (const { key, msg, tag, tagSize, result } of vectors.hmac_sm3) {
      const made = toHex(gm.hmacSm3(fromHex(key), fromHex(msg))).slice(0, tagSize / 4)
      expect(made === tag).toBe(result === 'valid')
    }
  })
  test('SM4-CBC encrypts and decrypts the published vectors', () => {
    for (const { key, iv, pt, ct } of vectors.sm4_cbc) {
      const sealed = gm.sm4Encrypt(fromHex(key), fromHex(iv), fromHex(pt))
      // The vectors have no padding: ours adds one block.
      expect(toHex(sealed.subarray(0, sealed.length - 16))).toBe(ct)
      expect(toHex(gm.sm4Decrypt(fromHex(key), fromHex(iv), sealed) ?? new Uint8Array())).toBe(pt)
    }
  })
  test('HKDF differs by salt, info and key, and gives any length', () => {
    const make = (key: string, salt: string, info: string, length = 96) =>
      toHex(hkdfSm3(gm, utf8(key), utf8(salt), utf8(info), length))
    const all = [make('k', 's', 'i'), make('l', 's', 'i'), make('k', 't', 'i'), make('k', 's', 'j')]
    expect(new Set(all).size).toBe(4)
    expect(make('k', 's', 'i', 40)).toBe(all[0]?.slice(0, 80))
  })
})

test('both sides agree: SM4, HMAC and SM2 of arbitrary bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.uint8Array({ minLength: 16, maxLength: 16 }), (data, key) => {
      expect(gmNode.hmacSm3(key, data)).toEqual(Buffer.from(gmPortable.hmacSm3(key, data)))
      const sealed = gmPortable.sm4Encrypt(key, key, data)
      expect(Buffer.from(gmNode.sm4Decrypt(key, key, sealed) ?? [])).toEqual(Buffer.from(data))
      // Any text of whole blocks: the same plaintext, or a refused padding on both sides.
      const text = data.subarray(0, data.length - (data.length % 16))
      if (text.length)
        expect(toHex(gmPortable.sm4Decrypt(key, key, text) ?? new Uint8Array(99))).toBe(
          toHex(gmNode.sm4Decrypt(key, key, text) ?? new Uint8Array(99)),
        )
    }),
    { numRuns: 60 },
  )
})

test('SM2: the standard example opens; what the browser seals opens; damage does not', () => {
  for (const { d, c1x, c1y, c3, c2, msg } of vectors.sm2_encryption)
    expect(toHex(sm2Decrypt(fromHex(d), fromHex(`04${c1x}${c1y}${c3}${c2}`)) ?? new Uint8Array())).toBe(msg)
  const secret = random(32)
  const sealed = sm2EncryptBrowser(sm2PublicKey(PRIVATE), secret)
  expect(sealed.length).toBe(129)
  expect(toHex(sm2Decrypt(PRIVATE, sealed) ?? new Uint8Array())).toBe(toHex(secret))
  for (const at of [0, 1, 40, 70, 100])
    expect(
      sm2Decrypt(
        PRIVATE,
        sealed.map((byte, i) => (i === at ? byte ^ 1 : byte)),
      ),
    ).toBeUndefined()
})

test('SM2 encryption gives the published ciphertext for the published factor, and another library opens any', () => {
  for (const { d, k, c1x, c1y, c3, c2, msg } of vectors.sm2_encryption) {
    // Factors that the standard excludes are drawn again: 0, and what is not below the order.
    const drawn = [new Uint8Array(32), new Uint8Array(32).fill(255), fromHex(k)]
    const encrypt = makeSm2Encrypt(gmPortable, () => drawn.shift() as Uint8Array)
    expect(toHex(encrypt(sm2PublicKey(fromHex(d)), fromHex(msg)))).toBe(`04${c1x}${c1y}${c3}${c2}`)
  }
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), (message) => {
      const sealed = makeSm2Encrypt(gmPortable, random)(sm2PublicKey(PRIVATE), message)
      const opened = sm2.doDecrypt(toHex(sealed.subarray(1)), toHex(PRIVATE), 1, { output: 'array' })
      expect(Uint8Array.from(opened)).toEqual(message)
    }),
    { numRuns: 20 },
  )
  expect(() => makeSm2Encrypt(gmPortable, random)(new Uint8Array(65).fill(4), utf8('text'))).toThrow()
})

test('base64url has one text for some bytes: padding, other alphabets and loose bits are refused', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(fromBase64url(toBase64url(bytes))).toEqual(bytes)
    }),
  )
  for (const text of ['AA==', 'A', 'AB', 'A+', '/w', 'A A', 'é']) expect(fromBase64url(text)).toBeUndefined()
})

describe('signature', () => {
  const request = { method: 'POST', target: '/api/x?b=1&a=2', tstamp: '1764000000', body: utf8('{"a":1}') }
  const key = random(32)
  test('a request signature is valid for its own request and key alone', () => {
    const parsed = parseSignature(signRequest(gmPortable, request, random(16), key))
    if (!parsed) throw new Error('not parsed')
    expect(verifySignature(gmNode, parsed, request, key)).toBe(true)
    for (const change of [
      { method: 'GET' },
      { target: '/api/x?a=2&b=1' },
      { tstamp: '1764000001' },
      { body: utf8('{"a":2}') },
    ])
      expect(verifySignature(gmNode, parsed, { ...request, ...change }, key)).toBe(false)
    expect(verifySignature(gmNode, parsed, request, random(32))).toBe(false)
    expect(verifySignature(gmNode, parsed, request, undefined)).toBe(false)
  })
  test('a request signature with prefix 0 never denotes a key', () => {
    const parsed = parseSignature(signRequest(gmNode, request, random(16), undefined))
    if (!parsed) throw new Error('not parsed')
    expect(verifySignature(gmNode, parsed, request, undefined)).toBe(true)
    expect(verifySignature(gmNode, parsed, request, key)).toBe(false)
  })
  test('no text makes the parser throw', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseSignature(text)))
    for (const text of ['', '2.a.b', `1.${'A'.repeat(22)}.${'A'.repeat(42)}`, `1.${'A'.repeat(21)}B.${'A'.repeat(43)}`])
      expect(parseSignature(text)).toBeUndefined()
  })
})

describe('envelope', () => {
  const context = { method: 'POST', path: '/api/x/', sid: 'label' }
  const publicKey = sm2PublicKey(PRIVATE)
  const seal = (plain: Uint8Array, over: Partial<Parameters<typeof sealRequest>[1]> = {}) => {
    const rid = random(16)
    const server = { kid: 1, publicKey }
    return {
      rid,
      ...sealRequest(gmPortable, {
        context,
        server,
        tstamp: 1_764_000_000,
        rid,
        random,
        sm2Encrypt: sm2EncryptBrowser,
        plain,
        ...over,
      }),
    }
  }
  const open = (text: string, rid: Uint8Array, over: object = {}) =>
    openRequest(gmNode, text, {
      context,
      tstamp: 1_764_000_000,
      rid,
      unwrap: (kid, wrapped) => (kid === 1 ? sm2Decrypt(PRIVATE, wrapped) : 'unknown'),
      ...over,
    })
  const fault = (work: () => unknown) => {
    try {
      work()
    } catch (error) {
      if (error instanceof EnvelopeError) return error.fault
      throw error
    }
    return 'opened'
  }

  test('any bytes in an envelope are opened unchanged, in both directions', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), (plain) => {
        const { text, rid, channel } = seal(plain)
        const opened = open(text, rid)
        expect(Buffer.from(opened.plain)).toEqual(Buffer.from(plain))
        const answer = sealResponse(gmNode, opened.channel, { status: 200, serverTime: 5, iv: random(16), plain })
        expect(openResponse(gmPortable, channel, answer, 200)).toMatchObject({ serverTime: 5 })
      }),
      { numRuns: 12 },
    )
  })

  test('errors are distinguished as far as is safe', () => {
    const { text, rid } = seal(utf8('{}'))
    const bytes = fromBase64url(text) as Uint8Array
    const with1 = (at: number, value: number) => toBase64url(bytes.map((byte, i) => (i === at ? value : byte)))
    expect(fault(() => open(text, rid))).toBe('opened')
    for (const bad of ['', '!', `${text}=`, text.slice(0, 40), toBase64url(bytes.subarray(0, bytes.length - 1))])
      expect(fault(() => open(bad, rid))).toBe('malformed')
    expect(fault(() => open(with1(0, 2), rid))).toBe('version')
    expect(fault(() => open(with1(1, 2), rid))).toBe('version')
    expect(fault(() => open(with1(3, 9), rid))).toBe('key')
    expect(fault(() => open(with1(11, 9), rid))).toBe('time')
    expect(fault(() => open(text, rid, { tstamp: 1_764_000_001 }))).toBe('time')
    expect(fault(() => open(text, random(16)))).toBe('tampered')
    for (const change of [{ method: 'GET' }, { path: '/api/y/' }, { sid: '' }])
      expect(fault(() => open(text, rid, { context: { ...context, ...change } }))).toBe('tampered')
  })

  test('an envelope with any changed byte is not opened', () => {
    const { text, rid } = seal(utf8('{"a":"b"}'))
    const bytes = fromBase64url(text) as Uint8Array
    fc.assert(
      fc.property(fc.integer({ min: 0, max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const bent = toBase64url(bytes.map((byte, i) => (i === at ? byte ^ flip : byte)))
        expect(fault(() => open(bent, rid))).not.toBe('opened')
      }),
      { numRuns: 80 },
    )
  })

  test('an answer opens for its own request and status alone', () => {
    const mine = seal(utf8('{}'))
    const other = seal(utf8('{}'))
    const { channel } = open(mine.text, mine.rid)
    const answer = sealResponse(gmNode, channel, { status: 200, serverTime: 5, iv: random(16), plain: utf8('{}') })
    expect(fault(() => openResponse(gmNode, mine.channel, answer, 200))).toBe('opened')
    expect(fault(() => openResponse(gmNode, mine.channel, answer, 400))).toBe('tampered')
    expect(fault(() => openResponse(gmNode, other.channel, answer, 200))).toBe('tampered')
    expect(fault(() => openResponse(gmNode, mine.channel, mine.text, 200))).not.toBe('opened')
    expect(fault(() => openResponse(gmNode, mine.channel, '{"plain":1}', 200))).toBe('malformed')
    expect(
      fault(() =>
        openResponse(gmNode, mine.channel, toBase64url(concat(fromBase64url(answer) as Uint8Array, random(16))), 200),
      ),
    ).toBe('tampered')
  })
})
