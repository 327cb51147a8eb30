import { createHmac, pbkdf2Sync } from 'node:crypto'
import { FormatError } from '../bytes/format-error.ts'
import { type Certificate, readCertificate } from '../x509/certificate.ts'
import { children, content, type DerNode, encoded, expectTag, isContext, readNode, readOid, TAG } from '../x509/der.ts'
import { decryptWithPassword, type KeyStoreWork, octetsOf } from './password-encryption.ts'
import { bmpPassword, PURPOSE, pkcs12Derive } from './pkcs12-derivation.ts'
import { asPasswordError, chainFor, keyStoreError, type LockedKey } from './private-key-entry.ts'

const DATA = '1.2.840.113549.1.7.1'
const ENCRYPTED_DATA = '1.2.840.113549.1.7.6'
const BAGS = '1.2.840.113549.1.12.10.1.'
const X509 = '1.2.840.113549.1.9.22.1'
const FRIENDLY_NAME = '1.2.840.113549.1.9.20'
const LOCAL_KEY_ID = '1.2.840.113549.1.9.21'
const PBMAC1 = '1.2.840.113549.1.5.14'
const MOST_BAGS = 10_000

const HASHES: Readonly<Record<string, string>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}
const HMACS: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.8': 'sha224',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
}

interface KeyBag {
  readonly name: string
  readonly keyId: string
  readonly open: (password: string) => Uint8Array
}

interface CertificateBag {
  readonly keyId: string
  readonly certificate: Certificate
}

interface Bags {
  readonly keys: KeyBag[]
  readonly certificates: CertificateBag[]
  count: number
}

/**
 * Private keys of a PKCS#12 file (RFC 7292): with or without a MAC (also PBMAC1 of RFC 9579), parts plain or encrypted. Throws FormatError
 * of format `keystore`: `store-password` where the MAC does not fit or a part does not open; of format `der`.
 */
export function openPkcs12(bytes: Uint8Array, password: string, work: KeyStoreWork): LockedKey[] {
  const [, safe, mac] = children(expectTag(readNode(bytes), TAG.sequence, 'PFX'))
  const authenticated = dataOf(expectTag(safe, TAG.sequence, 'authenticated safe'))
  if (mac && !macHolds(mac, authenticated, password, work))
    throw keyStoreError('store-password', 'the store password is wrong')
  const bags: Bags = { keys: [], certificates: [], count: 0 }
  for (const part of children(expectTag(readNode(authenticated), TAG.sequence, 'authenticated safe')))
    readBags(
      asPasswordError('store-password', () => contentsOf(part, password, work)),
      bags,
      work,
      0,
    )
  const all = bags.certificates.map(({ certificate }) => certificate)
  return bags.keys.map(({ name, keyId, open }, i) => ({
    // As Java calls what has no name.
    alias: name || String(i + 1),
    open: (secret) => {
      const pkcs8 = open(secret)
      const own = bags.certificates.filter((one) => keyId && one.keyId === keyId).map(({ certificate }) => certificate)
      return { pkcs8, certificates: chainFor(pkcs8, [...own, ...all.filter((one) => !own.includes(one))]) }
    },
  }))
}

/** The safe contents of one part. */
function contentsOf(part: DerNode, password: string, work: KeyStoreWork): DerNode {
  const [type, wrapped] = children(expectTag(part, TAG.sequence, 'content info'))
  const oid = readOid(expectTag(type, TAG.oid, 'content type'))
  if (oid === DATA) return expectTag(readNode(dataOf(part)), TAG.sequence, 'safe contents')
  if (oid !== ENCRYPTED_DATA || !isContext(wrapped, 0))
    throw keyStoreError('algorithm', `a part of content type ${oid} is not read`)
  const [, info] = children(expectTag(children(wrapped)[0], TAG.sequence, 'encrypted data'))
  const [, algorithm, encrypted] = children(expectTag(info, TAG.sequence, 'encrypted content'))
  const plain = decryptWithPassword(
    expectTag(algorithm, TAG.sequence, 'algorithm'),
    octetsOf(encrypted, 'encrypted content'),
    password,
    work,
  )
  return expectTag(readNode(plain), TAG.sequence, 'safe contents')
}

/** What the octet string of a ContentInfo of type data holds. */
function dataOf(info: DerNode): Uint8Array {
  const [type, wrapped] = children(info)
  const oid = readOid(expectTag(type, TAG.oid, 'content type'))
  if (oid !== DATA || !isContext(wrapped, 0))
    throw keyStoreError('algorithm', `a PKCS#12 file that is signed (${oid}) is not read`)
  return octetsOf(expectTag(children(wrapped)[0], TAG.octetString, 'content'), 'content')
}

function macHolds(node: DerNode, authenticated: Uint8Array, password: string, work: KeyStoreWork): boolean {
  const [digestInfo, saltNode, iterationNode] = children(expectTag(node, TAG.sequence, 'MAC'))
  const [algorithm, digest] = children(expectTag(digestInfo, TAG.sequence, 'digest of the MAC'))
  const [oidNode, parameters] = children(expectTag(algorithm, TAG.sequence, 'algorithm of the MAC'))
  const oid = readOid(expectTag(oidNode, TAG.oid, 'algorithm of the MAC'))
  const expected = content(expectTag(digest, TAG.octetString, 'MAC'))
  if (oid === PBMAC1) return pbmac1(parameters, authenticated, password, work).equals(expected)
  const hash = HASHES[oid]
  if (!hash) throw keyStoreError('algorithm', `a MAC with ${oid} is not known here`)
  const salt = content(expectTag(saltNode, TAG.octetString, 'salt of the MAC'))
  const iterations = iterationNode ? work.iterations(iterationNode) : 1
  const length = hash === 'sha224' ? 28 : hash === 'sha1' ? 20 : Number(hash.slice(3)) / 8
  // An empty password is written with its zero bytes by some and as nothing by others.
  const encodings = password === '' ? [bmpPassword(''), new Uint8Array()] : [bmpPassword(password)]
  return encodings.some((secret) => {
    const key = pkcs12Derive(hash, secret, salt, iterations, PURPOSE.mac, length)
    return createHmac(hash, key).update(authenticated).digest().equals(expected)
  })
}

function pbmac1(
  parameters: DerNode | undefined,
  authenticated: Uint8Array,
  password: string,
  work: KeyStoreWork,
): Buffer {
  const [derivation, scheme] = children(expectTag(parameters, TAG.sequence, 'parameters of PBMAC1'))
  const [, values] = children(expectTag(derivation, TAG.sequence, 'key derivation'))
  const [salt, iterations, length, random] = children(expectTag(values, TAG.sequence, 'parameters of PBKDF2'))
  const hmac = (node: DerNode | undefined) => {
    const oid = readOid(expectTag(children(expectTag(node, TAG.sequence, 'HMAC'))[0], TAG.oid, 'HMAC'))
    const hash = HMACS[oid]
    if (!hash) throw keyStoreError('algorithm', `a MAC with ${oid} is not known here`)
    return hash
  }
  const size = content(expectTag(length, TAG.integer, 'length of the key'))
  if (size.length !== 1 || size[0]! < 1 || size[0]! > 64) throw keyStoreError('limit', 'length of the key of the MAC')
  const key = pbkdf2Sync(
    password,
    content(expectTag(salt, TAG.octetString, 'salt')),
    work.iterations(iterations),
    size[0]!,
    hmac(random),
  )
  return createHmac(hmac(scheme), key).update(authenticated).digest()
}

function readBags(list: DerNode, bags: Bags, work: KeyStoreWork, depth: number): void {
  if (depth > 8) throw new FormatError('der', 'depth', list.offset, 'bags inside of bags')
  for (const bag of children(list)) {
    const [type, value, attributes] = children(expectTag(bag, TAG.sequence, 'bag'))
    const oid = readOid(expectTag(type, TAG.oid, 'kind of a bag'))
    if (!oid.startsWith(BAGS) || !isContext(value, 0)) continue
    if (++bags.count > MOST_BAGS) throw new FormatError('der', 'limit', bag.offset, `more than ${MOST_BAGS} bags`)
    const inner = expectTag(children(value)[0], TAG.sequence, 'content of a bag')
    const { name, keyId } = readAttributes(attributes)
    const kind = oid.slice(BAGS.length)
    if (kind === '1') bags.keys.push({ name, keyId, open: () => encoded(inner) })
    else if (kind === '2') bags.keys.push({ name, keyId, open: (password) => openShrouded(inner, password, work) })
    else if (kind === '6') readBags(inner, bags, work, depth + 1)
    else if (kind === '3') {
      const [form, wrapped] = children(inner)
      if (readOid(expectTag(form, TAG.oid, 'form of a certificate')) !== X509 || !isContext(wrapped, 0)) continue
      const der = octetsOf(expectTag(children(wrapped)[0], TAG.octetString, 'certificate'), 'certificate')
      bags.certificates.push({ keyId, certificate: readCertificate(der) })
    }
  }
}

/** An encrypted PrivateKeyInfo (PKCS#8). Throws FormatError `key-password`. */
export function openShrouded(node: DerNode, password: string, work: KeyStoreWork): Uint8Array {
  const [algorithm, encrypted] = children(node)
  const data = octetsOf(expectTag(encrypted, TAG.octetString, 'encrypted key'), 'encrypted key')
  return asPasswordError('key-password', () => {
    const plain = decryptWithPassword(expectTag(algorithm, TAG.sequence, 'algorithm'), data, password, work)
    const key = expectTag(readNode(plain), TAG.sequence, 'private key')
    return plain.subarray(key.offset, key.end)
  })
}

function readAttributes(node: DerNode | undefined): { name: string; keyId: string } {
  const found = { name: '', keyId: '' }
  if (node?.tagClass !== 0 || node.tag !== TAG.set) return found
  for (const attribute of children(node)) {
    const [type, values] = children(expectTag(attribute, TAG.sequence, 'attribute'))
    const [value] = values?.constructed ? children(values) : []
    if (!value || type?.tag !== TAG.oid) continue
    const oid = readOid(type)
    const bytes = content(value)
    if (oid === LOCAL_KEY_ID) found.keyId = Buffer.from(bytes).toString('hex')
    if (oid === FRIENDLY_NAME)
      found.name = Buffer.from(bytes.slice(0, Math.min(512, bytes.length & ~1)))
        .swap16()
        .toString('utf16le')
  }
  return found
}
