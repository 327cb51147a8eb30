import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Resvg } from '@resvg/resvg-js'
import { describe, expect, test } from 'vitest'
import { greyOf } from '#engines/detect/content/picture-sketch.ts'
import type { GreyPicture } from '#engines/detect/input/content-input.ts'
import { apkBytes } from '#tests/support/detect-package.ts'
import { NO_EXTRAS, PACKAGE_ORDER, type PackageOrder } from '../../modules/detection/scan-messages.ts'
import { scanPackage } from '../../modules/detection/scan-package.ts'
import { textReader } from './text-reader.ts'

const read = textReader()
const FONTS = 'node_modules/@expo-google-fonts/noto-sans-sc/400Regular'

function draw(lines: readonly string[], width: number) {
  const height = 40 + lines.length * 60
  const texts = lines.map((line, i) => `<text x="20" y="${60 + i * 60}" font-size="36" fill="#223">${line}</text>`)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="Noto Sans SC"><rect width="100%" height="100%" fill="#fff"/>${texts.join('')}</svg>`
  const fontFiles = readdirSync(FONTS).map((name) => join(FONTS, name))
  return new Resvg(svg, { font: { fontFiles, loadSystemFonts: false } }).render()
}

/** Lines of text as a picture. */
function drawn(lines: readonly string[]): GreyPicture {
  const { pixels, width, height } = draw(lines, 700)
  return greyOf({ width, height, data: new Uint8ClampedArray(pixels) })
}

describe.skipIf(read === null)('[DET-10] words in pictures (optional packages of text recognition)', () => {
  const words = (pictures: Iterable<GreyPicture>) =>
    (read?.(pictures) ?? []).map((one) => one?.text.replace(/\s/g, '') ?? null)

  test('Chinese and Latin words are read, each time alike, whatever was read before', { timeout: 60_000 }, () => {
    const first = drawn(['澳门赌场 在线博彩', 'Click here to WIN'])
    const second = drawn(['代开发票 联系客服'])
    const answers = words([first, second, first])
    expect(answers[0]).toContain('澳门赌场在线博彩')
    expect(answers[0]).toContain('ClickheretoWIN')
    expect(answers[1]).toContain('代开发票联系客服')
    expect(answers[2]).toBe(answers[0])
  })

  test('a broken picture is not read, the next one is', { timeout: 60_000 }, () => {
    const good = drawn(['代开发票 联系客服'])
    const empty = { width: 0, height: 0, data: new Uint8Array() }
    const short = { width: 300, height: 300, data: new Uint8Array(10) }
    const answers = words([empty, short, good])
    expect(answers.slice(0, 2)).toEqual([null, null])
    expect(answers[2]).toContain('代开发票')
  })

  test('a picture that takes too long is given up, and so are all once the time is over', { timeout: 60_000 }, () => {
    let time = 0
    const limited = textReader({ turnMs: 1, allMs: 100, now: () => (time += 40) })
    const one = drawn(['代开发票 联系客服'])
    expect(limited?.([one, one, one, one])).toEqual([null, null, null, null])
  })

  test('text recognition finds no words in noise', { timeout: 60_000 }, () => {
    const data = new Uint8Array(120 * 120).map((_, at) => (at * 2_654_435_761) >>> 24)
    expect(words([{ width: 120, height: 120, data }])[0]).toBe('')
  })

  test('a scan reports the word, its list, the picture and the text around it, equal in each run', {
    timeout: 60_000,
  }, () => {
    const files = {
      'assets/banner.png': Buffer.from(draw(['欢迎来到澳门赌场 送彩金', '注册即送 100 元'], 600).asPng()),
      'assets/flat.png': Buffer.from(draw(['', ''], 400).asPng()),
    }
    const scanIt = (kinds: PackageOrder['kinds']) =>
      scanPackage(apkBytes({ files }), { ...PACKAGE_ORDER, name: 'a.apk', kinds }, () => {}, {
        ...NO_EXTRAS,
        words: [{ group: '涉赌', words: ['赌场', '彩金'] }],
      })
    const result = scanIt(['content'])
    expect(result.content.map(({ kind, group, value, place }) => [kind, group, value, place.entry])).toEqual([
      ['text_in_image', '涉赌', '赌场', 'assets/banner.png'],
      ['text_in_image', '涉赌', '彩金', 'assets/banner.png'],
    ])
    expect(result.content[0]?.place.snippet?.[0]).toContain('欢迎来到澳门赌场')
    expect(JSON.stringify(scanIt(['content']))).toBe(JSON.stringify(result))
    expect(scanIt(['static']).notAssessed.map(({ key }) => key)).not.toContain('content-no-image-model')
  })
})
