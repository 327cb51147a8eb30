import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { concat, fromHex, toHex, utf8 } from '#engines/gm/bytes.ts'
import { gmPortable } from '#engines/gm/gm-portable.ts'
import { hkdfSm3 } from '#engines/gm/primitives.ts'
import { Sm2Point } from '#engines/gm/sm2-curve.ts'
import { sm2ExchangeKey } from '#engines/gm/sm2-key-exchange.ts'
import { bytesOf, NO_BOUNCY_CASTLE, type SessionRig, startBouncyRig } from '#tests/support/session/session-rig.ts'
import vectors from './vectors.generated.json' with { type: 'json' }

/** Our own primitives against two independent implementations, with lengths around every block boundary. */
const LENGTHS = [0, 1, 15, 16, 17, 31, 32, 55, 56, 63, 64, 65, 100, 1000]

describe.skipIf(NO_BOUNCY_CASTLE)('with Bouncy Castle', () => {
  let rig: SessionRig
  beforeAll(() => {
    rig = startBouncyRig()
  })
  afterAll(() => rig.close())

  test('key exchanges in both roles give the same key and the same proof of the responder', async () => {
    const [clientId, serverId] = [utf8('AW-ENV1-03-client'), utf8('AW-ENV1-03-server-00000007')]
    for (let round = 0; round < 20; round++) {
      const pairs = await Promise.all([1, 2, 3, 4].map(() => rig.ask('pair')))
      const [d1, r1, d2, r2] = pairs.map(([privateKey, publicKey]) => ({
        privateKey: bytesOf(privateKey),
        publicKey: bytesOf(publicKey),
      })) as [Pair, Pair, Pair, Pair]
      const own = (id: Uint8Array, long: Pair, short: Pair) => ({
        id,
        ...long,
        ephemeralPrivateKey: short.privateKey,
        ephemeralPublicKey: short.publicKey,
      })
      const asClient = sm2ExchangeKey(gmPortable, 'initiator', own(clientId, d1, r1), own(serverId, d2, r2), 32)
      const asServer = sm2ExchangeKey(gmPortable, 'responder', own(serverId, d2, r2), own(clientId, d1, r1), 32)
      if (!asClient || !asServer) throw new Error('no key')
      expect(toHex(asServer.key)).toBe(toHex(asClient.key))
      const responder = await rig.ask(
        'exchange',
        'responder',
        serverId,
        d2.privateKey,
        r2.privateKey,
        clientId,
        d1.publicKey,
        r1.publicKey,
      )
      expect(responder).toEqual(
        [asClient.key, asClient.responderProof, asClient.initiatorProof].map((one) => `x${toHex(one)}`),
      )
      const initiator = await rig.ask(
        'exchange',
        'initiator',
        clientId,
        d1.privateKey,
        r1.privateKey,
        serverId,
        d2.publicKey,
        r2.publicKey,
        asServer.responderProof,
      )
      expect(initiator).toEqual([asServer.key, asServer.initiatorProof].map((one) => `x${toHex(one)}`))
    }
  })

  test('SM3, HMAC, HKDF and SM4 give the same bytes for every length', async () => {
    for (const length of LENGTHS) {
      const data = randomBytes(length)
      const [key, iv] = [randomBytes(16), randomBytes(16)]
      const long = randomBytes(length)
      expect(await rig.ask('sm3', data)).toEqual([`x${toHex(gmPortable.sm3(data))}`])
      expect(await rig.ask('hmac', long, data)).toEqual([`x${toHex(gmPortable.hmacSm3(long, data))}`])
      const sealed = gmPortable.sm4Encrypt(key, iv, data)
      expect(await rig.ask('encrypt', key, iv, data)).toEqual([`x${toHex(sealed)}`])
      expect(await rig.ask('decrypt', key, iv, sealed)).toEqual([`x${toHex(data)}`])
      const salt = randomBytes(32)
      const made = hkdfSm3(gmPortable, key, salt, utf8('AW-ENV1-03'), 128)
      expect(await rig.ask('hkdf', key, salt, utf8('AW-ENV1-03'), 128)).toEqual([`x${toHex(made)}`])
    }
  })

  test('it opens the first handshake of the published vectors by itself', async () => {
    const [one] = vectors.handshakes as [(typeof vectors.handshakes)[0]]
    const hello = fromHex(one.hello)
    const answer = fromHex(one.answer)
    const scalar = (bytes: Uint8Array) => {
      const n = Sm2Point.Fn.ORDER
      return fromHex(((BigInt(`0x${toHex(bytes)}`) % (n - 2n)) + 1n).toString(16).padStart(64, '0'))
    }
    const [key, proof] = await rig.ask(
      'exchange',
      'responder',
      utf8('AW-ENV1-03-server-00000001'),
      fromHex(vectors.server_key.private_key),
      scalar(fromHex(one.server_random).subarray(0, 48)),
      utf8('AW-ENV1-03-client'),
      hello.subarray(32, 97),
      hello.subarray(97),
    )
    expect(proof).toBe(`x${toHex(answer.subarray(95, 127))}`)
    const [salt] = await rig.ask('sm3', concat(hello, answer.subarray(0, 95)))
    const [keys] = await rig.ask('hkdf', bytesOf(key), bytesOf(salt), utf8('AW-ENV1-03'), 128)
    const { encrypt_request, mac_request, encrypt_response, mac_response } = one.session
    expect(keys?.slice(1, 193)).toBe(encrypt_request + mac_request + encrypt_response + mac_response)
    const [tag] = await rig.ask('hmac', bytesOf(keys).subarray(96), concat(utf8('ans'), hello, answer.subarray(0, 127)))
    expect(tag).toBe(`x${toHex(answer.subarray(127))}`)
  })
})
type Pair = { privateKey: Uint8Array; publicKey: Uint8Array }

const OPENSSL = spawnSync('openssl', ['version'], { encoding: 'utf8' })
const NO_OPENSSL = /^OpenSSL 3/.test(OPENSSL.stdout ?? '') ? undefined : 'no openssl 3 here'

describe.skipIf(NO_OPENSSL)('with the openssl command', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'aw-openssl-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  function openssl(args: string[], input: Uint8Array = new Uint8Array()): string {
    const { status, stdout, stderr } = spawnSync('openssl', args, { input: Buffer.from(input) })
    if (status !== 0) throw new Error(`openssl ${args[0]}: ${stderr}`)
    return stdout.toString('hex')
  }

  test('SM3, HMAC-SM3 and SM4-CBC give the same bytes for every length', () => {
    for (const length of LENGTHS) {
      const data = randomBytes(length)
      const [key, iv] = [randomBytes(16), randomBytes(16)]
      const [k, v] = [toHex(key), toHex(iv)]
      expect(openssl(['dgst', '-sm3', '-binary'], data)).toBe(toHex(gmPortable.sm3(data)))
      const mac = ['dgst', '-sm3', '-mac', 'HMAC', '-macopt', `hexkey:${k}`, '-binary']
      expect(openssl(mac, data)).toBe(toHex(gmPortable.hmacSm3(key, data)))
      const sealed = gmPortable.sm4Encrypt(key, iv, data)
      expect(openssl(['enc', '-sm4-cbc', '-K', k, '-iv', v], data)).toBe(toHex(sealed))
      expect(openssl(['enc', '-d', '-sm4-cbc', '-K', k, '-iv', v], sealed)).toBe(toHex(data))
    }
  })

  test('a private key has the same public key', () => {
    for (let round = 0; round < 3; round++) {
      const pem = join(folder, `${round}.pem`)
      openssl(['genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:SM2', '-out', pem])
      const text = Buffer.from(openssl(['pkey', '-in', pem, '-noout', '-text']), 'hex').toString()
      const [, priv, pub] = /priv:\s*([\s\S]*?)pub:\s*([\s\S]*?)ASN1/.exec(text) ?? []
      const plain = (part = '') => part.replace(/[\s:]/g, '')
      const scalar = BigInt(`0x${plain(priv)}`)
      expect(Sm2Point.BASE.multiply(scalar).toHex(false)).toBe(plain(pub))
    }
  })

  test('the messages of the published vectors are opened by it alone', () => {
    const session = (vectors.handshakes[0] as (typeof vectors.handshakes)[0]).session
    for (const one of vectors.requests) {
      const message = fromHex(one.message)
      const lp = (text: string) => concat(Uint8Array.of(text.length >> 8, text.length & 255), utf8(text))
      const covered = concat(utf8('req'), lp(one.method), lp(one.path), message.subarray(0, -32))
      writeFileSync(join(folder, 'covered'), covered)
      const mac = [
        'dgst',
        '-sm3',
        '-mac',
        'HMAC',
        '-macopt',
        `hexkey:${session.mac_request}`,
        '-binary',
        join(folder, 'covered'),
      ]
      expect(openssl(mac)).toBe(toHex(message.subarray(-32)))
      const cipher = ['enc', '-d', '-sm4-cbc', '-K', session.encrypt_request, '-iv', toHex(message.subarray(32, 48))]
      expect(openssl(cipher, message.subarray(48, -32))).toBe(one.plaintext)
    }
  })
})
