import { ByteReader } from '../bytes/byte-reader.ts'
import { FormatError } from '../bytes/format-error.ts'
import { type Certificate, readCertificate } from './certificate.ts'
import { children, content, type DerNode, expectTag, isContext, readNode, readOid, TAG } from './der.ts'

/** The public part of a key store: what can be read without its password. Nothing is verified; private keys are skipped unread. */
export interface KeyStore {
  readonly format: 'jks' | 'jceks' | 'bks' | 'pkcs12'
  readonly entries: readonly KeyStoreEntry[]
  /** Parts that are encrypted. */
  readonly locked: number
  readonly privateKeys: number
}

export interface KeyStoreEntry {
  readonly alias: string
  /** key: the chain of a private key. */
  readonly kind: 'key' | 'certificate'
  /** Milliseconds since 1970; null where it is not written. */
  readonly created: number | null
  readonly certificates: readonly Certificate[]
}

const MOST_ENTRIES = 10_000
const MOST_CHAIN = 100
const JKS = 0xfeedfeed
const JCEKS = 0xcececece

/** Format of the key store, or undefined. BKS has no magic number: its version and the length of its salt are checked instead. */
export function keyStoreFormat(bytes: Uint8Array): KeyStore['format'] | undefined {
  if (bytes.length < 12) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const first = view.getUint32(0)
  if (first === JKS) return 'jks'
  if (first === JCEKS) return 'jceks'
  if ((first === 1 || first === 2) && view.getUint32(4) === 20) return 'bks'
  return isPfx(bytes) ? 'pkcs12' : undefined
}

/** Throws FormatError of format `keystore` or `der`. */
export function readKeyStore(bytes: Uint8Array, format: KeyStore['format']): KeyStore {
  if (format === 'pkcs12') return readPkcs12(bytes)
  return format === 'bks' ? readBks(bytes) : readJks(bytes, format)
}

/** The format of Sun's JKS and JCEKS providers: sun.security.provider.JavaKeyStore, com.sun.crypto.provider.JceKeyStore. */
function readJks(bytes: Uint8Array, format: 'jks' | 'jceks'): KeyStore {
  const reader = new ByteReader(bytes, 'keystore', { littleEndian: false, position: 4 })
  const version = reader.u32()
  if (version !== 1 && version !== 2) throw reader.error('version', `version ${version}`)
  const count = bounded(reader, MOST_ENTRIES, 'entries')
  const entries: KeyStoreEntry[] = []
  let locked = 0
  let privateKeys = 0
  const certificate = () => {
    if (version === 2) javaText(reader)
    return readCertificate(reader.slice(reader.u32()))
  }
  for (let i = 0; i < count; i++) {
    const tag = reader.u32()
    const alias = javaText(reader)
    const created = Number(reader.u64())
    if (tag === 1) {
      reader.skip(reader.u32())
      privateKeys++
      const length = bounded(reader, MOST_CHAIN, 'certificates of a chain')
      entries.push({ alias, kind: 'key', created, certificates: Array.from({ length }, certificate) })
    } else if (tag === 2) entries.push({ alias, kind: 'certificate', created, certificates: [certificate()] })
    else if (tag === 3 && format === 'jceks') {
      // A serialised Java object without a length: what follows it cannot be found.
      locked += count - i
      break
    } else throw reader.error('tag', `entry of kind ${tag}`)
  }
  return { format, entries, locked, privateKeys }
}

/** The format of Bouncy Castle's BKS provider: org.bouncycastle.jcajce.provider.keystore.bc.BcKeyStoreSpi. */
function readBks(bytes: Uint8Array): KeyStore {
  const reader = new ByteReader(bytes, 'keystore', { littleEndian: false, position: 4 })
  reader.skip(reader.u32())
  reader.skip(4)
  const entries: KeyStoreEntry[] = []
  let locked = 0
  let privateKeys = 0
  const certificate = () => {
    javaText(reader)
    return readCertificate(reader.slice(reader.u32()))
  }
  for (let kind = reader.u8(); kind !== 0; kind = reader.u8()) {
    if (entries.length + locked >= MOST_ENTRIES) throw reader.error('limit', `more than ${MOST_ENTRIES} entries`)
    const alias = javaText(reader)
    const created = Number(reader.u64())
    const length = bounded(reader, MOST_CHAIN, 'certificates of a chain')
    const chain = Array.from({ length }, certificate)
    if (kind === 1) entries.push({ alias, kind: 'certificate', created, certificates: [...chain, certificate()] })
    else if (kind === 2 || kind === 3 || kind === 4) {
      if (kind === 2) {
        const isPrivate = reader.u8() === 0
        javaText(reader)
        javaText(reader)
        if (isPrivate) privateKeys++
      } else locked++
      reader.skip(reader.u32())
      if (chain.length > 0) entries.push({ alias, kind: 'key', created, certificates: chain })
    } else throw reader.error('tag', `entry of kind ${kind}`)
  }
  return { format: 'bks', entries, locked, privateKeys }
}

const DATA = '1.2.840.113549.1.7.1'
const ENCRYPTED_DATA = '1.2.840.113549.1.7.6'
const BAGS = '1.2.840.113549.1.12.10.1.'
const X509 = '1.2.840.113549.1.9.22.1'
const FRIENDLY_NAME = '1.2.840.113549.1.9.20'

/** PFX of RFC 7292: version 3, then an AuthenticatedSafe whose parts are plain or encrypted. */
function readPkcs12(bytes: Uint8Array): KeyStore {
  const [, safe] = children(expectTag(readNode(bytes), TAG.sequence, 'PFX'))
  const parts = children(
    expectTag(innerData(expectTag(safe, TAG.sequence, 'authenticated safe')), TAG.sequence, 'authenticated safe'),
  )
  const entries: KeyStoreEntry[] = []
  const found = { locked: 0, privateKeys: 0 }
  for (const part of parts) {
    const [type] = children(expectTag(part, TAG.sequence, 'content info'))
    const oid = readOid(expectTag(type, TAG.oid, 'content type'))
    if (oid === DATA) readBags(expectTag(innerData(part), TAG.sequence, 'safe contents'), entries, found, 0)
    else if (oid === ENCRYPTED_DATA) found.locked++
    else throw new FormatError('der', 'unexpected', part.offset, `content type ${oid}`)
  }
  return { format: 'pkcs12', entries, ...found }
}

/** What the octet string of a ContentInfo of type data holds. */
function innerData(info: DerNode): DerNode {
  const [, wrapped] = children(info)
  if (!isContext(wrapped, 0)) throw new FormatError('der', 'unexpected', info.offset, 'content info without content')
  return readNode(content(expectTag(children(wrapped)[0], TAG.octetString, 'content')))
}

function readBags(
  bags: DerNode,
  entries: KeyStoreEntry[],
  found: { locked: number; privateKeys: number },
  depth: number,
): void {
  if (depth > 8) throw new FormatError('der', 'depth', bags.offset, 'bags inside of bags')
  for (const bag of children(bags)) {
    const [type, value, attributes] = children(expectTag(bag, TAG.sequence, 'bag'))
    const oid = readOid(expectTag(type, TAG.oid, 'kind of a bag'))
    if (!oid.startsWith(BAGS) || !isContext(value, 0)) continue
    if (entries.length >= MOST_ENTRIES)
      throw new FormatError('der', 'limit', bag.offset, `more than ${MOST_ENTRIES} bags`)
    const kind = oid.slice(BAGS.length)
    const inner = children(value)[0]
    // 1 key, 2 shrouded key, 3 certificate, 6 bags again.
    if (kind === '1' || kind === '2') found.privateKeys++
    else if (kind === '6') readBags(expectTag(inner, TAG.sequence, 'safe contents'), entries, found, depth + 1)
    else if (kind === '3') {
      const [form, wrapped] = children(expectTag(inner, TAG.sequence, 'certificate bag'))
      if (readOid(expectTag(form, TAG.oid, 'form of a certificate')) !== X509 || !isContext(wrapped, 0)) continue
      const der = content(expectTag(children(wrapped)[0], TAG.octetString, 'certificate'))
      entries.push({
        alias: friendlyName(attributes),
        kind: 'certificate',
        created: null,
        certificates: [readCertificate(der)],
      })
    }
  }
}

/** The friendly name (BMPString) among the attributes of a bag, or ''. */
function friendlyName(attributes: DerNode | undefined): string {
  if (attributes?.tag !== TAG.set) return ''
  for (const attribute of children(attributes)) {
    const [type, values] = children(attribute)
    if (type?.tag !== TAG.oid || readOid(type) !== FRIENDLY_NAME || !values) continue
    const value = children(values)[0]
    const text = value && content(value)
    if (text)
      return Buffer.from(text.slice(0, Math.min(512, text.length & ~1)))
        .swap16()
        .toString('utf16le')
  }
  return ''
}

function isPfx(bytes: Uint8Array): boolean {
  try {
    const [version, safe] = children(expectTag(readNode(bytes), TAG.sequence, 'PFX'))
    const number = content(expectTag(version, TAG.integer, 'version'))
    const [type] = children(expectTag(safe, TAG.sequence, 'authenticated safe'))
    return number.length === 1 && number[0] === 3 && readOid(expectTag(type, TAG.oid, 'content type')) === DATA
  } catch (error) {
    if (error instanceof FormatError) return false
    throw error
  }
}

/** Text as Java's DataOutput writes it: length in 16 bits, then modified UTF-8. */
function javaText(reader: ByteReader): string {
  return Buffer.from(reader.slice(reader.u16())).toString('utf8')
}

function bounded(reader: ByteReader, most: number, what: string): number {
  const count = reader.u32()
  if (count > most) throw reader.error('limit', `${count} ${what}`)
  return count
}
