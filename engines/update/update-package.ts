import { FormatError } from '../bytes/format-error.ts'
import { fromHex } from '../gm/bytes.ts'
import type { GmPrimitives } from '../gm/primitives.ts'
import { sm2Verify } from '../gm/sm2-signature.ts'
import { entryBytes, hasSoundChecksum } from '../zip/entry-bytes.ts'
import { readZip } from '../zip/read-zip.ts'
import type { ZipArchive, ZipEntry, ZipLimits } from '../zip/zip-facts.ts'
import { parseManifest, type UpdateManifest } from './update-manifest.ts'

/**
 * The ZIP with which an installation is updated: `manifest.json`, `manifest.json.sm2` (a detached SM2 signature over the manifest's
 * bytes, GB/T 32918.2 with SM3, DER in hexadecimal) and the files of the release below `files/`. Only what the signed manifest names is
 * there, and only what it says of a file is believed: name, mode, size, hash, link. Names and attributes of the ZIP lead nowhere.
 */

export const MANIFEST = 'manifest.json'
export const SIGNATURE = 'manifest.json.sm2'
export const FILES = 'files/'

/** Two to three times what a release has. */
export const UPDATE_LIMITS: ZipLimits & { manifestBytes: number } = {
  entries: 50_000,
  totalSize: 2 * 2 ** 30,
  entrySize: 512 * 2 ** 20,
  entryRatio: 200,
  totalRatio: 100,
  ratioFloor: 16 * 2 ** 20,
  manifestBytes: 16 * 2 ** 20,
}
/** A real one has about 140 hexadecimal digits. */
const SIGNATURE_BYTES = 1024

export type UpdatePackage = {
  manifest: UpdateManifest
  /** Of the key that signed it. */
  signer: Uint8Array
  /** The content of a file of the manifest: its size and hash are compared. Throws FormatError `hash` and what entryBytes throws. */
  read(path: string): Uint8Array
}

type Hashes = Pick<GmPrimitives, 'sm3'> & { sha256(bytes: Uint8Array): string }

/**
 * Reads the package and verifies its manifest's signature with one of the public keys (65 bytes each); the hash of a file is compared
 * when it is read. Throws FormatError of the format `update`: `unsigned`, `signature`, `manifest`, `entries` (what is there is not what
 * the manifest names), `name`, `limit`, `hash`; and those of readZip.
 */
export function readUpdate(
  bytes: Uint8Array,
  keys: readonly Uint8Array[],
  hashes: Hashes,
  limits: typeof UPDATE_LIMITS = UPDATE_LIMITS,
): UpdatePackage {
  const zip = readZip(bytes, limits)
  const problem = [...zip.notes, ...zip.entries.flatMap(({ notes }) => notes)].find(({ key }) => key !== 'link')
  if (problem) throw fail('entries', `${problem.key}: ${problem.detail}`, problem.offset)
  for (const { method, name, centralOffset } of zip.entries)
    if (method !== 0 && method !== 8)
      throw fail('entries', `${printable(name)} is compressed by method ${method}`, centralOffset)
  const manifestBytes = wholeEntry(zip, MANIFEST, limits.manifestBytes, limits)
  if (!zip.byName.has(SIGNATURE)) throw fail('unsigned', 'there is no signature')
  const signature = signatureOf(wholeEntry(zip, SIGNATURE, SIGNATURE_BYTES, limits))
  const signer = signature && keys.find((key) => sm2Verify(hashes, key, manifestBytes, signature))
  if (!signer) throw fail('signature', 'no key of this installation made the signature')
  const manifest = parseManifest(manifestBytes)
  const files = new Map(manifest.files.map((file) => [file.path, file]))
  for (const entry of zip.entries) {
    if (entry.name === MANIFEST || entry.name === SIGNATURE) continue
    const file = entry.name.startsWith(FILES) ? files.get(entry.name.slice(FILES.length)) : undefined
    if (!file) throw fail('entries', `${printable(entry.name)} is not in the manifest`, entry.centralOffset)
    const size = file.link === undefined ? file.size : utf8Length(file.link)
    if (entry.size !== size)
      throw fail('entries', `${printable(entry.name)} has another size than the manifest says`, entry.centralOffset)
  }
  if (zip.entries.length !== files.size + 2) throw fail('entries', 'files of the manifest are missing')
  return {
    manifest,
    signer,
    read(path) {
      const file = files.get(path)
      const entry = zip.byName.get(FILES + path)
      if (!file || file.link !== undefined || !entry)
        throw fail('entries', `${printable(path)} is no file of the update`)
      const content = soundBytes(zip, entry, limits)
      if (hashes.sha256(content) !== file.sha256)
        throw fail('hash', `${printable(path)} is not the file that was signed`, entry.localOffset)
      return content
    },
  }
}

function wholeEntry(zip: ZipArchive, name: string, most: number, limits: ZipLimits): Uint8Array {
  const entry = zip.byName.get(name)
  if (!entry) throw fail('manifest', `there is no ${name}`)
  if (entry.size > most) throw fail('limit', `${name} has ${entry.size} bytes`, entry.centralOffset)
  return soundBytes(zip, entry, limits)
}

function soundBytes(zip: ZipArchive, entry: ZipEntry, limits: ZipLimits): Uint8Array {
  const content = entryBytes(zip, entry, limits)
  if (!hasSoundChecksum(entry, content)) throw fail('hash', `${printable(entry.name)} is damaged`, entry.localOffset)
  return content
}

function signatureOf(bytes: Uint8Array): Uint8Array | undefined {
  const text = new TextDecoder().decode(bytes).trim()
  return /^([\da-f]{2})+$/i.test(text) ? fromHex(text) : undefined
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length
}

function printable(name: string): string {
  return JSON.stringify(name.slice(0, 120))
}

function fail(key: string, message: string, offset = -1): FormatError {
  return new FormatError('update', key, offset, message)
}
