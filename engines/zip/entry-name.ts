import type { ZipNote } from './zip-facts.ts'

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const UNIX_LINK = 0o120000
const UNIX_TYPE = 0o170000

/** A name as Android reads it (UTF-8, whatever the flag says); bytes that are no UTF-8 are read as ISO 8859-1, and noted. */
export function decodeName(bytes: Uint8Array, offset: number, notes: ZipNote[]): string {
  let ascii = true
  for (let i = 0; ascii && i < bytes.length; i++) ascii = bytes[i]! < 0x80
  if (!ascii)
    try {
      return strict.decode(bytes)
    } catch {
      notes.push({ key: 'name-bytes', offset, refused: true, detail: 'name is not UTF-8' })
    }
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}

/** What makes a name dangerous to anyone who unpacks it. */
export function nameNotes(name: string, bytes: Uint8Array, attributes: number, offset: number, notes: ZipNote[]): void {
  const note = (key: ZipNote['key'], detail: string, refused = false) => notes.push({ key, offset, refused, detail })
  if (bytes.includes(0)) note('name-bytes', 'NUL in the name', true)
  if (!name.length) note('unsafe-name', 'empty name')
  else if (name[0] === '/' || name[0] === '\\' || /^[A-Za-z]:/.test(name)) note('unsafe-name', 'absolute name')
  else if (name.includes('..') && name.split(/[/\\]/).includes('..')) note('unsafe-name', 'name leads upwards')
  else if (name.includes('\\')) note('unsafe-name', 'backslash in the name')
  if (bytes.length > 255) note('long-name', `name of ${bytes.length} bytes`)
  else if (bytes.length > 64 && name.split('/').length > 33) note('long-name', 'more than 32 levels')
  if (((attributes >>> 16) & UNIX_TYPE) === UNIX_LINK) note('link', 'a symbolic link')
}
