import { FormatError } from '../bytes/format-error.ts'
import type { PlistNode } from '../plist/plist-node.ts'
import { children, content, type DerNode, expectTag, readNode, TAG } from '../x509/der.ts'

const DEEPEST = 64
const DICTIONARY = 16

/**
 * Entitlements in their DER form: [APPLICATION 16] { INTEGER 1, [16] { SEQUENCE { key, value } … } }; older tools wrote a SET of pairs alone.
 * Throws FormatError of format `der` and `entitlements`.
 */
export function readDerEntitlements(bytes: Uint8Array): PlistNode {
  const top = readNode(bytes)
  if (top.tagClass === 1 && top.constructed) {
    const value = children(top).find((node) => node.tag !== TAG.integer || node.tagClass !== 0)
    if (!value) throw new FormatError('entitlements', 'empty', top.offset, 'no entitlements')
    return nodeOf(value, 0)
  }
  return nodeOf(top, 0)
}

function nodeOf(node: DerNode, depth: number): PlistNode {
  const { offset } = node
  if (depth > DEEPEST) throw new FormatError('entitlements', 'depth', offset, 'nested too deeply')
  if ((node.tagClass === 2 && node.tag === DICTIONARY) || (node.tagClass === 0 && node.tag === TAG.set)) {
    const entries = new Map<string, PlistNode>()
    for (const pair of children(node)) {
      const [key, value] = children(expectTag(pair, TAG.sequence, 'pair'))
      const name = Buffer.from(content(expectTag(key, TAG.utf8String, 'key'))).toString('utf8')
      if (!value) throw new FormatError('entitlements', 'pair', pair.offset, `key ${name} without a value`)
      entries.set(name, nodeOf(value, depth + 1))
    }
    return { type: 'dictionary', offset, entries }
  }
  if (node.tagClass !== 0) throw new FormatError('entitlements', 'value', offset, `tag ${node.tag}`)
  const bytes = content(node)
  switch (node.tag) {
    case TAG.boolean:
      return { type: 'boolean', offset, value: bytes[0] !== 0 }
    case TAG.integer: {
      if (bytes.length > 16) throw new FormatError('entitlements', 'value', offset, `integer of ${bytes.length} bytes`)
      const value = bytes.length
        ? BigInt.asIntN(8 * bytes.length, BigInt(`0x${Buffer.from(bytes).toString('hex')}`))
        : 0n
      return { type: 'integer', offset, value: Number.isSafeInteger(Number(value)) ? Number(value) : value }
    }
    case TAG.utf8String:
      return { type: 'string', offset, value: Buffer.from(bytes).toString('utf8') }
    case TAG.octetString:
      return { type: 'data', offset, value: bytes }
    case TAG.sequence:
      return { type: 'array', offset, items: children(node).map((item) => nodeOf(item, depth + 1)) }
    default:
      throw new FormatError('entitlements', 'value', offset, `tag ${node.tag}`)
  }
}
