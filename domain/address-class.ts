/**
 * The network of an address that limits and locks count by: /24 of IPv4 ('203.0.113'), /48 of IPv6 ('2001:db8:1'). One sender usually
 * controls a whole such network, so counting single addresses would limit nothing. Unknown text gives a class of its own.
 */
export function addressClass(address: string): string {
  const plain = address.replace(/^::ffff:/i, '')
  if (/^\d+\.\d+\.\d+\.\d+$/.test(plain)) return plain.split('.').slice(0, 3).join('.')
  const [head = '', tail] = plain.split('::')
  const groups = head.split(':')
  if (tail !== undefined) while (groups.length < 3) groups.push('0')
  return groups.slice(0, 3).join(':')
}
