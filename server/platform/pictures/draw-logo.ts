import { askPictureProcess } from './ask-picture-process.ts'
import { logoSvg } from './logo-svg.ts'

const PATIENCE_MS = 15_000

/** A PNG of the logo; undefined where it is no picture that is taken. */
export async function drawLogo(bytes: Uint8Array): Promise<Buffer | undefined> {
  const svg = logoSvg(bytes)
  if (svg === undefined) return undefined
  const drawn = await askPictureProcess('logo-process', svg, PATIENCE_MS)
  return typeof drawn === 'string' ? Buffer.from(drawn, 'base64') : undefined
}
