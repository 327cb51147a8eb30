import { expect, test } from 'vitest'
import { shortenIpv6 } from './retain-rows.ts'

test.each([
  ['2001:db8:1:2::3', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['::1', '0:0:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0::/48'],
  ['2001:0DB8:0001:0002:0003:0004:0005:0006', '2001:db8:1::/48'],
  ['::ffff:203.0.113.9', '203.0.113.0/24'],
])('the address %s is shortened to %s', (whole, short) => expect(shortenIpv6(whole)).toBe(short))
