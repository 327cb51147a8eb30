import { FormatError } from '../bytes/format-error.ts'
import { readXml, type TextElement } from '../xml/read-xml.ts'
import { isBinaryPlist, readBinaryPlist } from './binary-plist.ts'
import { PLIST_LIMITS, type PlistLimits, type PlistNode } from './plist-node.ts'

/**
 * Reads a property list, binary or XML. Throws FormatError of `plist` (`not-plist` where it is neither, `element`, `number`, `date`, `data`, those of
 * `readBinaryPlist`) and of `xml`.
 */
export function readPlist(bytes: Uint8Array, limits: PlistLimits = PLIST_LIMITS): PlistNode {
  if (isBinaryPlist(bytes)) return readBinaryPlist(bytes, limits)
  const root = readXml(bytes, { depth: limits.depth, elements: limits.values, size: limits.size })
  const value = root.name === 'plist' ? root.children[0] : root
  if (!value) throw new FormatError('plist', 'not-plist', root.offset, 'a property list without a value')
  return nodeOf(value)
}

function nodeOf(element: TextElement): PlistNode {
  const { offset } = element
  switch (element.name) {
    case 'dict':
      return dictionaryOf(element)
    case 'array':
      return { type: 'array', offset, items: element.children.map(nodeOf) }
    case 'string':
    case 'ustring':
      return { type: 'string', offset, value: element.text }
    case 'integer':
      return { type: 'integer', offset, value: integerOf(element) }
    case 'real':
      return { type: 'real', offset, value: realOf(element) }
    case 'true':
    case 'false':
      return { type: 'boolean', offset, value: element.name === 'true' }
    case 'date':
      return { type: 'date', offset, value: dateOf(element) }
    case 'data':
      return { type: 'data', offset, value: dataOf(element) }
    default:
      throw new FormatError('plist', 'element', offset, `element <${element.name}>`)
  }
}

function dictionaryOf({ children, offset }: TextElement): PlistNode {
  const entries = new Map<string, PlistNode>()
  for (let i = 0; i < children.length; i += 2) {
    const [key, value] = [children[i]!, children[i + 1]]
    if (key.name !== 'key') throw new FormatError('plist', 'element', key.offset, `<${key.name}> where a key is wanted`)
    if (!value) throw new FormatError('plist', 'element', key.offset, `key ${JSON.stringify(key.text)} without a value`)
    entries.set(key.text, nodeOf(value))
  }
  return { type: 'dictionary', offset, entries }
}

function integerOf({ text, offset }: TextElement): number | bigint {
  const match = /^\s*([+-]?)(\d{1,39}|0[xX][0-9a-fA-F]{1,32})\s*$/.exec(text)
  if (!match) throw new FormatError('plist', 'number', offset, 'no integer')
  const value = match[1] === '-' ? -BigInt(match[2]!) : BigInt(match[2]!)
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

function realOf({ text, offset }: TextElement): number {
  const written = text.trim().toLowerCase()
  const special = /^([+-]?)(inf|infinity|nan)$/.exec(written)
  if (special) return special[2] === 'nan' ? Number.NaN : special[1] === '-' ? -Infinity : Infinity
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/.test(written))
    throw new FormatError('plist', 'number', offset, 'no number')
  return Number(written)
}

function dateOf({ text, offset }: TextElement): number {
  const written = text.trim()
  const value = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(written) ? Date.parse(written) : Number.NaN
  if (Number.isNaN(value)) throw new FormatError('plist', 'date', offset, 'no date')
  return value
}

function dataOf({ text, offset }: TextElement): Uint8Array {
  const packed = text.replace(/\s+/g, '')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(packed)) throw new FormatError('plist', 'data', offset, 'no base64')
  const bytes = Buffer.from(packed, 'base64')
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
}
