import { linesOf } from './phone-text.ts'

/** A line of /proc/net/{tcp,tcp6,udp,udp6} that belongs to the application. */
export interface Socket {
  readonly protocol: 'tcp' | 'udp'
  readonly localAddress: string
  readonly localPort: number
  readonly remoteAddress: string
  readonly remotePort: number
  readonly listens: boolean
}

const MOST_LINES = 20_000
const LISTEN = 10

/** Reads the tables of one protocol, of one user id alone. */
export function readSockets(text: string, protocol: 'tcp' | 'udp', uid: number): Socket[] {
  const sockets: Socket[] = []
  for (const line of linesOf(text, MOST_LINES)) {
    const [slot = '', local = '', remote = '', state = '', , , , owner = ''] = line.trim().split(/\s+/, 8)
    if (!/^\d{1,6}:$/.test(slot) || Number(owner) !== uid || owner === '') continue
    const from = endOf(local)
    const to = endOf(remote)
    if (!from || !to || !/^[0-9A-F]{2}$/i.test(state)) continue
    const bound = to.port === 0 && isAny(to.address)
    sockets.push({
      protocol,
      localAddress: from.address,
      localPort: from.port,
      remoteAddress: to.address,
      remotePort: to.port,
      listens: from.port > 0 && bound && (protocol === 'udp' || Number.parseInt(state, 16) === LISTEN),
    })
  }
  return sockets
}

/** Of this phone alone. */
export const isLoopback = (address: string): boolean => address === '::1' || address.startsWith('127.')
export const isAny = (address: string): boolean => address === '0.0.0.0' || address === '::'

const PRIVATE =
  /^(?:0\.|10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|2(?:2[4-9]|[34]\d|5[0-5])\.)|^(?:::1?$|f[cd]|fe[89ab]|ff)/

/** Of this phone, its network, a private network, or many receivers: no one abroad. */
export const isLocal = (address: string): boolean => PRIVATE.test(address)

/** `0100007F:1F90`: 32-bit words as the processor keeps them, little end first on every phone; the port the other way. */
function endOf(text: string): { address: string; port: number } | undefined {
  const match = /^([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4})$/i.exec(text)
  if (!match) return undefined
  const bytes = match[1]!.match(/.{8}/g)!.flatMap((word) => word.match(/../g)!.reverse())
  return { address: addressOf(bytes.map((one) => Number.parseInt(one, 16))), port: Number.parseInt(match[2]!, 16) }
}

function addressOf(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join('.')
  const mapped = bytes.slice(0, 10).every((one) => one === 0) && bytes[10] === 255 && bytes[11] === 255
  if (mapped) return bytes.slice(12).join('.')
  const words = Array.from({ length: 8 }, (_, index) => (bytes[2 * index]! << 8) | bytes[2 * index + 1]!)
  return shortened(words)
}

/** The longest run of zero words, of two at least, becomes `::` (RFC 5952). */
function shortened(words: readonly number[]): string {
  let best = { at: 0, length: 0 }
  for (let at = 0; at < words.length; at++) {
    let length = 0
    while (words[at + length] === 0) length++
    if (length > best.length) best = { at, length }
  }
  const hex = words.map((one) => one.toString(16))
  if (best.length < 2) return hex.join(':')
  return `${hex.slice(0, best.at).join(':')}::${hex.slice(best.at + best.length).join(':')}`
}
