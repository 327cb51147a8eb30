import { toHex, utf8 } from '#engines/gm/bytes.ts'

/** A multipart/form-data body as the exact bytes that are signed and sent. `random` makes the boundary. */
export function formBody(
  fields: Readonly<Record<string, string>>,
  file: { name: string; bytes: Uint8Array } | undefined,
  random: Uint8Array,
): { contentType: string; bytes: Uint8Array } {
  const boundary = `aw-${toHex(random)}`
  const parts: Uint8Array[] = []
  for (const [name, value] of Object.entries(fields))
    parts.push(utf8(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`))
  if (file) {
    // As browsers write it (HTML, multipart/form-data encoding): UTF-8, and what would end the header escaped.
    const name = file.name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
    const head = `content-disposition: form-data; name="file"; filename="${name}"`
    parts.push(
      utf8(`--${boundary}\r\n${head}\r\ncontent-type: application/octet-stream\r\n\r\n`),
      file.bytes,
      utf8('\r\n'),
    )
  }
  parts.push(utf8(`--${boundary}--\r\n`))
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return { contentType: `multipart/form-data; boundary=${boundary}`, bytes }
}
