import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { isUrl } from '#domain/url-check.ts'

/** Where a request of ours may go (decision 30): no loopback, private, link-local, metadata or reserved address by default. */
const REFUSED: readonly [address: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 128],
  ['::1', 128],
  ['64:ff9b::', 96],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
]
/** Never, not even where internal targets are allowed: instance metadata and other link-local services, multicast, 'any'. */
const NEVER: readonly [address: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 128],
  ['fe80::', 10],
  ['ff00::', 8],
]
const [refused, never] = [listOf(REFUSED), listOf(NEVER)]

function listOf(entries: readonly [address: string, prefix: number][]): BlockList {
  const list = new BlockList()
  for (const [address, prefix] of entries) list.addSubnet(address, prefix, address.includes(':') ? 'ipv6' : 'ipv4')
  return list
}

/** Whether a request may connect to this address; what is no address may not. */
export function mayConnect(address: string, internal: boolean): boolean {
  const list = internal ? never : refused
  const four = mappedIPv4(address)
  if (four !== undefined) return !list.check(four, 'ipv4')
  return isIPv6(address) && !list.check(address, 'ipv6')
}

/** The IPv4 address itself, or the one inside an IPv4-mapped IPv6 address in any spelling. */
function mappedIPv4(address: string): string | undefined {
  if (isIPv4(address)) return address
  if (!isIPv6(address)) return undefined
  const { hostname } = new URL(`http://[${address.split('%')[0]}]/`)
  const match = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(hostname)
  if (!match) return undefined
  const [high, low] = [Number.parseInt(match[1] as string, 16), Number.parseInt(match[2] as string, 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/**
 * Why a webhook may not have this address, or undefined: http or https that passes the URL check, no user in it, and the usual ports
 * unless internal targets are allowed. Names are looked up when it is called, and what they point to is checked then.
 */
export function webhookProblem(
  text: string,
  internal: boolean,
): 'url' | 'scheme' | 'user' | 'port' | 'private' | undefined {
  if (!isUrl(text)) return 'url'
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'scheme'
  if (url.username || url.password) return 'user'
  if (!internal && !['', '80', '443'].includes(url.port)) return 'port'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if ((isIPv4(host) || isIPv6(host)) && !mayConnect(host, internal)) return 'private'
  if (!internal && /^(localhost|.*\.localhost|.*\.local|.*\.internal)$/i.test(host)) return 'private'
  return undefined
}
