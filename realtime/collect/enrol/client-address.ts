import { BlockList, isIP } from 'node:net'

/** The address a request came from: the socket's, or what a trusted proxy says in X-Forwarded-For (the last hop that no trusted proxy added). */
export function clientAddress(
  trustProxy: readonly string[],
): (socket: string, forwardedFor: string | undefined) => string {
  const trusted = new BlockList()
  for (const entry of trustProxy) {
    const [address = '', bits] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    trusted.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
  }
  const isTrusted = (address: string) => trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  return (socket, forwardedFor) => {
    let address = plainAddress(socket)
    if (forwardedFor === undefined || trustProxy.length === 0) return address
    for (const hop of forwardedFor.split(',').reverse()) {
      if (!isTrusted(address)) return address
      const next = plainAddress(hop.trim())
      if (isIP(next) === 0) return address
      address = next
    }
    return address
  }
}

/** An IPv4-mapped IPv6 address as plain IPv4. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
}

/** The network (address class) that limits count by: /24 of IPv4, /48 of IPv6. */
export function networkOf(address: string): string {
  if (isIP(address) === 4) return `${address.split('.').slice(0, 3).join('.')}.0/24`
  if (isIP(address) !== 6) return address
  const [head = '', tail] = address.replace(/%.*$/, '').split('::')
  const left = head.split(':').filter(Boolean)
  const right = (tail ?? '').split(':').filter(Boolean)
  const groups =
    tail === undefined
      ? left
      : [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  const bits = groups.slice(0, 3).map((group) => Number.parseInt(group, 16).toString(16).padStart(4, '0'))
  return `${bits.join('')}/48`
}
