import type { ContentDigest } from './block-algorithms.ts'
import { blockAlgorithm } from './block-algorithms.ts'
import { prefixed, u32, u64 } from './block-bytes.ts'
import { blockAlgorithmFor, ownCertificate, type SigningKey } from './signing-key.ts'

export interface BlockPair {
  readonly id: number
  readonly value: Uint8Array
}

/** Fills the block up to whole pages, so that what follows it begins on one (fs-verity). */
const PADDING = 0x42726577
const PAGE = 4096
const FRAME = 8 + 8 + 16

/** An APK Signing Block of the given pairs, a multiple of 4096 bytes long. */
export function writeSigningBlock(pairs: readonly BlockPair[]): Buffer {
  const written = pairs.map(({ id, value }) => pair(id, value))
  const size = written.reduce((sum, one) => sum + one.length, FRAME)
  if (size % PAGE) {
    let padding = PAGE - (size % PAGE)
    while (padding < 12) padding += PAGE
    written.push(pair(PADDING, Buffer.alloc(padding - 12)))
  }
  const length = u64(written.reduce((sum, one) => sum + one.length, FRAME - 8))
  return Buffer.concat([length, ...written, length, Buffer.from('APK Sig Block 42')])
}

/** Whether a pair is padding, which a new block writes by itself. */
export function isPadding({ id }: { readonly id: number }): boolean {
  return id === PADDING
}

function pair(id: number, value: Uint8Array): Buffer {
  return Buffer.concat([u64(value.length + 4), u32(id), value])
}

export interface BlockSignerRequest {
  readonly key: SigningKey
  readonly digest: (kind: ContentDigest) => Uint8Array
  readonly attributes: readonly BlockPair[]
  /** Android versions of a v3 or v3.1 signer; absent for v2. */
  readonly versions?: readonly [min: number, max: number]
}

/** The value of a v2, v3 or v3.1 block with one signer. */
export function writeBlockSigner(request: BlockSignerRequest): Buffer {
  const { key, digest, attributes, versions } = request
  const certificate = ownCertificate(key)
  const { id, hash } = blockAlgorithmFor(certificate)
  const range = versions ? [u32(versions[0]), u32(versions[1])] : []
  const signed = Buffer.concat([
    prefixed(prefixed(u32(id), prefixed(digest(blockAlgorithm(id)!.contentDigest)))),
    prefixed(...key.certificates.map(({ der }) => prefixed(der))),
    ...range,
    prefixed(...attributes.map((one) => prefixed(u32(one.id), one.value))),
  ])
  const signature = prefixed(u32(id), prefixed(key.sign(hash, signed)))
  const signer = [prefixed(signed), ...range, prefixed(signature), prefixed(certificate.publicKey.spki)]
  return prefixed(prefixed(...signer))
}
