import { Resvg } from '@resvg/resvg-js'

const ICON_SIDE = 192

/** An icon as PNG in base64; null where nothing can be drawn. Decoded and encoded again: no byte of the package's own picture leaves the server. */
export function drawIcon(svg: string): string | null {
  try {
    const drawn = new Resvg(svg, {
      fitTo: { mode: 'width', value: ICON_SIDE },
      font: { loadSystemFonts: false },
    }).render()
    const { pixels } = drawn
    // A picture that failed to decode leaves nothing: initials say more than an empty square.
    for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 0) return drawn.asPng().toString('base64')
  } catch {
    // What the renderer refuses has no icon.
  }
  return null
}
