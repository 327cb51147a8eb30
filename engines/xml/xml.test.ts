import { describe, expect, test } from 'vitest'
import { FormatError } from '../bytes/format-error.ts'
import { looksLikeXml, readXml, XML_LIMITS } from './read-xml.ts'

const read = (text: string) => readXml(Buffer.from(text))
const keyOf = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    if (error instanceof FormatError) return error.key
    throw error
  }
  return 'nothing thrown'
}

describe('textual XML', () => {
  test('elements, attributes, text, with line and offset', () => {
    const text =
      '<?xml version="1.0"?>\n<!-- note -->\n<a:b x="1 &lt; 2" y=\'"\'>t&amp;<![CDATA[<raw>]]>\n  <c/>\n</a:b>'
    const root = read(text)
    expect(root).toMatchObject({ name: 'a:b', line: 3, text: 't&<raw>\n  \n', offset: text.indexOf('<a:b') })
    expect(root.attributes).toEqual([
      { name: 'x', value: '1 < 2', offset: text.indexOf('x="1') },
      { name: 'y', value: '"', offset: text.indexOf("y='") },
    ])
    expect(root.children).toMatchObject([{ name: 'c', line: 4, children: [] }])
  })

  test('each error of textual XML is reported with its key', () => {
    expect(keyOf(() => read(''))).toBe('not-xml')
    expect(keyOf(() => read('<a>'))).toBe('truncated')
    expect(keyOf(() => read('<a></b>'))).toBe('mismatch')
    expect(keyOf(() => read('<a x></a>'))).toBe('syntax')
    expect(keyOf(() => read('<a x=1></a>'))).toBe('syntax')
    expect(keyOf(() => read('<a x="1'))).toBe('truncated')
    expect(keyOf(() => read('<!-- '))).toBe('truncated')
    expect(keyOf(() => read('<a>&nbsp;</a>'))).toBe('reference')
    expect(keyOf(() => read('<a>& </a>'))).toBe('reference')
  })

  test('limits: depth, elements, attributes, size; long input in bounded time', () => {
    const limits = { ...XML_LIMITS, elements: 3 }
    expect(keyOf(() => readXml(Buffer.from('<a><b/><b/><b/></a>'), limits))).toBe('limit')
    expect(keyOf(() => read('<a>'.repeat(500)))).toBe('limit')
    expect(keyOf(() => read(`<a ${Array.from({ length: 600 }, (_, i) => `x${i}=""`).join(' ')}/>`))).toBe('limit')
    expect(keyOf(() => readXml(Buffer.from('<a/>'), { ...XML_LIMITS, size: 3 }))).toBe('limit')
    const begin = performance.now()
    read(`<a>${'<b/>&amp;'.repeat(100_000)}</a>`)
    expect(performance.now() - begin).toBeLessThan(5_000)
  })

  test('bytes that look like XML are distinguished from others', () => {
    expect(looksLikeXml(Buffer.from('\n <manifest'))).toBe(true)
    expect(looksLikeXml(Buffer.from('\ufeff<?xml'))).toBe(true)
    expect(looksLikeXml(Buffer.from([3, 0, 8, 0]))).toBe(false)
  })
})
