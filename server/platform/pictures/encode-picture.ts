import { startProgram } from '../../programs.ts'

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
 * A still PNG, JPEG or WebP picture as a new PNG or JPEG file: pixels alone, without metadata or anything that stood behind them. In a
 * process of its own with bounded time; undefined where the bytes are no such picture.
 */
export function encodePicture(bytes: Uint8Array, limits: PictureLimits): Promise<EncodedPicture | undefined> {
  return new Promise((resolve) => {
    const child = startProgram('picture-process', [], {
      serialization: 'advanced',
      execArgv: ['--max-old-space-size=256'],
      env: { PATH: process.env['PATH'], NODE_ENV: process.env['NODE_ENV'] },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    let encoded: EncodedPicture | undefined
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
    child.once('message', (message) => {
      encoded = (message as EncodedPicture | null) ?? undefined
    })
    child.once('error', () => child.kill('SIGKILL'))
    child.once('exit', () => {
      clearTimeout(timer)
      resolve(encoded)
    })
    child.send({ bytes, limits })
  })
}
