import sharp from 'sharp'
import type { EncodedPicture, PictureLimits } from './encode-picture.ts'

/** Re-encodes one picture and ends: whatever a hostile one does to this process, it does to no other process. */
const MOST_SECONDS = 10
/** Of a JPEG. */
const QUALITY = 86
const KINDS = ['png', 'jpeg', 'webp']

sharp.cache(false)
sharp.concurrency(1)
// What is named as a picture and is another kind reaches no other reader.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'],
})

process.once('message', async ({ bytes, limits }: { bytes: Uint8Array; limits: PictureLimits }) => {
  const picture = await encode(bytes, limits).catch(() => null) // no picture
  process.send?.(picture, () => process.exit(0))
})

async function encode(bytes: Uint8Array, limits: PictureLimits): Promise<EncodedPicture | null> {
  const source = () => sharp(bytes, { limitInputPixels: limits.pixels, failOn: 'truncated' })
  const { format, pages = 1, hasAlpha } = await source().metadata()
  if (!KINDS.includes(format) || pages > 1) return null
  const type = format === 'png' || hasAlpha ? 'png' : 'jpeg'
  const drawn = source()
    .timeout({ seconds: MOST_SECONDS })
    // As its metadata turns it, since none of that is kept.
    .autoOrient()
    .resize({ width: limits.width, height: limits.height, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
  const { data, info } = await (type === 'png' ? drawn.png() : drawn.jpeg({ quality: QUALITY })).toBuffer({
    resolveWithObject: true,
  })
  return { type, width: info.width, height: info.height, bytes: data }
}
