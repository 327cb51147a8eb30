import { copyEntries } from '../zip/copy-entries.ts'
import type { ZipArchive, ZipEntry, ZipLimits } from '../zip/zip-facts.ts'
import { ZipWriter } from '../zip/zip-writer.ts'
import { type Pieces, sizeOf } from './content-digests.ts'
import { refuseOddArchive } from './refuse-odd-archive.ts'
import { SDK } from './signing-facts.ts'
import { jarAlgorithmFor, ownCertificate, type SigningKey } from './signing-key.ts'
import { isSignatureEntry, signatureFileName, writeJarSignature } from './write-jar-signature.ts'

interface JarRequest {
  readonly key: SigningKey
  readonly alias: string
  readonly createdBy: string
  readonly limits?: ZipLimits
}

interface SignedJar {
  readonly pieces: Pieces
  readonly size: number
  /** Files of the signature that the input had. */
  readonly removed: readonly string[]
}

/**
 * Signs a bundle (AAB), library or JAR as `jarsigner` does: every file is signed, a present signature is replaced. Throws FormatError of
 * format `signing` or `zip`.
 */
export function signJar(zip: ZipArchive, { key, alias, createdBy, limits }: JarRequest): SignedJar {
  refuseOddArchive(zip)
  const kept = zip.entries.filter(({ name }) => !isSignatureEntry(name))
  const chosen = new Set<ZipEntry>(kept)
  const pieces: Uint8Array[] = []
  const writer = new ZipWriter((bytes) => pieces.push(bytes))
  const files = writeJarSignature(zip, kept, {
    key,
    algorithm: jarAlgorithmFor(ownCertificate(key), SDK.n),
    name: signatureFileName(alias),
    createdBy,
    laterSchemes: [],
    ...(limits && { limits }),
  })
  // Readers that see an archive as a stream want the signature first.
  for (const { name, content } of files) writer.add(name, content)
  copyEntries(zip, writer, (entry) => chosen.has(entry))
  writer.finish(zip.comment)
  return {
    pieces,
    size: sizeOf(pieces),
    removed: zip.entries.filter(({ name }) => isSignatureEntry(name)).map(({ name }) => name),
  }
}
