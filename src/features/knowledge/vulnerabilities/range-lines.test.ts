import { expect, test } from 'vitest'
import { parseRangeLines, rangeLines } from './range-lines.ts'

test('ranges are read from lines and written as the same lines', () => {
  const text = 'squareup okhttp >=4.0 <4.9.2\n- sqlite =3.8.2\nopenssl openssl >1.1.0 <=1.1.1k'
  const ranges = parseRangeLines(`\n${text}\n`)
  expect(ranges).toEqual([
    { vendor: 'squareup', product: 'okhttp', from: '4.0', before: '4.9.2' },
    { vendor: '', product: 'sqlite', version: '3.8.2' },
    { vendor: 'openssl', product: 'openssl', after: '1.1.0', through: '1.1.1k' },
  ])
  expect(rangeLines(ranges as never)).toBe(text)
  expect(parseRangeLines('')).toEqual([])
})

test('the first line that is not understood is named', () => {
  for (const wrong of ['okhttp', 'squareup okhttp 4.9', 'squareup >=4.0', 'squareup okhttp >=4.0 <'])
    expect(parseRangeLines(`squareup okhttp >=4.0\n${wrong}`)).toEqual({ wrongLine: 2 })
})
