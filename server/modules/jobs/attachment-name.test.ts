import fc from 'fast-check'
import { expect, test } from 'vitest'
import { attachment } from './attachment-name.ts'

/** Any code points, lone surrogates too. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 20 })
  .map((codes) => codes.map((code) => String.fromCodePoint(code)).join(''))

test('a download name is one safe header value and decodes to the name', () => {
  fc.assert(
    fc.property(anyText, (name) => {
      const header = attachment(name)
      expect(header).toMatch(/^attachment; filename="[\x20-\x21\x23-\x7e]*"; filename\*=UTF-8''[\w!#$&+.^`|~%-]*$/)
      const decoded = decodeURIComponent(header.slice(header.indexOf("''") + 2))
      expect(decoded).not.toMatch(/[/\\"\r\n]/)
      expect([...decoded].length).toBe([...name].length)
    }),
  )
  expect(attachment('../../etc/事件.csv')).toContain("filename*=UTF-8''.._.._etc_%E4%BA%8B%E4%BB%B6.csv")
})
