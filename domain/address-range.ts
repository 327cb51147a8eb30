/** A range of addresses in CIDR notation (RFC 4632, RFC 4291 2.3); a single address is a range of one. */
export type AddressRange = { family: 4 | 6; first: bigint; prefix: number }

const BITS = { 4: 32, 6: 128 } as const
/** ::ffff:0:0/96, IPv4 addresses written as IPv6 (RFC 4291, 2.5.5.2). */
const MAPPED = 0xffffn

/**
 * Reads '10.0.0.0/8', '192.0.2.7', '2001:db8::/32'. Bits behind the prefix do not count. An IPv4-mapped range is one of IPv4. Undefined for
 * everything else: names, zones ('fe80::1%eth0'), leading zeros, prefixes longer than the address.
 */
export function parseAddressRange(text: string): AddressRange | undefined {
  const [address = '', prefixText, ...rest] = text.split('/')
  const parsed = parseAddress(address)
  if (!parsed || rest.length > 0) return undefined
  const written = address.includes(':') ? 128 : 32
  if (prefixText !== undefined && !/^(0|[1-9]\d{0,2})$/.test(prefixText)) return undefined
  let prefix = prefixText === undefined ? written : Number(prefixText)
  if (prefix > written) return undefined
  let { family, value } = parsed
  if (written === 128 && family === 4) {
    if (prefix >= 96) prefix -= 96
    else {
      family = 6
      value += MAPPED << 32n
    }
  }
  const behind = BigInt(BITS[family] - prefix)
  return { family, first: (value >> behind) << behind, prefix }
}

/** A list is replaced as a whole when it changes, so each is parsed once. */
const parsedLists = new WeakMap<readonly string[], readonly AddressRange[]>()

/** Whether a list of ranges lets the address through: one of them holds it, or the list is empty. */
export function isListed(list: readonly string[], address: string): boolean {
  if (list.length === 0) return true
  let ranges = parsedLists.get(list)
  if (!ranges) {
    ranges = list.flatMap((text) => parseAddressRange(text) ?? [])
    parsedLists.set(list, ranges)
  }
  return isInRanges(ranges, address)
}

/** Whether one of the ranges holds the address; false for a text that is no address. */
export function isInRanges(ranges: readonly AddressRange[], address: string): boolean {
  const one = parseAddress(address)
  if (!one) return false
  return ranges.some(({ family, first, prefix }) => {
    const behind = BigInt(BITS[family] - prefix)
    return family === one.family && one.value >> behind === first >> behind
  })
}

/** An IPv4-mapped address counts as the IPv4 address. */
function parseAddress(text: string): { family: 4 | 6; value: bigint } | undefined {
  if (!text.includes(':')) {
    const value = parseFour(text)
    return value === undefined ? undefined : { family: 4, value }
  }
  const value = parseSix(text)
  if (value === undefined) return undefined
  return value >> 32n === MAPPED ? { family: 4, value: value & 0xffff_ffffn } : { family: 6, value }
}

function parseFour(text: string): bigint | undefined {
  const parts = text.split('.')
  if (parts.length !== 4) return undefined
  let value = 0n
  for (const part of parts) {
    if (!/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return undefined
    value = (value << 8n) | BigInt(part)
  }
  return value
}

function parseSix(text: string): bigint | undefined {
  // The last 32 bits may be written as an IPv4 address.
  const tail = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text)
  if (tail) {
    const four = parseFour(tail[2] as string)
    if (four === undefined) return undefined
    return parseSix(`${tail[1]}${(four >> 16n).toString(16)}:${(four & 0xffffn).toString(16)}`)
  }
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const [left = [], right = []] = halves.map((half) => (half === '' ? [] : half.split(':')))
  const missing = 8 - left.length - right.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined
  let value = 0n
  for (const group of [...left, ...Array<string>(missing).fill('0'), ...right]) {
    if (!/^[0-9a-f]{1,4}$/i.test(group)) return undefined
    value = (value << 16n) | BigInt(Number.parseInt(group, 16))
  }
  return value
}
