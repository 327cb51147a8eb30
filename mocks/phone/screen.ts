import { crc32, deflateSync } from 'node:zlib'

const WIDTH = 360
const HEIGHT = 780
/** Five by seven dots a letter, a row a number. */
const LETTERS: Readonly<Record<string, readonly number[]>> = {
  A: [14, 17, 17, 31, 17, 17, 17],
  D: [30, 17, 17, 17, 17, 17, 30],
  E: [31, 16, 16, 30, 16, 16, 31],
  H: [17, 17, 17, 31, 17, 17, 17],
  I: [14, 4, 4, 4, 4, 4, 14],
  L: [16, 16, 16, 16, 16, 16, 31],
  M: [17, 27, 21, 21, 17, 17, 17],
  N: [17, 25, 21, 19, 17, 17, 17],
  O: [14, 17, 17, 17, 17, 17, 14],
  P: [30, 17, 17, 30, 16, 16, 16],
  S: [15, 16, 16, 14, 1, 1, 30],
  T: [31, 4, 4, 4, 4, 4, 4],
  U: [17, 17, 17, 17, 17, 17, 14],
}

type Colour = readonly [red: number, green: number, blue: number]

/** What the simulated phone shows, as PNG: its name in large letters, and a colour for the application that is in front. */
export function screenPng(shade: number): Buffer {
  const rows = Buffer.alloc(HEIGHT * (1 + WIDTH * 3))
  const fill = (left: number, top: number, width: number, height: number, [red, green, blue]: Colour) => {
    for (let y = top; y < top + height; y++)
      for (let x = left; x < left + width; x++) {
        const at = y * (1 + WIDTH * 3) + 1 + x * 3
        rows[at] = red
        rows[at + 1] = green
        rows[at + 2] = blue
      }
  }
  fill(0, 0, WIDTH, HEIGHT, [244, 245, 247])
  fill(0, 0, WIDTH, 84, [(shade * 53) % 160, 90 + ((shade * 31) % 80), 150])
  for (let line = 0; line < 5; line++)
    fill(24, 260 + line * 84, WIDTH - 48 - ((shade * 17 + line * 29) % 90), 44, [222, 226, 232])
  write('SIMULATED', 26, 120, 6, fill)
  write('PHONE', 26, 180, 6, fill)
  const head = Buffer.alloc(13)
  head.writeUInt32BE(WIDTH, 0)
  head.writeUInt32BE(HEIGHT, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function write(
  text: string,
  left: number,
  top: number,
  dot: number,
  fill: (left: number, top: number, width: number, height: number, colour: Colour) => void,
): void {
  for (const [index, letter] of [...text].entries())
    for (const [row, bits] of (LETTERS[letter] ?? []).entries())
      for (let column = 0; column < 5; column++)
        if (bits & (16 >> column)) fill(left + index * 6 * dot + column * dot, top + row * dot, dot, dot, [40, 46, 58])
}

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data])
  const frame = Buffer.alloc(8 + body.length)
  frame.writeUInt32BE(data.length, 0)
  body.copy(frame, 4)
  frame.writeUInt32BE(crc32(body), 4 + body.length)
  return frame
}
