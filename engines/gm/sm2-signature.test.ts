import { createHash, randomBytes } from 'node:crypto'
import { sm2 } from 'sm-crypto'
import { describe, expect, test } from 'vitest'
import { fromHex, toHex, utf8 } from './bytes.ts'
import { publicKeyOf, sm2PrivateKey, sm2Sign, sm2Verify } from './sm2-signature.ts'

const gm = { sm3: (data: Uint8Array) => createHash('sm3').update(data).digest() }

describe('SM2 signatures', () => {
  test('the example of GB/T 32918.5, annex A: its private key, k and message give its r and s', () => {
    const privateKey = 0x3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8n
    const k = '59276e27d506861a16680f3ad9c02dccef3cc1fa3cdbe4ce6d54b80deac1bc21'
    // 48 random bytes whose value modulo (n - 1), plus 1, is k.
    const random = () => fromHex((BigInt(`0x${k}`) - 1n).toString(16).padStart(96, '0'))
    const signature = sm2Sign(gm, privateKey, utf8('message digest'), random)
    expect(toHex(publicKeyOf(privateKey))).toBe(
      '0409f9df311e5421a150dd7d161e4bc5c672179fad1833fc076bb08ff356f35020ccea490ce26775a52dc6ea718cc1aa600aed05fbf35e084a6632f6072da9ad13',
    )
    expect(toHex(signature)).toContain('f5a03b0648d2c4630eeac513e1bb81a15944da3827d5b74143ac7eaceee720b3')
    expect(toHex(signature)).toContain('b1b6aa29df212fd8763182bc0d421ca1bb9038fd1f7f42d4840b69c485bbc1aa')
  })

  test('an independent library accepts our signatures and we accept its own, 30 keys and messages', () => {
    for (let round = 0; round < 30; round++) {
      const privateKey = sm2PrivateKey(randomBytes(32))
      const publicKey = publicKeyOf(privateKey)
      const message = randomBytes(round * 7)
      const ours = sm2Sign(gm, privateKey, message, randomBytes)
      const options = { hash: true, der: true }
      expect(sm2.doVerifySignature([...message], toHex(ours), toHex(publicKey), options)).toBe(true)
      const theirs = fromHex(sm2.doSignature([...message], privateKey.toString(16).padStart(64, '0'), options))
      expect(sm2Verify(gm, publicKey, message, theirs)).toBe(true)
      expect(sm2Verify(gm, publicKey, Buffer.concat([message, Buffer.of(0)]), ours)).toBe(false)
    }
  })

  test('a changed, cut, lengthened or empty signature, and a point that is not on the curve, are refused', () => {
    const privateKey = sm2PrivateKey(randomBytes(32))
    const publicKey = publicKeyOf(privateKey)
    const message = utf8('checkpoint')
    const signature = sm2Sign(gm, privateKey, message, randomBytes)
    expect(sm2Verify(gm, publicKey, message, signature)).toBe(true)
    for (let at = 0; at < signature.length; at++) {
      const changed = signature.slice()
      changed[at] = (changed[at] as number) ^ 1
      expect(sm2Verify(gm, publicKey, message, changed)).toBe(false)
      expect(sm2Verify(gm, publicKey, message, signature.subarray(0, at))).toBe(false)
    }
    expect(sm2Verify(gm, publicKey, message, Buffer.concat([signature, Buffer.of(0)]))).toBe(false)
    const outside = publicKey.slice()
    outside[64] = (outside[64] as number) ^ 1
    expect(sm2Verify(gm, outside, message, signature)).toBe(false)
    expect(sm2Verify(gm, new Uint8Array(65), message, signature)).toBe(false)
  })
})
