import type { GreyPicture } from '#engines/detect/input/content-input.ts'

const HEAD = 8

/** Pictures one after the other: width, height, a byte a pixel. */
export function packPictures(pictures: readonly GreyPicture[]): Buffer {
  return Buffer.concat(
    pictures.flatMap(({ width, height, data }) => {
      const head = Buffer.alloc(HEAD)
      head.writeUInt32LE(width)
      head.writeUInt32LE(height, 4)
      return [head, data]
    }),
  )
}

export function* unpackPictures(bytes: Buffer): Generator<GreyPicture> {
  for (let at = 0; at + HEAD <= bytes.length; ) {
    const width = bytes.readUInt32LE(at)
    const height = bytes.readUInt32LE(at + 4)
    at += HEAD
    yield { width, height, data: bytes.subarray(at, at + width * height) }
    at += width * height
  }
}
