import { imageSize } from '#engines/icon/image-size.ts'

const SIDE_MOST = 4096
/** What makes a picture reach beyond itself or grow without end: outer references, pictures inside, entities, scripts. */
const FORBIDDEN =
  /<!(?:DOCTYPE|ENTITY)|<\s*(?:[\w-]+:)?(?:image|feImage|foreignObject|script)\b|href\s*=\s*["'](?!#)|@import/i

/** The logo as one SVG to draw: an SVG that names nothing outside itself, or a PNG of bounded size; undefined where it is neither. */
export function logoSvg(bytes: Uint8Array): string | undefined {
  if (bytes.length > 8 && bytes[0] === 0x89 && bytes[1] === 0x50) {
    const size = imageSize(bytes)
    if (!size || size.width < 1 || size.height < 1 || Math.max(size.width, size.height) > SIDE_MOST) return undefined
    const { width, height } = size
    const data = Buffer.from(bytes).toString('base64')
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><image width="${width}" height="${height}" href="data:image/png;base64,${data}"/></svg>`
  }
  const text = new TextDecoder().decode(bytes)
  return /<svg[\s>]/i.test(text.slice(0, 2048)) && !FORBIDDEN.test(text) ? text : undefined
}
