import { expect, test } from 'vitest'
import { decodeText } from './decode-text.ts'

test('[DET-10] text files are read in UTF-8, UTF-16 and GB18030; what is no text is refused', () => {
  expect(decodeText(new TextEncoder().encode('赌博\n'))).toBe('赌博\n')
  expect(decodeText(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe('a')
  expect(decodeText(Uint8Array.of(0xff, 0xfe, 0x4c, 0x8d))).toBe('赌')
  expect(decodeText(Uint8Array.of(0xfe, 0xff, 0x8d, 0x4c))).toBe('赌')
  expect(decodeText(Uint8Array.of(0xb6, 0xc4, 0xb2, 0xa9))).toBe('赌博')
  expect(decodeText(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1))).toBeUndefined()
  expect(decodeText(Uint8Array.of(0xff, 0x00, 0xff))).toBeUndefined()
})
