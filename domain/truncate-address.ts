/** The network of an address: /24 of IPv4, /48 of IPv6; what is not an address is dropped. */
export function truncateAddress(address: string): string {
  if (address === '' || address.includes('/')) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
  const v4 = /^(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/.exec(mapped)
  if (v4) return `${v4[1]}.0/24`
  if (!/^[0-9a-f:.]+$/i.test(mapped) || !mapped.includes(':')) return ''
  const [head = '', tail] = mapped.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const filled =
    tail === undefined ? left : [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return `${filled
    .slice(0, 3)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/48`
}
