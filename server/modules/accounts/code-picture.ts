import { crc32, deflateSync } from 'node:zlib'

/** Strokes of each character: points x, y in turn on a grid 4 wide and 6 high, y downwards. */
const GLYPHS: Readonly<Record<string, readonly (readonly number[])[]>> = {
  A: [
    [0, 6, 2, 0, 4, 6],
    [0.8, 4, 3.2, 4],
  ],
  B: [
    [0, 0, 0, 6, 3, 6, 4, 5, 4, 4, 3, 3, 0, 3],
    [3, 3, 3.7, 2.2, 3.7, 0.8, 3, 0, 0, 0],
  ],
  C: [[4, 1, 3, 0, 1, 0, 0, 1, 0, 5, 1, 6, 3, 6, 4, 5]],
  D: [[0, 0, 0, 6, 2.5, 6, 4, 4.5, 4, 1.5, 2.5, 0, 0, 0]],
  E: [
    [4, 0, 0, 0, 0, 6, 4, 6],
    [0, 3, 3, 3],
  ],
  F: [
    [4, 0, 0, 0, 0, 6],
    [0, 3, 3, 3],
  ],
  G: [[4, 1, 3, 0, 1, 0, 0, 1, 0, 5, 1, 6, 3, 6, 4, 5, 4, 3.2, 2.4, 3.2]],
  H: [
    [0, 0, 0, 6],
    [4, 0, 4, 6],
    [0, 3, 4, 3],
  ],
  I: [[2, 0, 2, 6]],
  J: [[4, 0, 4, 5, 3, 6, 1, 6, 0, 5]],
  K: [
    [0, 0, 0, 6],
    [4, 0, 0, 3.4],
    [1.2, 2.6, 4, 6],
  ],
  L: [[0, 0, 0, 6, 4, 6]],
  M: [[0, 6, 0, 0, 2, 3, 4, 0, 4, 6]],
  N: [[0, 6, 0, 0, 4, 6, 4, 0]],
  O: [[1, 0, 3, 0, 4, 1, 4, 5, 3, 6, 1, 6, 0, 5, 0, 1, 1, 0]],
  P: [[0, 6, 0, 0, 3, 0, 4, 1, 4, 2.4, 3, 3.4, 0, 3.4]],
  Q: [
    [1, 0, 3, 0, 4, 1, 4, 5, 3, 6, 1, 6, 0, 5, 0, 1, 1, 0],
    [2.6, 4.4, 4.3, 6.4],
  ],
  R: [
    [0, 6, 0, 0, 3, 0, 4, 1, 4, 2.4, 3, 3.4, 0, 3.4],
    [1.8, 3.4, 4, 6],
  ],
  S: [[4, 1, 3, 0, 1, 0, 0, 1, 0, 2.2, 1, 3, 3, 3, 4, 3.8, 4, 5, 3, 6, 1, 6, 0, 5]],
  T: [
    [0, 0, 4, 0],
    [2, 0, 2, 6],
  ],
  U: [[0, 0, 0, 5, 1, 6, 3, 6, 4, 5, 4, 0]],
  V: [[0, 0, 2, 6, 4, 0]],
  W: [[0, 0, 1, 6, 2, 2.5, 3, 6, 4, 0]],
  X: [
    [0, 0, 4, 6],
    [4, 0, 0, 6],
  ],
  Y: [
    [0, 0, 2, 3, 4, 0],
    [2, 3, 2, 6],
  ],
  Z: [[0, 0, 4, 0, 0, 6, 4, 6]],
  0: [
    [1, 0, 3, 0, 4, 1, 4, 5, 3, 6, 1, 6, 0, 5, 0, 1, 1, 0],
    [0, 5, 4, 1],
  ],
  1: [[0.8, 1.4, 2, 0, 2, 6]],
  2: [[0, 1, 1, 0, 3, 0, 4, 1, 4, 2.2, 0, 6, 4, 6]],
  3: [
    [0, 0.6, 1, 0, 3, 0, 4, 1, 4, 2.2, 3, 3, 1.4, 3],
    [3, 3, 4, 3.8, 4, 5, 3, 6, 1, 6, 0, 5.2],
  ],
  4: [[3, 6, 3, 0, 0, 4.2, 4.2, 4.2]],
  5: [[4, 0, 0.4, 0, 0, 2.8, 2.8, 2.5, 4, 3.6, 4, 5, 3, 6, 1, 6, 0, 5.2]],
  6: [[3.8, 0.6, 2.8, 0, 1, 0.6, 0, 2.6, 0, 5, 1, 6, 3, 6, 4, 5, 4, 3.8, 3, 2.9, 1, 2.9, 0, 3.8]],
  7: [[0, 0, 4, 0, 1.4, 6]],
  8: [[1, 3, 0, 2.2, 0, 0.9, 1, 0, 3, 0, 4, 0.9, 4, 2.2, 3, 3, 1, 3, 0, 3.9, 0, 5.1, 1, 6, 3, 6, 4, 5.1, 4, 3.9, 3, 3]],
  9: [[0.2, 5.4, 1.2, 6, 3, 5.4, 4, 3.4, 4, 1, 3, 0, 1, 0, 0, 1, 0, 2.2, 1, 3.1, 3, 3.1, 4, 2.2]],
}

const [WIDTH, HEIGHT] = [180, 60]
const BACKGROUND = [242, 244, 248] as const
const LINES = 5
const SPECKS = 260

type Segment = { x1: number; y1: number; x2: number; y2: number; half: number; color: readonly number[] }

/**
 * The code as a distorted PNG of 180 x 60 pixels: each character turned, sheared and coloured by itself, the whole bent by waves, with
 * lines and specks over it. Pixels alone: neither text nor outlines can be read from the file. Letters are drawn as capitals.
 * `random` gives numbers from 0 to below 1.
 */
export function drawCodePicture(code: string, random: () => number): Buffer {
  const between = (low: number, high: number) => low + random() * (high - low)
  const ink = () => [between(10, 110), between(10, 110), between(10, 130)]
  const segments: Segment[] = []
  const step = (WIDTH - 24) / Math.max(1, code.length)
  ;[...code.toUpperCase()].forEach((character, index) => {
    const strokes = GLYPHS[character] ?? []
    const [size, turn, shear, color] = [between(5.2, 6.2), between(-0.24, 0.24), between(-0.16, 0.16), ink()]
    const half = between(1.3, 1.9)
    const [cx, cy] = [12 + step * (index + 0.5) + between(-2, 2), HEIGHT / 2 + between(-4, 4)]
    const toPicture = (x: number, y: number): [number, number] => {
      const [u, v] = [(x - 2 + shear * (3 - y)) * size, (y - 3) * size]
      return [cx + u * Math.cos(turn) - v * Math.sin(turn), cy + u * Math.sin(turn) + v * Math.cos(turn)]
    }
    for (const points of strokes)
      for (let at = 0; at + 3 < points.length; at += 2) {
        const [x1, y1] = toPicture(points[at] as number, points[at + 1] as number)
        const [x2, y2] = toPicture(points[at + 2] as number, points[at + 3] as number)
        segments.push({ x1, y1, x2, y2, half, color })
      }
  })
  for (let n = 0; n < LINES; n++)
    segments.push({
      x1: between(0, WIDTH * 0.3),
      y1: between(4, HEIGHT - 4),
      x2: between(WIDTH * 0.6, WIDTH),
      y2: between(4, HEIGHT - 4),
      half: between(0.35, 0.65),
      color: ink(),
    })
  const waves = Array.from({ length: 2 }, () => ({
    height: between(1.5, 3),
    length: between(18, 34),
    start: between(0, 7),
  })) as [Wave, Wave]
  return encodePng(paint(segments, waves, between))
}

type Wave = { height: number; length: number; start: number }
const shift = ({ height, length, start }: Wave, at: number) => height * Math.sin((at / length) * 2 + start)

/** Colours of all pixels, row by row, three bytes each. */
function paint(segments: readonly Segment[], [wx, wy]: [Wave, Wave], between: (low: number, high: number) => number) {
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3)
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) {
      const [u, v] = [x + shift(wx, y), y + shift(wy, x)]
      const color = [...BACKGROUND] as number[]
      for (const segment of segments) {
        if (u < Math.min(segment.x1, segment.x2) - 3 || u > Math.max(segment.x1, segment.x2) + 3) continue
        const cover = Math.min(1, Math.max(0, segment.half + 0.5 - distance(segment, u, v)))
        if (cover > 0)
          for (let part = 0; part < 3; part++)
            color[part] = (color[part] as number) * (1 - cover) + (segment.color[part] as number) * cover
      }
      pixels.set(color.map(Math.round), (y * WIDTH + x) * 3)
    }
  for (let n = 0; n < SPECKS; n++) {
    const at = Math.floor(between(0, WIDTH * HEIGHT)) * 3
    const tone = between(40, 220)
    pixels.set([tone, tone, Math.min(255, tone + 20)].map(Math.round), at)
  }
  return pixels
}

function distance({ x1, y1, x2, y2 }: Segment, x: number, y: number): number {
  const [dx, dy] = [x2 - x1, y2 - y1]
  const along = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1)))
  return Math.hypot(x - x1 - along * dx, y - y1 - along * dy)
}

/** PNG (ISO/IEC 15948) of 8-bit RGB without interlace; every row with filter 0. */
function encodePng(pixels: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(WIDTH, 0)
  header.writeUInt32BE(HEIGHT, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const rows = Array.from({ length: HEIGHT }, (_, y) =>
    Buffer.concat([Buffer.from([0]), pixels.subarray(y * WIDTH * 3, (y + 1) * WIDTH * 3)]),
  )
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.concat(rows))), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...parts])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
