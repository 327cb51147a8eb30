import { deflateRawSync } from 'node:zlib'
import { Resvg } from '@resvg/resvg-js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeWebp } from '#server/platform/pictures/webp-decoder.ts'
import { type WrittenElement, writeArsc, writeAxml } from '#tests/support/resource-writer.ts'
import { mutate } from '#tests/support/zip-writer.ts'
import type { Icon } from '../apk/apk-facts.ts'
import { readArsc } from '../arsc/read-arsc.ts'
import { readAxml } from '../axml/read-axml.ts'
import { applicationIcon, pictureIcon } from './application-icon.ts'

type Files = Record<string, WrittenElement | Uint8Array>
const at = (name: string, value: string | readonly [number, number]) => ({ name, value })
const float = (value: number) => [4, new Uint32Array(new Float32Array([value]).buffer)[0] as number] as const
const RED = [0x1c, 0xffff0000] as const

const vector = (color: readonly [number, number] = RED, path = 'M0,0h24v24h-24z'): WrittenElement => ({
  name: 'vector',
  attributes: [at('viewportWidth', float(24)), at('viewportHeight', float(24))],
  children: [{ name: 'path', attributes: [at('pathData', path), at('fillColor', color)] }],
})

function svgOf(files: Files, icons: readonly Partial<Icon>[] = [{ path: 'icon.xml' }], resources?: Uint8Array) {
  const bytesOf = (path: string) => {
    const file = files[path]
    return file instanceof Uint8Array ? file : file && writeAxml(file)
  }
  return applicationIcon({
    icons: icons.map((one) => ({ density: 0xfffe, attribute: 'icon', path: '', ...one })),
    resources: resources && readArsc(resources),
    readBytes: bytesOf,
    decodeWebp,
    readXml: (path) => {
      const bytes = bytesOf(path)
      return bytes && readAxml(bytes).root
    },
  })
}

/** Colour in the middle of the picture, as the renderer of the product draws it. */
function middle(svg: string | undefined): number[] {
  const { pixels, width } = new Resvg(svg ?? '', { fitTo: { mode: 'width', value: 32 } }).render()
  const offset = (16 * width + 16) * 4
  return [...pixels.subarray(offset, offset + 4)]
}

describe('drawables', () => {
  test('a vector with group, transform and clip', () => {
    expect(middle(svgOf({ 'icon.xml': vector() }))).toEqual([255, 0, 0, 255])
    const moved: WrittenElement = {
      ...vector(),
      children: [
        { name: 'group', attributes: [at('translateX', float(20))], children: vector().children as WrittenElement[] },
      ],
    }
    expect(middle(svgOf({ 'icon.xml': moved }))).toEqual([0, 0, 0, 0])
    const clipped: WrittenElement = {
      ...vector(),
      children: [
        { name: 'clip-path', attributes: [at('pathData', 'M0,0h2v2h-2z')] },
        ...(vector().children as WrittenElement[]),
      ],
    }
    expect(middle(svgOf({ 'icon.xml': clipped }))).toEqual([0, 0, 0, 0])
  })

  test('an adaptive icon: background under foreground, references and gradients followed', () => {
    const resources = writeArsc({
      types: [
        { name: 'color', entries: { 0: { key: 'back', value: [0x1c, 0xff0000ff] } } },
        { name: 'drawable', entries: { 0: { key: 'fore', value: 'fore.xml' } } },
      ],
    })
    const files: Files = {
      'icon.xml': {
        name: 'adaptive-icon',
        children: [
          { name: 'background', attributes: [at('drawable', [1, 0x7f010000])] },
          { name: 'foreground', attributes: [at('drawable', [1, 0x7f020000])] },
        ],
      },
      'fore.xml': vector(RED, 'M0,0h6v6h-6z'),
    }
    expect(middle(svgOf(files, undefined, resources))).toEqual([0, 0, 255, 255])
    expect(middle(svgOf({ ...files, 'fore.xml': vector() }, undefined, resources))).toEqual([255, 0, 0, 255])
    // A background alone is no picture of the application.
    expect(svgOf({ ...files, 'fore.xml': { name: 'unknown' } }, undefined, resources)).toBeUndefined()
    const shaded: WrittenElement = {
      name: 'shape',
      children: [{ name: 'gradient', attributes: [at('startColor', RED), at('endColor', RED)] }],
    }
    expect(middle(svgOf({ 'icon.xml': shaded }))).toEqual([255, 0, 0, 255])
  })

  test('what cannot be drawn gives way to the next one', () => {
    const files = { 'a.xml': { name: 'ripple' }, 'b.webp': Buffer.from('RIFF0000WEBP'), 'c.xml': vector() }
    const icons = [{ path: 'a.xml' }, { path: 'b.webp', density: 640 }, { path: 'c.xml', density: 160 }]
    expect(middle(svgOf(files, icons))).toEqual([255, 0, 0, 255])
    expect(svgOf(files, icons.slice(0, 2))).toBeUndefined()
    expect(svgOf({}, [])).toBeUndefined()
  })

  test('nothing but numbers, colours and path data reaches the picture', () => {
    const hostile = vector(RED, '"/><script>alert(1)</script>')
    expect(svgOf({ 'icon.xml': hostile })).not.toContain('script')
    const external: WrittenElement = { name: 'bitmap', attributes: [at('src', 'http://example.com/x.png')] }
    expect(svgOf({ 'icon.xml': external })).toBeUndefined()
  })
})

describe('hostile pictures', () => {
  test('pictures that name each other without end, and in thousands of ways, end', () => {
    const layers = (path: string): WrittenElement => ({
      name: 'layer-list',
      children: Array.from({ length: 200 }, () => ({ name: 'item', attributes: [at('drawable', path)] })),
    })
    const started = performance.now()
    expect(svgOf({ 'icon.xml': layers('icon.xml') })).toBeUndefined()
    expect(svgOf({ 'icon.xml': layers('b.xml'), 'b.xml': layers('icon.xml') })).toBeUndefined()
    expect(performance.now() - started).toBeLessThan(3000)
  })

  test('changed and cut XML draws something or nothing and never throws', () => {
    const whole = writeAxml({ name: 'layer-list', children: [{ name: 'item', children: [vector()] }] })
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 6 }),
        fc.oneof(fc.constant(0), fc.nat(whole.length - 1)),
        (changes, cut) => void svgOf({ 'icon.xml': mutate(whole, changes, cut) }),
      ),
      { numRuns: 400 },
    )
  })
})

describe('pictures of iOS packages', () => {
  /** Apple's own form: chunk CgBI first, raw deflate, blue before red, alpha multiplied in. */
  function cgbi(side: number, pixel: readonly number[], filter = 0): Buffer {
    const chunk = (kind: string, body: Buffer) => {
      const framed = Buffer.alloc(body.length + 12)
      framed.writeUInt32BE(body.length, 0)
      framed.write(kind, 4, 'latin1')
      framed.set(body, 8)
      return framed
    }
    const header = Buffer.alloc(13)
    header.writeUInt32BE(side, 0)
    header.writeUInt32BE(side, 4)
    header.set([8, 6, 0, 0, 0], 8)
    const first =
      filter === 1 ? [filter, ...pixel, ...Array((side - 1) * 4).fill(0)] : [0, ...Array(side).fill(pixel).flat()]
    const rows = Buffer.concat(Array.from({ length: side }, () => Buffer.from(first)))
    const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    return Buffer.concat([
      signature,
      chunk('CgBI', Buffer.alloc(4)),
      chunk('IHDR', header),
      chunk('IDAT', deflateRawSync(rows)),
      chunk('IEND', Buffer.alloc(0)),
    ])
  }

  test('Apple’s PNG form is read, filters and multiplied alpha included', () => {
    expect(middle(pictureIcon(cgbi(8, [0, 0, 255, 255])))).toEqual([255, 0, 0, 255])
    expect(middle(pictureIcon(cgbi(8, [0, 0, 255, 255], 1)))).toEqual([255, 0, 0, 255])
    const half = middle(pictureIcon(cgbi(8, [0, 0, 128, 128])))
    expect(half[3]).toBeGreaterThan(120)
  })

  test('sizes beyond any real picture are refused before anything is unpacked', () => {
    const bomb = cgbi(2, [0, 0, 0, 0])
    bomb.writeUInt32BE(60_000, 8 + 16 + 8)
    bomb.writeUInt32BE(60_000, 8 + 16 + 12)
    expect(pictureIcon(bomb)).toBeUndefined()
    expect(pictureIcon(Buffer.from('nothing'))).toBeUndefined()
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void pictureIcon(bytes)))
  })
})

describe('WebP pictures', () => {
  /** 48 x 48: red above, blue below on the left, nothing on the right. */
  const LOSSY =
    'UklGRpYAAABXRUJQVlA4WAoAAAAQAAAALwAALwAAQUxQSBUAAAABDzD/ERFCLJjMXzqD7oj+T0BHcQIAVlA4IFoAAADwBACdASowADAAPrVGnUmnI6KhMdzIAOAWiUAYz0AvwD8ZtMB+JIB9/C+E+imq65AA/urSyMFZJQmpG5hvHQidvA3X7qMbL6ArtH9byuLoKXK2ZPEWuqegAAA='
  const LOSSLESS = 'UklGRjgAAABXRUJQVlA4TCwAAAAvL8ALEBcwIAKBJMTRRxILJkPJ/wpx/gPeDWTSNjE5k1W7M6L/E7B7VhXwCQ=='
  const icon = (bytes: Uint8Array) => svgOf({ 'icon.webp': bytes }, [{ path: 'icon.webp', density: 480 }])

  test.each([
    ['lossy', LOSSY, 40],
    ['lossless', LOSSLESS, 4],
  ])('%s ones are drawn, transparency included', (_name, text, tolerance) => {
    const { pixels, width } = new Resvg(icon(Buffer.from(text, 'base64')) ?? '', {
      fitTo: { mode: 'width', value: 48 },
    }).render()
    const colour = (x: number, y: number) => [...pixels.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)]
    const near = (found: number[], wanted: number[]) =>
      wanted.forEach((part, at) => void expect(Math.abs(found[at]! - part), `${found}`).toBeLessThan(tolerance))
    near(colour(12, 10), [0xd0, 0x20, 0x20, 255])
    near(colour(12, 38), [0x20, 0x40, 0xd0, 255])
    expect(colour(38, 38)[3]).toBe(0)
  })

  test('broken ones are no icon, and what says to be larger than an icon is not unpacked', () => {
    const bytes = Buffer.from(LOSSLESS, 'base64')
    for (let cut = 0; cut < bytes.length; cut += 3) expect(() => icon(bytes.subarray(0, cut))).not.toThrow()
    const large = Buffer.from(bytes)
    large.writeUInt32LE(large.readUInt32LE(21) | 0x3fff, 21)
    expect(icon(large)).toBeUndefined()
    const changes = fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 6 })
    fc.assert(
      fc.property(fc.constantFrom(LOSSY, LOSSLESS), changes, fc.nat(3), (text, to, cut) => {
        icon(mutate(Buffer.from(text, 'base64'), to, cut))
      }),
    )
  })
})
