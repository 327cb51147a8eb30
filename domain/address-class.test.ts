import { expect, test } from 'vitest'
import { addressClass } from './address-class.ts'

test('addresses of one /24 or /48 network have one class, whatever their spelling', () => {
  expect(addressClass('203.0.113.7')).toBe('203.0.113')
  expect(addressClass('::ffff:203.0.113.9')).toBe('203.0.113')
  expect(addressClass('::FFFF:203.0.113.9')).toBe('203.0.113')
  expect(addressClass('2001:db8:1:2::7')).toBe('2001:db8:1')
  expect(addressClass('2001:db8::7')).toBe('2001:db8:0')
  expect(addressClass('::1')).toBe(':0:0')
})
