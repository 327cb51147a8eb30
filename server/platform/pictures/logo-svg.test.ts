import { describe, expect, test } from 'vitest'
import { drawLogo } from './draw-logo.ts'
import { logoSvg } from './logo-svg.ts'

const svg = (inner: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">${inner}</svg>`)
const GOOD = svg('<rect width="40" height="20" fill="#1d70d2"/>')

describe('the logo of reports', () => {
  test('[DET-04] an SVG is drawn as a PNG that fits the cover', async () => {
    const png = await drawLogo(GOOD)
    const view = new DataView((png as Buffer).buffer, (png as Buffer).byteOffset)
    expect(view.getUint32(0)).toBe(0x89504e47)
    expect([view.getUint32(16), view.getUint32(20)]).toEqual([480, 240])
    const again = await drawLogo(png as Buffer)
    expect(again?.subarray(0, 4)).toEqual(png?.subarray(0, 4))
  })

  test.each([
    ['a reference outside', '<use href="http://example.com/a.svg#b"/>'],
    ['a file of the server', '<image href="/etc/hostname.png" width="9" height="9"/>'],
    ['a hidden reference', '<use xlink:href="&#x2f;etc"/>'],
    ['a script', '<script>1</script>'],
    ['a style from outside', '<style>@import "a.css"</style>'],
  ])('[DET-04] a report logo with %s is refused', (_name, inner) => {
    expect(logoSvg(svg(inner))).toBeUndefined()
  })

  test('[DET-04] entities, other kinds and pictures of absurd size are refused', () => {
    expect(logoSvg(Buffer.from(`<!DOCTYPE svg [<!ENTITY a "b">]>${svg('&a;')}`))).toBeUndefined()
    expect(logoSvg(Buffer.from('GIF89a'))).toBeUndefined()
    const huge = Buffer.alloc(40)
    huge.writeUInt32BE(0x89504e47, 0)
    huge.writeUInt32BE(60_000, 16)
    huge.writeUInt32BE(60_000, 20)
    expect(logoSvg(huge)).toBeUndefined()
  })

  test('[DET-04] a logo that cannot be drawn is refused with the reason', async () => {
    expect(await drawLogo(svg('<path d="M0'))).toBeUndefined()
  })
})
