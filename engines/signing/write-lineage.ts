import { ByteReader } from '../bytes/byte-reader.ts'
import { prefixed, u32 } from './block-bytes.ts'
import { prefixedBytes } from './length-prefixed.ts'
import { readLineage } from './lineage.ts'
import { blockAlgorithmFor, ownCertificate, refusal, type SigningKey } from './signing-key.ts'

/** Of lineage files as apksigner writes them. */
const MAGIC = 0x3eff39d1
const VERSION = 1
/** Installed data, shared user id, permission, auth: all but the right to roll back, as apksigner gives them. */
const CAPABILITIES = 0x17

interface Node {
  readonly certificate: Uint8Array
  /** Of the signature over this node, made by the node before it. */
  readonly parentAlgorithm: number
  readonly flags: number
  readonly algorithm: number
  readonly signature: Uint8Array
}

/** Whether the bytes are a lineage file. */
export function isLineageFile(bytes: Uint8Array): boolean {
  return bytes.length >= 8 && new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) === MAGIC
}

/** The lineage (as signing blocks hold it) in a lineage file, verified. Throws FormatError of format `lineage`. */
export function readLineageFile(bytes: Uint8Array): Uint8Array {
  const reader = new ByteReader(bytes, 'lineage')
  if (reader.u32() !== MAGIC) throw reader.error('magic', 'no lineage file', 0)
  const version = reader.u32()
  if (version !== VERSION) throw reader.error('version', `version ${version} of the lineage file`, 4)
  const lineage = prefixedBytes(reader)
  readLineage(lineage)
  return lineage
}

export function writeLineageFile(lineage: Uint8Array): Uint8Array {
  return Buffer.concat([u32(MAGIC), u32(VERSION), prefixed(lineage)])
}

/**
 * A proof that `to` follows `from`: appended to the lineage that ends with `from`, else a new one of both. Throws FormatError
 * `lineage` where the lineage ends with another key or has `to` already.
 */
export function extendLineage(lineage: Uint8Array | undefined, from: SigningKey, to: SigningKey): Uint8Array {
  const nodes = lineage ? readNodes(lineage) : []
  const parent = ownCertificate(from)
  const child = ownCertificate(to)
  const { id, hash } = blockAlgorithmFor(parent)
  if (!nodes.length)
    nodes.push({
      certificate: parent.der,
      parentAlgorithm: 0,
      flags: CAPABILITIES,
      algorithm: 0,
      signature: new Uint8Array(),
    })
  const last = nodes.pop() as Node
  if (Buffer.compare(last.certificate, parent.der) !== 0)
    throw refusal('lineage', 'the lineage does not end with the older key')
  if ([last, ...nodes].some(({ certificate }) => Buffer.compare(certificate, child.der) === 0))
    throw refusal('lineage', 'the lineage has the newer key already')
  const signed = signedPart(child.der, id)
  nodes.push(
    { ...last, algorithm: id },
    {
      certificate: child.der,
      parentAlgorithm: id,
      flags: CAPABILITIES,
      algorithm: 0,
      signature: from.sign(hash, signed),
    },
  )
  return Buffer.concat([
    u32(1),
    ...nodes.map((node) =>
      prefixed(
        prefixed(signedPart(node.certificate, node.parentAlgorithm)),
        u32(node.flags),
        u32(node.algorithm),
        prefixed(node.signature),
      ),
    ),
  ])
}

function signedPart(certificate: Uint8Array, algorithm: number): Buffer {
  return Buffer.concat([prefixed(certificate), u32(algorithm)])
}

function readNodes(lineage: Uint8Array): Node[] {
  readLineage(lineage)
  const reader = new ByteReader(lineage, 'lineage', { position: 4 })
  const nodes: Node[] = []
  while (reader.left) {
    const node = new ByteReader(prefixedBytes(reader), 'lineage')
    const signed = new ByteReader(prefixedBytes(node), 'lineage')
    const certificate = prefixedBytes(signed)
    const parentAlgorithm = signed.u32()
    const flags = node.u32()
    const algorithm = node.u32()
    nodes.push({ certificate, parentAlgorithm, flags, algorithm, signature: prefixedBytes(node) })
  }
  return nodes
}
