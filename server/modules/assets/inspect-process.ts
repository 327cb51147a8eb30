import { readFileSync } from 'node:fs'
import { Resvg } from '@resvg/resvg-js'
import { FormatError } from '#engines/bytes/format-error.ts'
import { inspectPackage } from './inspect-package.ts'
import type { InspectionAnswer } from './inspection.ts'

/** Reads one package and ends: whatever a hostile one does to this process, it does to nobody else. */
const ICON_SIDE = 192
const [, , path = '', name = ''] = process.argv

process.send?.(answer(), () => process.exit(0))

function answer(): InspectionAnswer {
  try {
    const { icon, ...found } = inspectPackage(readFileSync(path), name)
    return { found: { ...found, icon: icon ? draw(icon) : null } }
  } catch (error) {
    if (error instanceof FormatError) {
      const key = error.key === 'unknown-kind' ? 'asset.unknown_kind' : 'asset.unreadable'
      return { refused: { key, detail: error.message } }
    }
    throw error
  }
}

/** Decoded and encoded anew: no byte of the package's own picture leaves the server. */
function draw(svg: string): string | null {
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
