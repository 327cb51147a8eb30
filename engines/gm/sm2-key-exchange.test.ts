import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { fromHex, toHex, utf8 } from './bytes.ts'
import vectors from './gm-vectors.json' with { type: 'json' }
import { type ExchangeOwner, type ExchangePeer, sm2ExchangeKey } from './sm2-key-exchange.ts'
import { publicKeyOf, sm2PrivateKey } from './sm2-signature.ts'

const gm = { sm3: (data: Uint8Array) => createHash('sm3').update(data).digest() }

function party(id: string): ExchangeOwner {
  const [long, short] = [sm2PrivateKey(randomBytes(48)), sm2PrivateKey(randomBytes(48))]
  const bytes = (scalar: bigint) => fromHex(scalar.toString(16).padStart(64, '0'))
  return {
    id: utf8(id),
    privateKey: bytes(long),
    publicKey: publicKeyOf(long),
    ephemeralPrivateKey: bytes(short),
    ephemeralPublicKey: publicKeyOf(short),
  }
}

describe('SM2 key exchange', () => {
  test('both sides of the example of GB/T 32918.5, annex B, get its key and its two proofs', () => {
    for (const one of vectors.sm2_key_exchange) {
      const a: ExchangeOwner = {
        id: utf8(one.idA),
        privateKey: fromHex(one.dA),
        publicKey: fromHex(one.PA),
        ephemeralPrivateKey: fromHex(one.rA),
        ephemeralPublicKey: fromHex(one.RA),
      }
      const b: ExchangeOwner = {
        id: utf8(one.idB),
        privateKey: fromHex(one.dB),
        publicKey: fromHex(one.PB),
        ephemeralPrivateKey: fromHex(one.rB),
        ephemeralPublicKey: fromHex(one.RB),
      }
      for (const made of [sm2ExchangeKey(gm, 'initiator', a, b, 16), sm2ExchangeKey(gm, 'responder', b, a, 16)]) {
        expect(toHex(made?.key ?? new Uint8Array())).toBe(one.K)
        expect(toHex(made?.responderProof ?? new Uint8Array())).toBe(one.S1_SB)
        expect(toHex(made?.initiatorProof ?? new Uint8Array())).toBe(one.SA_S2)
      }
    }
  })

  test('two parties agree on a key of any length; another identity, key or role gives another one', () => {
    const [a, b, c] = [party('A'), party('B'), party('C')]
    const key = (role: 'initiator' | 'responder', own: ExchangeOwner, peer: ExchangePeer) =>
      toHex(sm2ExchangeKey(gm, role, own, peer, 80)?.key ?? new Uint8Array())
    const agreed = key('initiator', a, b)
    expect(agreed).toHaveLength(160)
    expect(key('responder', b, a)).toBe(agreed)
    const others = [
      key('responder', a, b),
      key('initiator', a, { ...b, id: utf8('E') }),
      key('initiator', { ...a, id: utf8('E') }, b),
      key('initiator', a, { ...b, publicKey: c.publicKey }),
      key('initiator', a, { ...b, ephemeralPublicKey: c.ephemeralPublicKey }),
      key('initiator', a, c),
    ]
    expect(new Set([agreed, ...others]).size).toBe(7)
  })

  test('a point outside the curve, a short one and none at all give no key', () => {
    const [a, b] = [party('A'), party('B')]
    const outside = b.publicKey.map((byte, at) => (at === 64 ? byte ^ 1 : byte))
    for (const bad of [outside, b.publicKey.subarray(0, 64), new Uint8Array(65), new Uint8Array(0)]) {
      expect(sm2ExchangeKey(gm, 'initiator', a, { ...b, publicKey: bad }, 16)).toBeUndefined()
      expect(sm2ExchangeKey(gm, 'initiator', a, { ...b, ephemeralPublicKey: bad }, 16)).toBeUndefined()
    }
  })
})
