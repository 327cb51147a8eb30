import { expect, test } from 'vitest'
import { productKey, productOfCpe, sameRanges, touches } from './affected-range.ts'

const okhttp = (version: string) => ({ group: 'com.squareup.okhttp3', name: 'okhttp', version })

test('products come from CPE names of applications and systems, escaped characters as they are meant', () => {
  expect(productOfCpe('cpe:2.3:a:squareup:okhttp:4.9.0:*:*:*:*:*:*:*')).toEqual({
    vendor: 'squareup',
    product: 'okhttp',
    version: '4.9.0',
  })
  expect(productOfCpe('cpe:2.3:a:maker\\:one:a\\.b:*:*')).toEqual({ vendor: 'maker:one', product: 'a.b' })
  for (const one of ['', 'cpe:2.3:h:maker:phone:-:*', 'cpe:2.3:a:maker:*:1', 'okhttp'])
    expect(productOfCpe(one)).toBeUndefined()
})

test('a component is affected by name, vendor and version; ends that do not belong to the range are outside', () => {
  const range = { vendor: 'squareup', product: 'okhttp', from: '4.0', before: '4.9.2' }
  expect(['3.14', '4.0', '4.9.1', '4.9.2'].map((version) => touches([range], okhttp(version)))).toEqual([
    undefined,
    'affected',
    'affected',
    undefined,
  ])
  const { before: _end, ...open } = range
  expect(touches([{ ...open, after: '4.0', through: '4.1' }], okhttp('4.0'))).toBeUndefined()
  expect(touches([{ ...open, after: '4.0', through: '4.1' }], okhttp('4.1'))).toBe('affected')
  expect(touches([{ vendor: '', product: 'okhttp', version: '4.9.1' }], okhttp('4.9.1'))).toBe('affected')
})

test('the same name of another vendor is not affected, and an unreadable version is said to be unknown', () => {
  const range = { vendor: 'othermaker', product: 'okhttp', before: '9' }
  expect(touches([range], okhttp('1.0'))).toBeUndefined()
  expect(
    touches([{ ...range, vendor: 'google' }], { group: 'com.google.code.gson', name: 'okhttp', version: '1' }),
  ).toBe('affected')
  expect(touches([{ ...range, vendor: 'squareup' }], okhttp('unspecified'))).toBe('version_unknown')
  expect(
    touches([{ vendor: 'openssl', product: 'openssl', before: '1.1.1l' }], {
      group: '',
      name: 'OpenSSL',
      version: '1.1.1k',
    }),
  ).toBe('affected')
  expect(productKey('jackson_databind')).toBe(productKey('Jackson-Databind'))
})

test('ranges are the same in any order of them and of their fields, and not with another end', () => {
  const one = { vendor: 'squareup', product: 'okhttp', from: '4.0', before: '4.9.2' }
  const other = { vendor: '', product: 'sqlite', version: '3.8.2' }
  const turned = { before: '4.9.2', from: '4.0', product: 'okhttp', vendor: 'squareup' }
  expect(sameRanges([one, other], [other, turned])).toBe(true)
  for (const ranges of [[], [one], [one, { ...other, version: '3.8.3' }], [{ ...one, from: '4.0.1' }, other]])
    expect(sameRanges([one, other], ranges)).toBe(false)
  expect(sameRanges([{ ...other, from: '1' }], [{ ...other, after: '1' }])).toBe(false)
})
