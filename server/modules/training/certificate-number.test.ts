import { expect, test } from 'vitest'
import { certificateNumber, normalNumber } from './certificate-number.ts'

const secret = Buffer.alloc(32, 7)

test('a number of a certificate is read back however it is typed, and nothing else is one', () => {
  const number = certificateNumber(secret, { user: 1, course: 'a', issuedAt: 5 })
  expect(number).toMatch(/^AWT(-[0-9A-HJKMNP-TV-Z]{4}){3}$/)
  expect(certificateNumber(secret, { user: 2, course: 'a', issuedAt: 5 })).not.toBe(number)
  for (const text of [number, number.toLowerCase(), number.slice(4), ` ${number.replaceAll('-', '')} `])
    expect(normalNumber(text)).toBe(number)
  expect(normalNumber('awt-oil0-0000-0000')).toBe('AWT-0110-0000-0000')
  for (const text of ['', 'AWT', `${number}1`, number.slice(0, -1), 'AWT-UUUU-UUUU-UUUU', '证书'])
    expect(normalNumber(text)).toBe('')
  // Digits that begin as the prefix does are no prefix.
  for (const text of ['AWT1-2345-6789', 'AWT-AWT1-2345-6789']) expect(normalNumber(text)).toBe('AWT-AWT1-2345-6789')
})
