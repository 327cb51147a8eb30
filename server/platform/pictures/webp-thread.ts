import { workerData } from 'node:worker_threads'
import sharp from 'sharp'
import type { WebpPicture } from '#engines/icon/webp.ts'
import type { WebpThreadData } from './webp-decoder.ts'

/** Decodes pictures for server/platform/pictures/webp-decoder.ts, whose thread waits for each. */
const { port, answered } = workerData as WebpThreadData

const MOST_PIXELS = 24_000_000
const MOST_SECONDS = 10

sharp.cache(false)
sharp.concurrency(1)
// A file of another kind that is named .webp reaches no other reader.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadWebpBuffer'] })

port.on('message', async (bytes: Uint8Array) => {
  const picture = await decode(bytes).catch(() => null) // no picture
  port.postMessage(picture, picture ? [picture.data.buffer as ArrayBuffer] : [])
  Atomics.store(answered, 0, 1)
  Atomics.notify(answered, 0)
})

async function decode(bytes: Uint8Array): Promise<WebpPicture | null> {
  const source = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'truncated', pages: -1 })
  if (((await source.metadata()).pages ?? 1) > 1) return null
  const { data, info } = await source
    .timeout({ seconds: MOST_SECONDS })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { buffer, byteOffset, length } = data
  return { width: info.width, height: info.height, data: new Uint8ClampedArray(buffer, byteOffset, length) }
}
