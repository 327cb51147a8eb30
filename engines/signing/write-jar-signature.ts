import { hash as hashOf } from 'node:crypto'
import { writeSignedData } from '../x509/write-signed-data.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import type { ZipArchive, ZipEntry, ZipLimits } from '../zip/zip-facts.ts'
import type { EntryDigests } from './entry-digests.ts'
import { readManifest } from './jar-manifest.ts'
import { type JarAlgorithmChoice, refusal, type SigningKey } from './signing-key.ts'

export interface JarSignRequest {
  readonly key: SigningKey
  readonly algorithm: JarAlgorithmChoice
  /** Name of the signature files without ending. */
  readonly name: string
  /** Of the tool, for `Created-By`. */
  readonly createdBy: string
  /** Numbers of the later schemes that the package gets: a package from which they were taken away is then refused. */
  readonly laterSchemes: readonly number[]
  readonly limits?: ZipLimits
  /** Of entries that were digested before, by the hash of `algorithm`. */
  readonly digests?: EntryDigests
}

export interface SignatureFile {
  readonly name: string
  readonly content: Uint8Array
}

const MANIFEST = 'META-INF/MANIFEST.MF'
const LINE = 70
const LINE_END = Buffer.from('\r\n')

/** Files of a JAR signature, which a new one replaces; Java does not look at the case of their names. */
export function isSignatureEntry(name: string): boolean {
  return /^META-INF\/(?:MANIFEST\.MF|SIG-[^/]*|[^/]*\.(?:SF|RSA|DSA|EC))$/i.test(name)
}

/** At most eight characters of an alias, as `jarsigner` makes a file name of it. */
export function signatureFileName(alias: string): string {
  return (
    alias
      .slice(0, 8)
      .toUpperCase()
      .replace(/[^A-Z0-9_-]/g, '_') || 'CERT'
  )
}

/**
 * Manifest, signature file and signature block (JAR file specification, 'Signed JAR file') over the given entries of an archive. The main
 * attributes of the present manifest are kept. Entries are unpacked one by one. Throws FormatError where one cannot be.
 */
export function writeJarSignature(
  zip: ZipArchive,
  entries: readonly ZipEntry[],
  request: JarSignRequest,
): SignatureFile[] {
  const { key, algorithm, name, createdBy, laterSchemes, limits, digests } = request
  const { hash } = algorithm
  const digestName = hash === 'sha1' ? 'SHA1' : 'SHA-256'
  const digest = (bytes: Uint8Array) => hashOf(hash, bytes, 'base64')
  const manifestParts: Uint8Array[] = [mainSection(zip, createdBy)]
  const fileParts: Uint8Array[] = []
  for (const entry of entries) {
    if (entry.isDirectory) continue
    const nameLine = attribute('Name', entry.name)
    const digestLine = (value: string) => Buffer.from(`${digestName}-Digest: ${value}\r\n\r\n`)
    const value = digests?.get(entry) ?? digest(entryBytes(zip, entry, limits))
    const section = Buffer.concat([nameLine, digestLine(value)])
    manifestParts.push(section)
    fileParts.push(nameLine, digestLine(digest(section)))
  }
  const manifest = Buffer.concat(manifestParts)
  const file = Buffer.concat([
    attribute('Signature-Version', '1.0'),
    attribute('Created-By', createdBy),
    attribute(`${digestName}-Digest-Manifest`, digest(manifest)),
    ...(laterSchemes.length ? [attribute('X-Android-APK-Signed', laterSchemes.join(', '))] : []),
    LINE_END,
    ...fileParts,
  ])
  const block = writeSignedData({
    certificates: key.certificates,
    digestAlgorithm: algorithm.digestOid,
    signatureAlgorithm: algorithm.signatureOid,
    signature: key.sign(hash, file),
  })
  return [
    { name: MANIFEST, content: manifest },
    { name: `META-INF/${name}.SF`, content: file },
    { name: `META-INF/${name}.${algorithm.extension}`, content: block },
  ]
}

/** Attributes of the main section that a present manifest has, in their order, else the smallest possible. */
function mainSection(zip: ZipArchive, createdBy: string): Buffer {
  const entry = zip.entries.find(({ name }) => name.toUpperCase() === MANIFEST)
  const bytes = entry && entryBytes(zip, entry)
  const main = bytes && readManifest(firstSection(bytes))[0]
  // A first section with a name belongs to an entry.
  if (!bytes || !main || main.name !== undefined || !main.attributes.has('manifest-version'))
    return Buffer.concat([attribute('Manifest-Version', '1.0'), attribute('Created-By', createdBy), LINE_END])
  const text = Buffer.from(bytes.subarray(main.offset, main.end)).toString('latin1')
  return Buffer.from(`${text.replace(/[\r\n]+$/, '').replace(/\r\n|\r|\n/g, '\r\n')}\r\n\r\n`, 'latin1')
}

/** Up to the first empty line: sections of thousands of entries follow it. */
function firstSection(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const ends = ['\n\n', '\r\r', '\r\n\r\n'].map((end) => text.indexOf(end)).filter((at) => at >= 0)
  return ends.length ? bytes.subarray(0, Math.min(...ends)) : bytes
}

/** A line of a manifest holds 72 bytes with its end; what is longer goes on in lines that begin with a space. */
function attribute(name: string, value: string): Buffer {
  if (/[\r\n\0]/.test(value)) throw refusal('entry-name', `a manifest cannot name ${JSON.stringify(value)}`)
  const bytes = Buffer.from(`${name}: ${value}`)
  const lines = [bytes.subarray(0, LINE), LINE_END]
  for (let at = LINE; at < bytes.length; at += LINE - 1)
    lines.push(Buffer.from(' '), bytes.subarray(at, at + LINE - 1), LINE_END)
  return Buffer.concat(lines)
}
