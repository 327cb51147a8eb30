import { askPictureProcess } from './ask-picture-process.ts'

export type PictureLimits = {
  /** Of the picture that comes. */
  pixels: number
  /** A larger one is made smaller. */
  width: number
  height: number
}
export type EncodedPicture = { type: 'png' | 'jpeg'; width: number; height: number; bytes: Uint8Array }

const PATIENCE_MS = 20_000

/**
 * A still PNG, JPEG or WebP picture as a new PNG or JPEG file: pixels alone, without metadata or anything that stood behind them. Undefined
 * where the bytes are no such picture.
 */
export async function encodePicture(bytes: Uint8Array, limits: PictureLimits): Promise<EncodedPicture | undefined> {
  const encoded = await askPictureProcess('picture-process', { bytes, limits }, PATIENCE_MS)
  return (encoded as EncodedPicture | null) ?? undefined
}
