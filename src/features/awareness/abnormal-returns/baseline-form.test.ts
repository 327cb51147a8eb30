import fc from 'fast-check'
import { expect, test } from 'vitest'
import { saveBaseline } from '#contracts/http/baselines.ts'
import { readChannels, readHashes, readSigners } from './baseline-form.ts'

const sha = 'A1'.repeat(32)

test('certificates are read with colons, in any case, and a wrong line is named', () => {
  expect(readSigners(`\n${sha.match(/../g)?.join(':')}\n  ${sha.toLowerCase()} `)).toEqual({
    value: [sha.toLowerCase()],
    badLine: null,
  })
  expect(readSigners(`${sha}\nzz`)).toEqual({ value: [sha.toLowerCase()], badLine: 2 })
})

test('the baseline form reads hashes by file name', () => {
  expect(readHashes(`classes.dex = ${sha}\nlib/arm64/a.so=${sha}`).value).toEqual({
    'classes.dex': sha.toLowerCase(),
    'lib/arm64/a.so': sha.toLowerCase(),
  })
  expect(readHashes('classes.dex').badLine).toBe(1)
  expect(readHashes(`=${sha}`).badLine).toBe(1)
})

test('channels are separated by commas of either script', () => {
  expect(readChannels('huawei, xiaomi，oppo、vivo\nhuawei\n')).toEqual(['huawei', 'xiaomi', 'oppo', 'vivo'])
})

test('what the form reads without complaint is what the server takes, whatever is typed', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      const [signers, hashes] = [readSigners(a), readHashes(`${b}\nx=${sha}`)]
      const body = { appid: '1', version: '1', signers: signers.value.slice(0, 8), hashes: hashes.value }
      expect(saveBaseline.body?.safeParse(body).success).toBe(true)
    }),
  )
})
