import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { type MadeKey, makeKey } from '#tests/support/apk/made-key.ts'
import { buildApk } from '#tests/support/apk/signed-apk.ts'
import { writeAxml } from '#tests/support/resource-writer.ts'
import { mutate } from '#tests/support/zip-writer.ts'
import { FormatError } from '../bytes/format-error.ts'
import { type SigningScheme, signApk } from '../signing/sign-apk.ts'
import { verifyApk } from '../signing/verify-apk.ts'
import { readZip } from '../zip/read-zip.ts'
import { CHANNEL_FILE_BYTES, channelErrorText, readChannelList } from './channel-list.ts'
import { channelOf, judgeChannelTail, writeChannelTail } from './channel-tail.ts'
import { type PackageTail, readPackageTail } from './package-tail.ts'

describe('import files', () => {
  const read = (text: string, name = 'channels.txt') => readChannelList(Buffer.from(text), name)
  const errorsOf = (text: string, name?: string) =>
    read(text, name).errors.map(({ key, line, item }) => [key, line, ...(item === undefined ? [] : [item])].join(' '))

  test('[HARD-07] groups are lines, channels of a group are separated by commas, each is key:value', () => {
    const { channels, errors } = read('store_hw:华为应用市场,store_xm:小米应用商店\r\n\r\nweb-1:官网: 首页\n')
    expect(errors).toEqual([])
    expect(channels).toEqual([
      { key: 'store_hw', name: '华为应用市场', group: 1, line: 1 },
      { key: 'store_xm', name: '小米应用商店', group: 1, line: 1 },
      { key: 'web-1', name: '官网: 首页', group: 2, line: 3 },
    ])
  })

  test('[HARD-07] only a .txt file under 10 KB that is not empty is taken', () => {
    expect(errorsOf('a:1', 'channels.csv')).toEqual(['type 0'])
    expect(errorsOf('a:1', 'CHANNELS.TXT')).toEqual([])
    expect(errorsOf('')).toEqual(['empty 0'])
    expect(errorsOf(' \n\t\r\n')).toEqual(['empty 0'])
    const long = `a:${'x'.repeat(100)}`
    expect(errorsOf(long.padEnd(CHANNEL_FILE_BYTES - 1, '\n'))).toEqual([])
    expect(errorsOf(long.padEnd(CHANNEL_FILE_BYTES, '\n'))).toEqual(['size 0'])
    expect(readChannelList(Buffer.from([0x61, 0x3a, 0xd6, 0xd0]), 'gbk.txt').errors[0]!.key).toBe('encoding')
  })

  test('[HARD-07] every wrong item is an error with its line, and the others are channels', () => {
    const text = [
      'ad_feed_01:信息流 01,ad_feed_02 信息流 02',
      'ad_search:搜索,ad_search:搜索二',
      '',
      'partner_gas:加油合作,partner_中石:加油',
      'web_official:官网,web_h5:H5 落地页,',
      'b：1,c:，d:2,e:,f:\u0007,g:1，h:2',
    ].join('\n')
    expect(errorsOf(text)).toEqual([
      'colon 1 2',
      'duplicate 2 2',
      'key 4 2',
      'comma 5 3',
      'wide-mark 6 1',
      'wide-mark 6 2',
      'value 6 3',
      'value 6 4',
      'wide-mark 6 5',
    ])
    expect(read(text).channels.map(({ key }) => key)).toEqual([
      'ad_feed_01',
      'ad_search',
      'partner_gas',
      'web_official',
      'web_h5',
    ])
    expect(channelErrorText(read(text).errors[0]!)).toMatch(/^line 1, item 2: no colon/)
  })

  test('any bytes give channels with sound keys, or errors', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', ':', ',', '\n', '，', ' ', '中'), maxLength: 60 }),
        (text) => {
          const { channels, errors } = read(text)
          const keys = channels.map(({ key }) => key)
          expect(new Set(keys).size).toBe(keys.length)
          for (const { key, name } of channels) expect([/^[ab]+$/.test(key), name.length > 0]).toEqual([true, true])
          expect(channels.length + errors.length > 0).toBe(true)
        },
      ),
    )
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void readChannelList(bytes, 'a.txt')))
  })
})

describe('channel packages', () => {
  let signer: MadeKey
  let withBlock: Buffer
  let withV1: Buffer
  const channel = { key: 'store_hw', name: '华为应用市场' }

  const signed = (schemes: SigningScheme[]): Buffer => {
    const root = { name: 'manifest', children: [{ name: 'uses-sdk', attributes: [] }] }
    const input = buildApk({ 'AndroidManifest.xml': writeAxml(root), 'classes.dex': Buffer.from('code '.repeat(200)) })
    const request = { key: signer.key, alias: 'a', minSdk: 1, createdBy: 'test' }
    return Buffer.concat(signApk(readZip(input), { ...request, schemes: new Set(schemes) }).pieces)
  }
  const tailOf = (bytes: Uint8Array): PackageTail =>
    readPackageTail((offset, length) => bytes.subarray(offset, offset + length), bytes.length)
  const withChannel = (base: Uint8Array, which = channel): Buffer => {
    const tail = tailOf(base)
    return Buffer.concat([base.subarray(0, tail.bodySize), ...writeChannelTail(tail, which)])
  }

  beforeAll(() => {
    signer = makeKey('signer', 'rsa')
    withBlock = signed(['v1', 'v2', 'v3'])
    withV1 = signed(['v1'])
  })

  test('[HARD-07] the signatures hold, the channel is read back, and only the tail differs', () => {
    for (const [base, place] of [
      [withBlock, 'block'],
      [withV1, 'meta'],
    ] as const) {
      const written = withChannel(base)
      const tail = tailOf(base)
      expect(tail.place).toBe(place)
      expect(channelOf(tail)).toBeUndefined()
      expect(channelOf(tailOf(written))?.key).toBe('store_hw')
      expect(written.subarray(0, tail.bodySize).equals(base.subarray(0, tail.bodySize))).toBe(true)
      expect(judgeChannelTail(tailOf(written), tail, channel)).toBeUndefined()
      expect(verifyApk(written).verified).toBe(true)
      expect(readZip(written).entries.flatMap(({ notes }) => notes)).toEqual([])
    }
    expect(channelOf(tailOf(withChannel(withBlock)))).toEqual(channel)
  })

  test('a channel takes the place of another one in the signing block; in META-INF that is refused', () => {
    const again = withChannel(withChannel(withBlock), { key: 'web', name: '官网' })
    expect(again.equals(withChannel(withBlock, { key: 'web', name: '官网' }))).toBe(true)
    expect(() => withChannel(withChannel(withV1))).toThrow('channel already')
  })

  test('the judge names what else is different', () => {
    const base = tailOf(withBlock)
    const written = tailOf(withChannel(withBlock))
    expect(judgeChannelTail(written, base, { key: 'other', name: '' })).toContain('store_hw')
    const [first] = written.pairs
    const changed = [{ ...first!, value: first!.value.map((byte) => byte ^ 1) }, ...written.pairs.slice(1)]
    expect(judgeChannelTail({ ...written, pairs: changed }, base, channel)).toContain('signature')
    expect(judgeChannelTail({ ...written, pairs: written.pairs.slice(1) }, base, channel)).toContain('signature')
    expect(judgeChannelTail({ ...written, directory: written.directory.subarray(1) }, base, channel)).toContain(
      'directory',
    )
    expect(judgeChannelTail({ ...written, bodySize: 1 }, base, channel)).toContain('longer or shorter')
    expect(judgeChannelTail(tailOf(withChannel(withV1)), base, channel)).toContain('place')
  })

  test('a channel that cannot be read is an error, and changed tails give a tail or a FormatError', () => {
    const base = tailOf(withBlock)
    for (const value of ['{', '[]', 'null', '{"channel":1}'])
      expect(() => channelOf({ ...base, pairs: [{ id: 0x71777777, value: Buffer.from(value) }] })).toThrow(FormatError)
    const whole = Uint8Array.from(withChannel(withBlock))
    const begin = base.bodySize
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: begin, max: whole.length - 1 }), fc.nat(255)), { maxLength: 4 }),
        fc.nat(200),
        (changes, cut) => {
          try {
            channelOf(tailOf(mutate(whole, changes, cut)))
          } catch (error) {
            if (!(error instanceof FormatError)) throw error
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  test('a tail is read without the bytes before it', () => {
    const { bodySize } = tailOf(withBlock)
    const asked: number[] = []
    readPackageTail((offset, length) => {
      asked.push(offset)
      return withBlock.subarray(offset, offset + length)
    }, withBlock.length)
    expect(Math.min(...asked.slice(1))).toBe(bodySize)
    expect(() => readPackageTail(() => new Uint8Array(), 0)).toThrow(FormatError)
  })
})
