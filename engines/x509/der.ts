import { FormatError } from '../bytes/format-error.ts'

/** One element of BER or DER: its tag and where it lies in `bytes`. Children are read on demand, so depth costs no stack. */
export interface DerNode {
  readonly bytes: Uint8Array
  /** 0 universal, 1 application, 2 context-specific, 3 private. */
  readonly tagClass: number
  readonly constructed: boolean
  readonly tag: number
  readonly offset: number
  readonly contentOffset: number
  readonly contentEnd: number
  /** First byte behind the element (behind the end marker of an indefinite length). */
  readonly end: number
}

/** Where an encoding is BER but not DER, as older signers wrote it. Android reads such files, so they are notes and no errors. */
export interface DerNote {
  readonly key: 'non-minimal-length' | 'indefinite-length' | 'trailing-bytes' | 'string-bytes' | 'negative-modulus'
  readonly offset: number
}

export const TAG = {
  boolean: 1,
  integer: 2,
  bitString: 3,
  octetString: 4,
  null: 5,
  oid: 6,
  utf8String: 12,
  sequence: 16,
  set: 17,
  utcTime: 23,
  generalizedTime: 24,
  bmpString: 30,
} as const

const DEEPEST = 64

/**
 * The element at `offset`, which must end before `limit`.
 * Throws FormatError `truncated`, `tag`, `length`, `depth` (of format `der`).
 */
export function readNode(bytes: Uint8Array, offset = 0, limit = bytes.length, notes?: DerNote[]): DerNode {
  const header = readHeader(bytes, offset, limit, notes)
  if (header.length >= 0) {
    const contentEnd = header.contentOffset + header.length
    return { ...header.node, contentOffset: header.contentOffset, contentEnd, end: contentEnd }
  }
  notes?.push({ key: 'indefinite-length', offset })
  const contentEnd = findEndMarker(bytes, header.contentOffset, limit)
  return { ...header.node, contentOffset: header.contentOffset, contentEnd, end: contentEnd + 2 }
}

/** The elements inside of a constructed one. */
export function children(parent: DerNode, notes?: DerNote[]): DerNode[] {
  if (!parent.constructed) throw new FormatError('der', 'primitive', parent.offset, 'a constructed element is wanted')
  const nodes: DerNode[] = []
  for (let at = parent.contentOffset; at < parent.contentEnd; ) {
    const node = readNode(parent.bytes, at, parent.contentEnd, notes)
    nodes.push(node)
    at = node.end
  }
  return nodes
}

/** The content bytes, a view. */
export function content(node: DerNode): Uint8Array {
  return node.bytes.subarray(node.contentOffset, node.contentEnd)
}

/** The whole element with its header, a view. */
export function encoded(node: DerNode): Uint8Array {
  return node.bytes.subarray(node.offset, node.end)
}

/** Throws FormatError `unexpected` unless the node is there and has this universal tag. */
export function expectTag(node: DerNode | undefined, tag: number, what: string): DerNode {
  if (node?.tagClass !== 0 || node.tag !== tag)
    throw new FormatError('der', 'unexpected', node?.offset ?? -1, `no ${what}`)
  return node
}

/** Whether the node is the context-specific element [tag]. */
export function isContext(node: DerNode | undefined, tag: number): node is DerNode {
  return node !== undefined && node.tagClass === 2 && node.tag === tag
}

/** Object identifier in dots. Throws FormatError `oid`. */
export function readOid(node: DerNode): string {
  const bytes = content(expectTag(node, TAG.oid, 'object identifier'))
  if (bytes.length === 0 || bytes.length > 64) throw new FormatError('der', 'oid', node.offset, 'no object identifier')
  const arcs: bigint[] = []
  let value = 0n
  for (let i = 0; i < bytes.length; i++) {
    value = (value << 7n) | BigInt(bytes[i]! & 0x7f)
    if (bytes[i]! & 0x80) continue
    arcs.push(value)
    value = 0n
  }
  if (bytes[bytes.length - 1]! & 0x80) throw new FormatError('der', 'oid', node.offset, 'cut object identifier')
  const first = arcs[0]!
  const top = first < 80n ? first / 40n : 2n
  return [top, first - top * 40n, ...arcs.slice(1)].join('.')
}

function readHeader(bytes: Uint8Array, offset: number, limit: number, notes?: DerNote[]) {
  let at = offset
  const next = () => {
    if (at >= limit) throw new FormatError('der', 'truncated', offset, 'element cut off')
    return bytes[at++]!
  }
  const identifier = next()
  let tag = identifier & 0x1f
  if (tag === 0x1f) {
    tag = 0
    for (let i = 0; ; i++) {
      const byte = next()
      if (i === 4) throw new FormatError('der', 'tag', offset, 'tag number too large')
      tag = (tag << 7) | (byte & 0x7f)
      if (!(byte & 0x80)) break
    }
  }
  const constructed = (identifier & 0x20) !== 0
  let length = next()
  if (length === 0x80) {
    if (!constructed) throw new FormatError('der', 'length', offset, 'indefinite length of a primitive element')
    length = -1
  } else if (length > 0x80) {
    const size = length & 0x7f
    length = 0
    const begin = at
    for (let i = 0; i < size; i++) {
      length = length * 256 + next()
      if (length > 0xffffffff) throw new FormatError('der', 'length', offset, 'length too large')
    }
    if (notes && (length < 0x80 || bytes[begin] === 0)) notes.push({ key: 'non-minimal-length', offset })
  }
  if (length > limit - at)
    throw new FormatError('der', 'truncated', offset, `${length} bytes wanted, ${limit - at} left`)
  return {
    node: { bytes, tagClass: identifier >>> 6, constructed, tag, offset },
    contentOffset: at,
    length,
  }
}

/** Offset of the two zero bytes that close an element of indefinite length. */
function findEndMarker(bytes: Uint8Array, from: number, limit: number): number {
  let depth = 1
  for (let at = from; ; ) {
    if (at + 2 <= limit && bytes[at] === 0 && bytes[at + 1] === 0) {
      if (--depth === 0) return at
      at += 2
      continue
    }
    const header = readHeader(bytes, at, limit)
    if (header.length < 0 && ++depth > DEEPEST) throw new FormatError('der', 'depth', at, 'nested too deeply')
    at = header.contentOffset + Math.max(0, header.length)
  }
}
