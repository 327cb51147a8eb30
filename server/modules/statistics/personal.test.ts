import { isIPv6 } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mayReveal, redactRaw, truncateAddress } from './personal.ts'

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

test('a wall never reveals, whatever its maker may', () => {
  expect(mayReveal({ kind: 'display', auth: ['personal.reveal'] })).toBe(false)
  expect(mayReveal({ kind: 'session', auth: ['events.read'] })).toBe(false)
  expect(mayReveal({ kind: 'session', auth: ['personal.reveal'] })).toBe(true)
})

test('the address in a raw event goes, even where the text was cut', () => {
  const raw = JSON.stringify({ event_id: 'a', client_ip: '203.0.113.77', detail: { client_ip: 'x"y' } })
  for (let cut = 0; cut <= raw.length; cut++) {
    const text = redactRaw(raw.slice(0, cut))
    expect(text).not.toMatch(/203\.|x\\"/)
  }
  expect(JSON.parse(redactRaw(raw))).toEqual({ event_id: 'a', client_ip: '***', detail: { client_ip: '***' } })
})
