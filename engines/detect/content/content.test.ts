import { crc32, deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeWebp } from '#server/platform/pictures/webp-decoder.ts'
import { apkBytes } from '#tests/support/detect-package.ts'
import { imageSize } from '../../icon/image-size.ts'
import { readPackage } from '../../package/read-package.ts'
import type { GreyPicture, ReadText } from '../input/content-input.ts'
import { SCAN_CHOICES } from '../input/scan-choices.ts'
import { scan } from '../scan.ts'
import { BUILT_IN_WORDS } from './built-in-words.ts'
import { imageTools } from './image-tools.ts'
import { normaliseText, pinyinOf } from './normalise-text.ts'
import { WordAutomaton } from './word-automaton.ts'
import { WordMatcher } from './word-matcher.ts'

const matcher = new WordMatcher([
  { group: '涉赌', words: ['赌博', '澳门赌场', 'casino online', 'baccarat'] },
  { group: 'Scam', words: ['paypal', '洗钱'] },
])
const forms = (text: string) => matcher.find(text).map(({ word, form, from, to }) => [word, form, text.slice(from, to)])

/** UTF-16 units. */
const codesOf = (text: string) => Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))

describe('[DET-10] sensitive words', () => {
  test('are found in every disguise, with the location in the text as it was written', () => {
    expect(forms('快来赌博吧')).toEqual([['赌博', 'as_written', '赌博']])
    expect(forms('線上賭博')).toEqual([['赌博', 'traditional', '賭博']])
    expect(forms('赌 - 博')).toEqual([])
    expect(forms('赌-博，洗★钱')).toEqual([
      ['赌博', 'separators', '赌-博'],
      ['洗钱', 'separators', '洗★钱'],
    ])
    expect(forms('ＢＡＣＣＡＲＡＴ')).toEqual([['baccarat', 'width', 'ＢＡＣＣＡＲＡＴ']])
    expect(forms('Baccarat')).toEqual([['baccarat', 'case', 'Baccarat']])
    expect(forms('раypаl')).toEqual([['paypal', 'homoglyph', 'раypаl']])
    expect(forms('来 dubo 吧')).toEqual([['赌博', 'pinyin', 'dubo']])
    expect(forms('play casino online')).toEqual([['casino online', 'as_written', 'casino online']])
  })

  test('are not found inside of other words, over line ends, or by chance', () => {
    for (const text of ['赌\n博', 'baccarats', 'subpaypal', 'dubo', 'dubois 在此', 'папа', '博赌', 'pay, some pal'])
      expect(forms(text), text).toEqual([])
  })

  test('an overlapping word is found beside the longer one', () => {
    const both = new WordMatcher([{ group: 'g', words: ['澳门赌场', '赌场', '门赌'] }])
    expect(both.find('去澳门赌场').map(({ word }) => word)).toEqual(['门赌', '澳门赌场', '赌场'])
  })

  test('the automaton finds what a search word by word finds', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '赌', '博'), minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(
        fc.uniqueArray(letters, { minLength: 1, maxLength: 8 }),
        fc.string({ unit: fc.constantFrom('a', 'b', '赌', '博'), maxLength: 60 }),
        (words, text) => {
          const found: string[] = []
          new WordAutomaton(words).search(codesOf(text), (word, end) => found.push(`${words[word]} ${end}`))
          const expected = words.flatMap((word) =>
            [...Array(text.length + 1).keys()]
              .filter((end) => text.slice(0, end).endsWith(word))
              .map((end) => `${word} ${end}`),
          )
          expect(found.sort()).toEqual(expected.sort())
        },
      ),
    )
  })

  test('whatever the text is, offsets lie inside it and the order is kept', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (text) => {
        const { offsets, forms: bits, codes } = normaliseText(text)
        expect(bits.subarray(0, codes.length).every((one) => one < 16)).toBe(true)
        for (let at = 0; at < codes.length; at++) {
          expect(offsets[at]).toBeLessThan(text.length)
          if (at) expect(offsets[at]).toBeGreaterThan(offsets[at - 1]!)
        }
        for (const { from, to } of matcher.find(text)) expect(text.slice(from, to).length).toBeGreaterThan(0)
      }),
    )
  })

  test('a hostile text costs time in proportion to its length', () => {
    const many = new WordMatcher([
      { group: 'g', words: Array.from({ length: 2000 }, (_, i) => `${'赌'.repeat(40)}${i}`) },
    ])
    const began = performance.now()
    many.find('赌'.repeat(400_000))
    many.find('а'.repeat(400_000))
    expect(performance.now() - began).toBeLessThan(5000)
  })

  test('built-in lists: names in both languages, no word twice in a list, each of them found as it is written', () => {
    const all = new WordMatcher(BUILT_IN_WORDS.map(({ zh, words }) => ({ group: zh, words })))
    for (const { zh, en, words } of BUILT_IN_WORDS) {
      expect(zh && en).toBeTruthy()
      expect(new Set(words).size).toBe(words.length)
      for (const word of words)
        expect(all.find(word), word).toContainEqual({ group: zh, word, form: 'as_written', from: 0, to: word.length })
    }
    expect(pinyinOf('赌博')).toBe('dubo')
    expect(pinyinOf('赌x')).toBeNull()
  })
})

/** A QR code of 21 x 21 modules that says `DUBO.EXAMPLE/1`, a row a number. */
const QR =
  '1fd17f 105a41 175f5d 17555d 174d5d 105541 1fd57f 000000 19c12f 089ecd 004e92 0c31b0 1bf6d5 001827 1fce9e 105491 175364 1749cb 174c14 105ea8 1fd6f1'

/** A grey PNG of that code, with a quiet zone, eight pixels a module. */
function qrPicture(): Buffer {
  const rows = QR.split(' ').map((row) => Number.parseInt(row, 16))
  const side = (21 + 8) * 8
  return picture(side, side, (x, y) => {
    const row = rows[Math.floor(y / 8) - 4]
    const column = (x >> 3) - 4
    return row !== undefined && column >= 0 && column < 21 && (row >> (20 - column)) & 1 ? 0 : 255
  })
}

/** Upright strokes of a width, in two lines: has the edges of words. */
const bars = (width: number) => (x: number, y: number) =>
  y % 40 < 8 || Math.floor(x / width) % 3 > 0 || (x * 7 + y) % 97 === 0 ? 255 : 0

/** A grey PNG, not compressed so that its size is that of a picture of its kind. */
function picture(width: number, height: number, pixel: (x: number, y: number) => number): Buffer {
  const lines = Array.from({ length: height }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: width }, (_, x) => pixel(x, y))]),
  )
  const part = (kind: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(kind), data])
    const ends = Buffer.alloc(8)
    ends.writeUInt32BE(data.length)
    ends.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    part('IHDR', header),
    part('IDAT', deflateSync(Buffer.concat(lines), { level: 0 })),
    part('IEND', Buffer.alloc(0)),
  ])
}

describe('[DET-10] pictures', () => {
  test('sizes are read from headers; what is no picture has none', () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452000001f4000000c80806000000', 'hex')
    expect(imageSize(Buffer.concat([png, Buffer.alloc(8)]))).toEqual({ width: 500, height: 200 })
    const gif = Buffer.concat([Buffer.from('GIF89a'), Buffer.from([0x40, 0x01, 0x20, 0x00]), Buffer.alloc(30)])
    expect(imageSize(gif)).toEqual({ width: 320, height: 32 })
    const jpeg = Buffer.concat([Buffer.from('ffd8ffe000040000ffc0001108006400c803', 'hex'), Buffer.alloc(30)])
    expect(imageSize(jpeg)).toEqual({ width: 200, height: 100 })
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 80 }),
        fc.constantFrom('', '89504e47', 'ffd8ff', '47494638', '424d', '524946460000000057454250'),
        (bytes, head) => {
          imageSize(Buffer.concat([Buffer.from(head, 'hex'), bytes]))
        },
      ),
    )
  })

  test('a file that is no picture, or unfolds too far, is not decoded', () => {
    const { decode } = imageTools(decodeWebp)
    expect(decode!(Buffer.alloc(100), 480)).toBeNull()
    const bomb = Buffer.from('89504e470d0a1a0a0000000d49484452000186a0000186a00806000000', 'hex')
    expect(decode!(Buffer.concat([bomb, Buffer.alloc(100)]), 480)).toBeNull()
    const broken = Buffer.from('89504e470d0a1a0a0000000d49484452000000c8000000c80806000000', 'hex')
    expect(decode!(Buffer.concat([broken, Buffer.alloc(100)]), 480)).toBeNull()
  })

  test('a WebP picture is decoded, made smaller and put on white', () => {
    const bytes = Buffer.from(
      'UklGRjgAAABXRUJQVlA4TCwAAAAvL8ALEBcwIAKBJMTRRxILJkPJ/wpx/gPeDWTSNjE5k1W7M6L/E7B7VhXwCQ==',
      'base64',
    )
    const { decode } = imageTools(decodeWebp)
    const { width, height, data } = decode!(bytes, 24)!
    const colour = (x: number, y: number) => [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)]
    expect([width, height, colour(3, 3), colour(20, 20)]).toEqual([
      24,
      24,
      [0xd0, 0x20, 0x20, 255],
      [255, 255, 255, 255],
    ])
    expect(decode!(bytes.subarray(0, 50), 24)).toBeNull()
  })

  test('the text of a QR code is a hit, and so is a word in it', () => {
    const bytes = apkBytes({ files: { 'assets/pay.png': qrPicture() } })
    const choices = { ...SCAN_CHOICES, kinds: ['content' as const], words: [{ group: 'g', words: ['dubo'] }] }
    const { content, notAssessed } = scan(readPackage(bytes, 'a.apk'), choices, {}, imageTools(decodeWebp))
    expect(content.map(({ kind, value, place }) => [kind, value, place.entry])).toEqual([
      ['qr', 'DUBO.EXAMPLE/1', 'assets/pay.png'],
      ['word', 'dubo', 'assets/pay.png'],
    ])
    expect(notAssessed.map(({ key }) => key)).not.toContain('content-image-unreadable')
  })

  describe('words in pictures', () => {
    const choices = { ...SCAN_CHOICES, kinds: ['content' as const], words: [{ group: 'g', words: ['赌博', '洗钱'] }] }
    const lookAt = (files: Record<string, Buffer>, answers: readonly ReadText[]) => {
      const read: GreyPicture[] = []
      const tools = imageTools(decodeWebp, (pictures) => {
        for (const one of pictures) read.push(one)
        return answers
      })
      const { content, notAssessed } = scan(readPackage(apkBytes({ files }), 'a.apk'), choices, {}, tools)
      const note = notAssessed.find(({ key }) => key === 'content-text-recognition')?.text.en
      return { read, content, note }
    }

    test('are distinguished from those in texts; only spellings that cannot be chance count', () => {
      const files = { 'assets/a.png': picture(300, 90, bars(4)), 'assets/b.png': picture(300, 90, bars(6)) }
      const { content, read, note } = lookAt(files, [{ text: '线 上 赌 博\nxi qian' }, { text: '洗 錢 赌-博' }])
      expect(read.map(({ width, height }) => [width, height])).toEqual([
        [300, 90],
        [300, 90],
      ])
      expect(content.map(({ kind, value, form, place }) => [kind, value, form, place.entry, place.snippet])).toEqual([
        ['text_in_image', '赌博', 'as_written', 'assets/a.png', ['线上赌博 xi qian']],
        ['text_in_image', '洗钱', 'traditional', 'assets/b.png', ['洗錢赌-博']],
      ])
      expect(note).toBeUndefined()
    })

    test('which pictures were not read is reported, by reason', () => {
      const long = picture(300, 90, bars(4))
      const files = {
        'assets/a.png': long,
        'assets/a-again.png': long,
        'assets/alike.png': picture(300, 90, (x, y) => (bars(4)(x, y) === 255 ? 250 : 3)),
        'assets/flat.png': picture(300, 90, (x, y) => ((x * 7 + y * 3) % 8) + 100),
        'assets/noise.png': picture(300, 90, (x, y) => ((x * 2_654_435_761 + y * 40_503 * x) >>> 9) & 255),
        'assets/icon.png': picture(60, 60, (x, y) => (x * y * 31) & 255),
        'assets/slow.png': picture(400, 90, bars(9)),
      }
      const { read, note } = lookAt(files, [null, { text: '' }])
      expect(read).toHaveLength(2)
      expect(note).toBe(
        'words were read in 1 pictures; of the others 1 are too small, 2 look like others, 2 show no sign of words, 1 could not be read in the time',
      )
    })

    test('the most telling ones are read where there are too many', () => {
      const files = Object.fromEntries(
        Array.from({ length: 64 }, (_, i) => [
          `assets/${i}.png`,
          picture(200 + i, 60 + (i % 7) * 9, bars(3 + (i % 9))),
        ]),
      )
      const { read, note } = lookAt(files, [])
      expect(read.length).toBeLessThanOrEqual(60)
      const left = 64 - read.length
      const seen = [...(note ?? '').matchAll(/(\d+) (?:look|are beyond)/g)].reduce(
        (sum, [, count]) => sum + Number(count),
        0,
      )
      expect(seen).toBe(left)
    })
  })

  test('what was not examined is named', () => {
    const bytes = apkBytes({ files: { 'assets/words.txt': '线上賭博', 'res/drawable/a.png': Buffer.alloc(900, 7) } })
    const choices = { ...SCAN_CHOICES, kinds: ['content' as const], words: [{ group: '涉赌', words: ['赌博'] }] }
    const result = scan(readPackage(bytes, 'a.apk'), choices, {}, imageTools(decodeWebp))
    expect(result.content).toEqual([
      {
        kind: 'word',
        group: '涉赌',
        value: '赌博',
        form: 'traditional',
        place: { entry: 'assets/words.txt', offset: 6, snippet: ['线上賭博'] },
      },
    ])
    const keys = result.notAssessed.map(({ key }) => key)
    expect(keys).toContain('content-no-text-recognition')
    expect(keys).toContain('content-no-image-model')
    expect(keys).toContain('content-image-unreadable')
    const without = scan(readPackage(bytes, 'a.apk'), choices)
    expect(without.notAssessed.map(({ key }) => key)).toContain('content-no-qr')
  })
})
