import { isIPv6 } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { truncateAddress } from './truncate-address.ts'

test('[RET-01] addresses become their network: /24 of IPv4, /48 of IPv6', () => {
  expect(truncateAddress('203.0.113.77')).toBe('203.0.113.0/24')
  expect(truncateAddress('::ffff:203.0.113.77')).toBe('203.0.113.0/24')
  expect(truncateAddress('2001:db8:1:2::3')).toBe('2001:db8:1::/48')
  expect(truncateAddress('2001:0db8::1')).toBe('2001:db8:0::/48')
  expect(truncateAddress('::1')).toBe('0:0:0::/48')
  expect(truncateAddress('203.0.113.0/24')).toBe('203.0.113.0/24')
  expect(truncateAddress('')).toBe('')
  expect(truncateAddress('host.example')).toBe('')
  fc.assert(
    fc.property(fc.ipV4(), fc.ipV6(), (four, six) => {
      expect(truncateAddress(four).endsWith('.0/24')).toBe(true)
      const network = truncateAddress(six)
      if (!six.includes('.')) expect(isIPv6(network.replace('/48', ''))).toBe(true)
    }),
  )
})
