import { Resvg } from '@resvg/resvg-js'
import type { Pixels } from '#engines/similarity/icon-print.ts'

const SIDE = 96

/** Draws an icon as the product does; null where nothing can be drawn. */
export function drawPixels(svg: string): Pixels | null {
  try {
    const { width, height, pixels } = new Resvg(svg, {
      fitTo: { mode: 'width', value: SIDE },
      font: { loadSystemFonts: false },
    }).render()
    return { width, height, data: straight(pixels) }
  } catch {
    // What the renderer refuses has no icon.
    return null
  }
}

/** The renderer gives colours multiplied by alpha. */
function straight(pixels: Uint8Array): Uint8Array {
  const data = Uint8Array.from(pixels)
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3]!
    if (alpha > 0 && alpha < 255)
      for (let c = 0; c < 3; c++) data[at + c] = Math.min(255, Math.round((data[at + c]! * 255) / alpha))
  }
  return data
}
