import { createHash } from 'node:crypto'
import { writeZip } from '../zip-writer.ts'
import { blockSign, signatureBlock, type TestSigner } from './signer.ts'

export type Files = Readonly<Record<string, Uint8Array>>

const CHUNK = 1024 * 1024
const PAGE = 4096

/** The files with a v1 signature. `signedWith` goes into X-Android-APK-Signed. */
export function withV1(
  files: Files,
  signer: TestSigner,
  options: { signedWith?: string; attributes?: boolean; digest?: 'sha256' | 'sha1' } = {},
): Files {
  const { digest: kind = 'sha256' } = options
  const named = kind === 'sha1' ? 'SHA1' : 'SHA-256'
  const digest = (bytes: Uint8Array) => createHash(kind).update(bytes).digest('base64')
  const sections = Object.entries(files).map(([name, content]) => {
    const text = `${folded(`Name: ${name}`)}\r\n${named}-Digest: ${digest(content)}\r\n\r\n`
    return { name, text }
  })
  const manifest = Buffer.from(`Manifest-Version: 1.0\r\n\r\n${sections.map(({ text }) => text).join('')}`)
  const file = Buffer.from(
    [
      'Signature-Version: 1.0\r\n',
      options.signedWith === undefined ? '' : `X-Android-APK-Signed: ${options.signedWith}\r\n`,
      `${named}-Digest-Manifest: ${digest(manifest)}\r\n\r\n`,
      ...sections.map(
        ({ name, text }) => `${folded(`Name: ${name}`)}\r\n${named}-Digest: ${digest(Buffer.from(text))}\r\n\r\n`,
      ),
    ].join(''),
  )
  return {
    ...files,
    'META-INF/MANIFEST.MF': manifest,
    'META-INF/CERT.SF': file,
    'META-INF/CERT.RSA': signatureBlock(signer, file, options.attributes),
  }
}

/** Lines of a JAR manifest hold 70 characters. */
function folded(line: string): string {
  return line.replace(/(?<=^.{70}(?:.{69})*)(?=.)/g, '\r\n ')
}

interface BlockRequest {
  readonly id: number
  readonly value: (content: ContentDigests) => Buffer
}

/** Computes what is to be signed: one digest by kind. */
export type ContentDigests = (kind: 'sha256' | 'sha512' | 'verity') => Buffer

/** A package with a signing block of the given pairs, or without one where there are none. */
export function buildApk(files: Files, blocks: readonly BlockRequest[] = [], aligned = false): Buffer {
  const entries = Object.entries(files).map(([name, data]) => ({ name, data, deflate: data.length >= 64 }))
  const plain = Buffer.from(writeZip(entries))
  if (!blocks.length) return plain
  const directoryAt = plain.readUInt32LE(plain.length - 6)
  const padding = aligned ? (PAGE - (directoryAt % PAGE)) % PAGE : 0
  const before = Buffer.concat([plain.subarray(0, directoryAt), Buffer.alloc(padding)])
  const directory = plain.subarray(directoryAt, -22)
  const endFor = (offset: number) => Buffer.concat([plain.subarray(-22, -6), u32(offset), plain.subarray(-2)])
  const digests = contentDigests([before, directory, endFor(before.length)])
  const pairs = blocks.map(({ id, value }) => pair(id, value(digests)))
  const length = pairs.reduce((sum, one) => sum + one.length, 24)
  const block = Buffer.concat([u64(length), ...pairs, u64(length), Buffer.from('APK Sig Block 42')])
  return Buffer.concat([before, block, directory, endFor(before.length + block.length)])
}

function contentDigests(parts: readonly Buffer[]): ContentDigests {
  return (kind) => {
    if (kind === 'verity') {
      const all = Buffer.concat(parts)
      return Buffer.concat([merkle(all, Buffer.alloc(8)).root, u64(all.length)])
    }
    const chunks = parts.flatMap((part) =>
      Array.from({ length: Math.ceil(part.length / CHUNK) }, (_, i) => part.subarray(i * CHUNK, (i + 1) * CHUNK)),
    )
    const digest = (bytes: Uint8Array) => createHash(kind).update(bytes).digest()
    const hashes = chunks.map((chunk) => digest(Buffer.concat([Buffer.from([0xa5]), u32(chunk.length), chunk])))
    return digest(Buffer.concat([Buffer.from([0x5a]), u32(chunks.length), ...hashes]))
  }
}

/** fs-verity's tree, level by level over whole buffers. */
function merkle(data: Buffer, salt: Buffer): { root: Buffer; tree: Buffer } {
  const padded = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc((PAGE - (bytes.length % PAGE)) % PAGE)])
  const hashes = (bytes: Buffer) =>
    Buffer.concat(
      Array.from({ length: bytes.length / PAGE }, (_, i) =>
        createHash('sha256')
          .update(salt)
          .update(bytes.subarray(i * PAGE, (i + 1) * PAGE))
          .digest(),
      ),
    )
  const levels: Buffer[] = []
  let level = padded(data)
  do {
    level = padded(hashes(level))
    levels.unshift(level)
  } while (level.length > PAGE)
  return { root: createHash('sha256').update(salt).update(level).digest(), tree: Buffer.concat(levels) }
}

const DIGEST_OF: Readonly<Record<number, 'sha256' | 'sha512' | 'verity'>> = {
  257: 'sha256',
  258: 'sha512',
  259: 'sha256',
  260: 'sha512',
  513: 'sha256',
  514: 'sha512',
  1057: 'verity',
  1059: 'verity',
}

interface BlockSignerRequest {
  readonly signer: TestSigner
  /** Algorithm ids; 0x0201 where absent. */
  readonly algorithms?: readonly number[]
  readonly attributes?: readonly (readonly [id: number, value: Buffer])[]
  /** Of a v3 signer. */
  readonly sdk?: readonly [min: number, max: number]
}

/** A v2 signer without `sdk`, a v3 signer with it. */
export function schemeBlock(id: number, ...signers: readonly BlockSignerRequest[]): BlockRequest {
  return { id, value: (digests) => prefixed(Buffer.concat(signers.map((one) => prefixed(blockSigner(one, digests))))) }
}

function blockSigner(request: BlockSignerRequest, digests: ContentDigests): Buffer {
  const { signer, algorithms = [0x0201], attributes = [], sdk } = request
  const versions = sdk ? Buffer.concat(sdk.map(u32)) : Buffer.alloc(0)
  const signed = Buffer.concat([
    prefixed(Buffer.concat(algorithms.map((id) => prefixed(u32(id), prefixed(digests(DIGEST_OF[id] ?? 'sha256')))))),
    prefixed(prefixed(signer.certificate)),
    versions,
    prefixed(Buffer.concat(attributes.map(([id, value]) => prefixed(u32(id), value)))),
  ])
  const signatures = algorithms.map((id) => prefixed(u32(id), prefixed(blockSign(signer, id, signed))))
  return Buffer.concat([prefixed(signed), versions, prefixed(Buffer.concat(signatures)), prefixed(signer.spki)])
}

/** A proof of rotation from the first signer to the last, all with ECDSA and SHA-256. */
export function lineageOf(...signers: readonly TestSigner[]): Buffer {
  const nodes = signers.map((signer, i) => {
    const parent = signers[i - 1]
    const signed = Buffer.concat([prefixed(signer.certificate), u32(parent ? 0x0201 : 0)])
    const signature = parent ? blockSign(parent, 0x0201, signed) : Buffer.alloc(0)
    return prefixed(prefixed(signed), u32(0x17), u32(i < signers.length - 1 ? 0x0201 : 0), prefixed(signature))
  })
  return Buffer.concat([u32(1), ...nodes])
}

/** An .idsig of version 2 over the package. */
export function idsigOf(apk: Buffer, signer: TestSigner, apkDigest: Buffer): Buffer {
  const { root, tree } = merkle(apk, Buffer.alloc(0))
  const hashing = Buffer.concat([u32(1), Buffer.from([12]), u32(0), prefixed(root)])
  const info = Buffer.concat([prefixed(apkDigest), prefixed(signer.certificate), u32(0)])
  const signed = Buffer.concat([u64(apk.length), hashing, info])
  const signature = blockSign(signer, 0x0201, Buffer.concat([u32(signed.length + 4), signed]))
  const signing = Buffer.concat([info, prefixed(signer.spki), u32(0x0201), prefixed(signature)])
  return Buffer.concat([u32(2), prefixed(hashing), prefixed(signing), prefixed(tree)])
}

export function prefixed(...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([u32(body.length), body])
}

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value >>> 0)
  return bytes
}

export function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

function pair(id: number, value: Buffer): Buffer {
  return Buffer.concat([u64(value.length + 4), u32(id), value])
}
