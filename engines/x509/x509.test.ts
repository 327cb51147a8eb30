import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bits, der, integer, octets, oid, sequence, set } from '#tests/support/apk/der-writer.ts'
import { makeSigner, signatureBlock } from '#tests/support/apk/signer.ts'
import { FormatError } from '../bytes/format-error.ts'
import { readCertificate } from './certificate.ts'
import { children, content, type DerNote, readNode, readOid } from './der.ts'
import { readName } from './distinguished-name.ts'
import { keyObject, readPublicKey } from './public-key.ts'
import { certificateOf, readSignedData } from './signed-data.ts'

const onlyFormatErrors = (read: () => unknown): boolean => {
  try {
    read()
    return true
  } catch (error) {
    return error instanceof FormatError
  }
}

test('a certificate gives its facts', () => {
  const signer = makeSigner('App, "Inc"', 'rsa', { keyUsage: 0x80 })
  expect(readCertificate(signer.certificate)).toMatchObject({
    version: 3,
    serial: '07',
    subject: 'CN="App, \\"Inc\\"", C=CN',
    issuer: 'CN="App, \\"Inc\\"", C=CN',
    notBefore: Date.UTC(2020, 0, 1),
    notAfter: Date.UTC(2050, 0, 1),
    signatureAlgorithm: 'SHA256withRSA',
    publicKey: { algorithm: 'RSA', bits: 2048 },
    signingUse: true,
    unknownCritical: [],
    notes: [],
  })
  expect(readCertificate(makeSigner('ec').certificate).publicKey).toMatchObject({
    algorithm: 'EC',
    bits: 256,
    curve: 'P-256',
  })
})

test('bytes behind a certificate make it another one, as for Android', () => {
  const { certificate } = makeSigner('one')
  const more = readCertificate(Buffer.concat([certificate, certificate]))
  expect(more.notes).toEqual([{ key: 'trailing-bytes', offset: certificate.length }])
  expect(more.fingerprints.sha256).not.toBe(readCertificate(certificate).fingerprints.sha256)
})

test('object identifiers of all sizes round trip', () => {
  const arc = fc.integer({ min: 0, max: 0xfffffff })
  fc.assert(
    fc.property(fc.constantFrom(0, 1), fc.nat(39), fc.array(arc, { maxLength: 8 }), (top, second, rest) => {
      const dotted = [top, second, ...rest].join('.')
      return readOid(readNode(oid(dotted))) === dotted
    }),
  )
})

test('long and indefinite lengths are read, and noted', () => {
  const notes: DerNote[] = []
  expect(content(readNode(Buffer.from([4, 0x82, 0, 1, 9]), 0, 5, notes))).toEqual(Buffer.from([9]))
  const open = Buffer.from([0x30, 0x80, 0x30, 0x80, 4, 1, 7, 0, 0, 4, 1, 8, 0, 0])
  const outer = readNode(open, 0, open.length, notes)
  expect(children(outer, notes).map(({ offset, end }) => [offset, end])).toEqual([
    [2, 9],
    [9, 12],
  ])
  expect(notes.map(({ key }) => key)).toEqual(['non-minimal-length', 'indefinite-length', 'indefinite-length'])
  expect(() => readNode(Buffer.alloc(400).fill(Buffer.from([0x30, 0x80])))).toThrow('nested too deeply')
})

test('names with bytes that are not of their type are read unchanged', () => {
  const notes: DerNote[] = []
  const name = sequence(set(sequence(oid('2.5.4.3'), der(0x0c, Buffer.from([0x41, 0xe9])))))
  expect(readName(readNode(name), notes)).toBe('CN=Aé')
  expect(notes).toEqual([{ key: 'string-bytes', offset: 11 }])
  const wide = sequence(set(sequence(oid('1.2.3.4'), der(0x1e, Buffer.from('4e2d6587', 'hex')))))
  expect(readName(readNode(wide), notes)).toBe('OID.1.2.3.4=中文')
})

test('an RSA modulus without its zero byte is completed, so that the key can be used', () => {
  const { spki } = makeSigner('rsa', 'rsa')
  const [identifier, key] = children(readNode(spki))
  if (!identifier || !key) throw new Error('no key')
  const [modulus] = children(readNode(spki, key.contentOffset + 1))
  if (!modulus) throw new Error('no modulus')
  const negative = sequence(
    spki.subarray(identifier.offset, identifier.end),
    bits(sequence(der(2, content(modulus).subarray(1)), integer(1, 0, 1))),
  )
  const notes: DerNote[] = []
  const read = readPublicKey(readNode(negative), notes)
  expect(Buffer.from(read.spki)).toEqual(spki)
  expect(notes.map(({ key }) => key)).toEqual(['negative-modulus'])
  expect(keyObject(read.spki)?.asymmetricKeyType).toBe('rsa')
  expect(keyObject(negative.subarray(3))).toBeUndefined()
})

test('a key with redundant lengths is given as DER', () => {
  const { spki } = makeSigner('ec')
  const notes: DerNote[] = []
  const wide = Buffer.concat([Buffer.from([0x30, 0x82, 0, spki.length - 2]), spki.subarray(2)])
  expect(readPublicKey(readNode(wide), notes).spki).toEqual(spki)
  expect(notes.map(({ key }) => key)).toEqual(['non-minimal-length'])
})

test('signed data gives its signer and the certificate it points at', () => {
  const signer = makeSigner('jar')
  const block = signatureBlock(signer, Buffer.from('file'), true)
  const before = Buffer.from(block)
  const data = readSignedData(block)
  expect(block).toEqual(before)
  expect(data.signers[0]?.signedAttributes?.contentType).toBe('1.2.840.113549.1.7.1')
  const found = data.signers[0] && certificateOf(data.signers[0], data.certificates)
  expect(found?.der).toEqual(signer.certificate)
  expect(certificateOf({ ...data.signers[0]!, serial: '08' }, data.certificates)).toBeUndefined()
  expect(() => readSignedData(sequence(oid('1.2.3'), der(0xa0, octets(Buffer.alloc(1)))))).toThrow('no signed data')
})

test('changed and random bytes give FormatError or facts, nothing else', { timeout: 30_000 }, () => {
  const block = signatureBlock(makeSigner('jar', 'rsa', { keyUsage: 0x80 }), Buffer.from('file'), true)
  const change = fc.array(fc.tuple(fc.nat(block.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(change, fc.nat(block.length), (changes, cut) => {
      const copy = Buffer.from(block)
      for (const [at, to] of changes) copy[at] = to
      return (
        onlyFormatErrors(() => readSignedData(copy)) && onlyFormatErrors(() => readSignedData(copy.subarray(0, cut)))
      )
    }),
    { numRuns: 400 },
  )
  fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => onlyFormatErrors(() => readCertificate(bytes))))
})
