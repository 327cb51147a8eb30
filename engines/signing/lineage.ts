import { ByteReader } from '../bytes/byte-reader.ts'
import { FormatError } from '../bytes/format-error.ts'
import { type Certificate, readCertificate } from '../x509/certificate.ts'
import { keyObject } from '../x509/public-key.ts'
import { blockAlgorithm, signatureHolds } from './block-algorithms.ts'
import { lengthPrefixed, prefixedBytes } from './length-prefixed.ts'
import type { LineageNode } from './signing-facts.ts'

/**
 * A proof of rotation, oldest certificate first, each signed by the key of the one before it.
 * Throws FormatError `version`, `not-verified` (a signature or certificate in it is no good), `truncated`.
 */
export function readLineage(bytes: Uint8Array): LineageNode[] {
  const reader = new ByteReader(bytes, 'lineage')
  if (reader.u32() !== 1) throw reader.error('version', 'unknown version of the lineage', 0)
  const nodes: LineageNode[] = []
  const seen = new Set<string>()
  let previous: Certificate | undefined
  let previousAlgorithm = 0
  while (reader.left) {
    const at = reader.position
    const fail = (message: string) => reader.error('not-verified', `certificate ${nodes.length + 1}: ${message}`, at)
    const node = lengthPrefixed(reader)
    const signed = lengthPrefixed(node)
    const flags = node.u32()
    const algorithm = node.u32()
    const signature = prefixedBytes(node)
    if (previous) {
      const by = blockAlgorithm(previousAlgorithm)
      const key = keyObject(previous.publicKey.spki)
      if (!by || !key || !signatureHolds(by, key, signed.bytes, signature)) throw fail('its signature does not hold')
    }
    const certificate = certificateIn(prefixedBytes(signed), fail)
    if (signed.u32() !== previousAlgorithm && previous) throw fail('signed by another algorithm than announced')
    if (seen.has(certificate.fingerprints.sha256)) throw fail('appears twice')
    seen.add(certificate.fingerprints.sha256)
    nodes.push({ certificate, capabilities: capabilities(flags) })
    previous = certificate
    previousAlgorithm = algorithm
  }
  if (!nodes.length) throw reader.error('truncated', 'an empty lineage', 0)
  return nodes
}

/** Position of a certificate in the lineage, -1 where it is not part of it. */
export function positionIn(lineage: readonly LineageNode[], certificate: Certificate): number {
  return lineage.findIndex((node) => node.certificate.fingerprints.sha256 === certificate.fingerprints.sha256)
}

/** The longest of several lineages, of which each must begin as the others do; undefined where one does not. */
export function consolidate(lineages: readonly (readonly LineageNode[])[]): readonly LineageNode[] | undefined {
  const longest = lineages.reduce((best, one) => (one.length > best.length ? one : best), [])
  const fits = lineages.every((one) =>
    one.every((node, i) => node.certificate.fingerprints.sha256 === longest[i]?.certificate.fingerprints.sha256),
  )
  return fits ? longest : undefined
}

function certificateIn(bytes: Uint8Array, fail: (message: string) => FormatError): Certificate {
  try {
    return readCertificate(bytes)
  } catch (error) {
    if (error instanceof FormatError) throw fail(error.message)
    throw error
  }
}

function capabilities(flags: number): LineageNode['capabilities'] {
  return {
    installedData: (flags & 1) !== 0,
    sharedUserId: (flags & 2) !== 0,
    permission: (flags & 4) !== 0,
    rollback: (flags & 8) !== 0,
    auth: (flags & 16) !== 0,
  }
}
