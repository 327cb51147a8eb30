import { children, content, type DerNode, type DerNote, expectTag, readOid, TAG } from './der.ts'

const SHORT_NAMES: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.4': 'SURNAME',
  '2.5.4.5': 'SERIALNUMBER',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'STREET',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.12': 'T',
  '2.5.4.42': 'GIVENNAME',
  '2.5.4.46': 'DNQUALIFIER',
  '1.2.840.113549.1.9.1': 'EMAILADDRESS',
  '0.9.2342.19200300.100.1.1': 'UID',
  '0.9.2342.19200300.100.1.25': 'DC',
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A distinguished name as text, most specific part first, as `apksigner` and `keytool` print it: `CN=…, OU=…, C=…`. */
export function readName(node: DerNode, notes: DerNote[]): string {
  const parts = children(expectTag(node, TAG.sequence, 'name'), notes).map((relative) =>
    children(expectTag(relative, TAG.set, 'part of a name'), notes)
      .map((attribute) => {
        const [type, value] = children(expectTag(attribute, TAG.sequence, 'attribute of a name'), notes)
        const oid = readOid(expectTag(type, TAG.oid, 'attribute type'))
        return `${SHORT_NAMES[oid] ?? `OID.${oid}`}=${value ? quoted(text(value, notes)) : ''}`
      })
      .join(' + '),
  )
  return parts.reverse().join(', ')
}

/** Whatever string type is declared: bytes that do not fit it are read as ISO 8859-1 and noted. */
function text(node: DerNode, notes: DerNote[]): string {
  const bytes = content(node)
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (node.tag === TAG.bmpString && bytes.length % 2 === 0) return Buffer.from(buffer).swap16().toString('utf16le')
  try {
    return utf8.decode(bytes)
  } catch {
    notes.push({ key: 'string-bytes', offset: node.offset })
    return buffer.toString('latin1')
  }
}

function quoted(value: string): string {
  return /[,+=<>#;"\n\\]|^\s|\s$/.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : value
}
