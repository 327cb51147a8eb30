import { BlockList, isIPv6 } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isInRanges, isListed, parseAddressRange } from './address-range.ts'

const holds = (range: string, address: string) => {
  const parsed = parseAddressRange(range)
  return parsed !== undefined && isInRanges([parsed], address)
}

test('a range holds its own addresses of IPv4 and IPv6, single ones too, and a mapped address counts as IPv4', () => {
  expect(holds('10.0.0.0/8', '10.255.1.2')).toBe(true)
  expect(holds('10.0.0.7/8', '10.255.1.2')).toBe(true)
  expect(holds('10.0.0.0/8', '11.0.0.1')).toBe(false)
  expect(holds('192.0.2.7', '192.0.2.7')).toBe(true)
  expect(holds('192.0.2.7', '192.0.2.8')).toBe(false)
  expect(holds('2001:db8::/32', '2001:db8:ffff::1')).toBe(true)
  expect(holds('2001:db8::/32', '2001:db9::1')).toBe(false)
  expect(holds('10.0.0.0/8', '::ffff:10.1.2.3')).toBe(true)
  expect(holds('::ffff:10.0.0.0/104', '10.1.2.3')).toBe(true)
  expect(holds('0.0.0.0/0', '2001:db8::1')).toBe(false)
  expect(holds('::/0', '10.1.2.3')).toBe(false)
  expect(holds('::1', '0:0:0:0:0:0:0:1')).toBe(true)
})

test('a list lets the addresses of its ranges through, an empty one every address, one without a valid range none', () => {
  expect(isListed([], '192.0.2.1')).toBe(true)
  expect(isListed(['10.0.0.0/8', '2001:db8::/32'], '2001:db8::7')).toBe(true)
  expect(isListed(['10.0.0.0/8', '2001:db8::/32'], '192.0.2.1')).toBe(false)
  expect(isListed(['nothing'], '192.0.2.1')).toBe(false)
})

test('what is no range is refused: names, zones, leading zeros, long prefixes, too many groups', () => {
  for (const bad of [
    '',
    'localhost',
    '10.0.0',
    '10.0.0.256',
    '010.0.0.1',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    'fe80::1%eth0',
    '::1/129',
    '1:2:3:4:5:6:7:8:9',
    '1::2::3',
    '1:2:3:4:5:6:7::8:9',
    ':::',
    '::10.0.0.256',
  ])
    expect(parseAddressRange(bad), bad).toBeUndefined()
  expect(isInRanges([parseAddressRange('0.0.0.0/0') as never], 'not an address')).toBe(false)
})

test("ranges hold exactly the addresses that Node's own list holds", () => {
  const check = (network: string, prefix: number, address: string) => {
    const list = new BlockList()
    const family = isIPv6(network) ? 'ipv6' : 'ipv4'
    list.addSubnet(network, prefix, family)
    expect(holds(`${network}/${prefix}`, address)).toBe(list.check(address, family))
  }
  fc.assert(fc.property(fc.ipV4(), fc.integer({ min: 0, max: 32 }), fc.ipV4(), check))
  const six = fc.ipV6().filter((text) => !text.includes('.') && !/^(0*:)*:?ffff:/i.test(text))
  fc.assert(fc.property(six, fc.integer({ min: 0, max: 128 }), six, check))
  fc.assert(fc.property(fc.string(), (text) => void parseAddressRange(text)))
})
