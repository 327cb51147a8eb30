import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'

/**
 * A self-signed server certificate (X.509 v3, RFC 5280) for a P-256 key, ECDSA with SHA-256: what a server off loopback starts with
 * until the operator brings his own. Answers PEM texts.
 */
export function selfSigned(hosts: readonly string[], days: number, now: number): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const name = sequence(set(sequence(oid('2.5.4.3'), utf8(hosts[0] ?? 'AppWarden'))))
  const keyId = createHash('sha1').update(spki).digest() // RFC 5280, 4.2.1.2, method 1 asks for SHA-1; it identifies, it protects nothing
  const extensions = [
    extension('2.5.29.19', true, sequence()), // basic constraints: not an authority
    extension('2.5.29.15', true, tlv(0x03, Buffer.from([7, 0x80]))), // key usage: digital signature
    extension('2.5.29.37', false, sequence(oid('1.3.6.1.5.5.7.3.1'))), // server authentication
    extension('2.5.29.17', false, sequence(...hosts.map(alternativeName))),
    extension('2.5.29.14', false, tlv(0x04, keyId)),
  ]
  const algorithm = sequence(oid('1.2.840.10045.4.3.2'))
  const serial = randomBytes(16)
  serial[0] = (serial.readUInt8() & 0x7f) | 0x40 // positive, and of one length (RFC 5280, 4.1.2.2)
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, serial),
    algorithm,
    name,
    sequence(time(now - 3_600_000), time(now + days * 86_400_000)),
    name,
    spki,
    tlv(0xa3, sequence(...extensions)),
  )
  const signature = sign('sha256', body, privateKey)
  const der = sequence(body, algorithm, tlv(0x03, Buffer.concat([Buffer.from([0]), signature])))
  const lines = der.toString('base64').replace(/(.{64})(?=.)/g, '$1\n')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  }
}

function tlv(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const n = content.length
  const length = n < 128 ? [n] : n < 256 ? [0x81, n] : [0x82, n >> 8, n & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}
const sequence = (...parts: Buffer[]) => tlv(0x30, ...parts)
const set = (...parts: Buffer[]) => tlv(0x31, ...parts)
const utf8 = (text: string) => tlv(0x0c, Buffer.from(text))
const extension = (id: string, critical: boolean, value: Buffer) =>
  sequence(oid(id), ...(critical ? [tlv(0x01, Buffer.from([0xff]))] : []), tlv(0x04, value))

/** UTCTime to 2049, GeneralizedTime from 2050 on (RFC 5280, 4.1.2.5). */
function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replace(/[-:T]|\.\d+/g, '')
  return Number(digits.slice(0, 4)) < 2050 ? tlv(0x17, Buffer.from(digits.slice(2))) : tlv(0x18, Buffer.from(digits))
}

function oid(text: string): Buffer {
  const [first, second, ...rest] = text.split('.').map(Number) as [number, number, ...number[]]
  const bytes = [first * 40 + second]
  for (const arc of rest) {
    const septets = [arc & 0x7f]
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128))
      septets.unshift((left & 0x7f) | 0x80)
    bytes.push(...septets)
  }
  return tlv(0x06, Buffer.from(bytes))
}

function alternativeName(host: string): Buffer {
  if (isIPv4(host)) return tlv(0x87, Buffer.from(host.split('.').map(Number)))
  if (isIPv6(host)) return tlv(0x87, ipv6Bytes(host))
  return tlv(0x82, Buffer.from(host, 'latin1'))
}

function ipv6Bytes(host: string): Buffer {
  const [head = '', tail] = host.split('::')
  const words = (text: string) => (text ? text.split(':').map((word) => Number.parseInt(word, 16)) : [])
  const [left, right] = [words(head), tail === undefined ? [] : words(tail)]
  const all = [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
  return Buffer.from(all.flatMap((word) => [word >> 8, word & 255]))
}
