/** One block of a PEM text (RFC 7468). */
export interface PemBlock {
  readonly label: string
  readonly bytes: Uint8Array
}

/** Whether the bytes begin as PEM does; explanatory text may stand before the first block. */
export function looksLikePem(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 65_536)).toString('latin1').includes('-----BEGIN ')
}

/** Every whole block in the order of the text, at most `most`; what is not base64 and what has no end is left out. */
export function readPem(bytes: Uint8Array, most: number): PemBlock[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const blocks: PemBlock[] = []
  for (let at = text.indexOf('-----BEGIN '); at >= 0 && blocks.length < most; ) {
    const next = text.indexOf('-----BEGIN ', at + 11)
    const part = text.slice(at, next < 0 ? undefined : next)
    const label = /^-----BEGIN ([A-Z0-9 #]{1,64})-----/.exec(part)?.[1]
    const end = label === undefined ? -1 : part.indexOf(`-----END ${label}-----`)
    if (label !== undefined && end >= 0) {
      // Headers of RFC 1421 (Proc-Type, DEK-Info) stand before an empty line.
      const body = part.slice(label.length + 16, end).replace(/^[\s\S]*?:[^\n]*\r?\n\r?\n/, '')
      const packed = body.replace(/\s+/g, '')
      if (/^[A-Za-z0-9+/]+={0,2}$/.test(packed)) blocks.push({ label, bytes: Buffer.from(packed, 'base64') })
    }
    at = next
  }
  return blocks
}

/** PEM text of a certificate. */
export function certificatePem(der: Uint8Array): string {
  const packed = Buffer.from(der.buffer, der.byteOffset, der.length).toString('base64')
  return `-----BEGIN CERTIFICATE-----\n${packed.match(/.{1,64}/g)?.join('\n') ?? ''}\n-----END CERTIFICATE-----\n`
}
