import { pngOf } from '#engines/icon/plain-png.ts'

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
  const data = new Uint8ClampedArray(HEIGHT * WIDTH * 4)
  const fill = (left: number, top: number, width: number, height: number, [red, green, blue]: Colour) => {
    for (let y = top; y < top + height; y++)
      for (let x = left; x < left + width; x++) {
        data.set([red, green, blue, 255], (y * WIDTH + x) * 4)
      }
  }
  fill(0, 0, WIDTH, HEIGHT, [244, 245, 247])
  fill(0, 0, WIDTH, 84, [(shade * 53) % 160, 90 + ((shade * 31) % 80), 150])
  for (let line = 0; line < 5; line++)
    fill(24, 260 + line * 84, WIDTH - 48 - ((shade * 17 + line * 29) % 90), 44, [222, 226, 232])
  write('SIMULATED', 26, 120, 6, fill)
  write('PHONE', 26, 180, 6, fill)
  return Buffer.from(pngOf({ width: WIDTH, height: HEIGHT, data }))
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
