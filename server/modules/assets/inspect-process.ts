import { Resvg } from '@resvg/resvg-js'
import { FormatError } from '#engines/bytes/format-error.ts'
import { readInput, say } from '../../platform/sandbox/worker-pipes.ts'
import { inspectPackage } from './inspect-package.ts'
import type { InspectionAnswer, InspectionOrder } from './inspection.ts'
import { readingReason } from './parse-error-text.ts'

/** Reads one package and ends: it opens no file and asks no network, and whatever a hostile package does to it, it does to no other process. */
const ICON_SIDE = 192
const argument = process.argv[2] ?? ''

if (argument !== '--probe') say(answer(JSON.parse(argument) as InspectionOrder))

function answer({ name, size }: InspectionOrder): InspectionAnswer {
  try {
    const { icon, ...found } = inspectPackage(readInput(size), name)
    return { found: { ...found, icon: icon ? draw(icon) : null } }
  } catch (error) {
    if (error instanceof FormatError) {
      const key = error.key === 'unknown-kind' ? 'asset.unknown_kind' : 'asset.unreadable'
      return { refused: { key, detail: readingReason(error.format, error.key, error.message.slice(0, 1900)) } }
    }
    throw error
  }
}

/** Decoded and encoded again: no byte of the package's own picture leaves the server. */
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
