import { prefixed, u32 } from './block-bytes.ts'
import type { Pieces } from './content-digests.ts'
import { sizeOf } from './content-digests.ts'
import { blockAlgorithmFor, ownCertificate, type SigningKey } from './signing-key.ts'
import { V31_BLOCK } from './v3-scheme.ts'
import { signedData } from './v4-scheme.ts'
import { verityTree } from './verity-tree.ts'

export interface IdsigSigner {
  readonly key: SigningKey
  /** The content digest that the v2, v3 or v3.1 signer of this key has signed. */
  readonly apkDigest: Uint8Array
}

/**
 * An .idsig file of version 2 (APK Signature Scheme v4) over a whole package: fs-verity's Merkle tree with pages of 4096 bytes and
 * SHA-256, signed by the signer of v3 or v2; where there is a v3.1 signer its signature follows.
 */
export function writeIdsig(apk: Pieces, signer: IdsigSigner, later?: IdsigSigner): Uint8Array {
  const { root, tree } = verityTree(apk, new Uint8Array())
  const hashing = Buffer.concat([u32(1), Buffer.from([12]), prefixed(), prefixed(root)])
  const fileSize = sizeOf(apk)
  const infos = [signingInfo(signer, hashing, fileSize)]
  if (later) infos.push(Buffer.concat([u32(V31_BLOCK), prefixed(signingInfo(later, hashing, fileSize))]))
  return Buffer.concat([u32(2), prefixed(hashing), prefixed(...infos), prefixed(tree)])
}

function signingInfo({ key, apkDigest }: IdsigSigner, hashing: Uint8Array, fileSize: number): Buffer {
  const { der, publicKey } = ownCertificate(key)
  const { id, hash } = blockAlgorithmFor(ownCertificate(key))
  const info = { apkDigest, certificate: der, additionalData: new Uint8Array() }
  const signature = key.sign(hash, signedData(info, hashing, fileSize))
  return Buffer.concat([
    prefixed(apkDigest),
    prefixed(der),
    prefixed(),
    prefixed(publicKey.spki),
    u32(id),
    prefixed(signature),
  ])
}
