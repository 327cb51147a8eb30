import { Resvg } from '@resvg/resvg-js'
import { FormatError } from '#engines/bytes/format-error.ts'
import { readPackage } from '#engines/package/read-package.ts'
import type { Pixels } from '#engines/similarity/icon-print.ts'
import { readPrint } from '#engines/similarity/read-print.ts'
import { decodeWebp } from '../../platform/pictures/webp-decoder.ts'
import { readInput, say as sayAnything } from '../../platform/sandbox/worker-pipes.ts'
import type { PrintMessage, PrintOrder } from './print-messages.ts'

/** Reads one package into its print and ends: it opens no file and asks no network, whatever the package does to it. */
const argument = process.argv[2] ?? ''
const say = (message: PrintMessage) => sayAnything(message)
const ICON_SIDE = 96

if (argument !== '--probe') run(JSON.parse(argument) as PrintOrder)

function run({ name, size }: PrintOrder): void {
  try {
    const print = readPrint(readPackage(readInput(size), name), { draw, decodeWebp })
    say({ print: bounded(print) as Extract<PrintMessage, { print: unknown }>['print'] })
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    say({ refused: `${error.format} ${error.key} (${error.offset}): ${error.message}`.slice(0, 2000) })
  }
  // The thread that decodes pictures would wait for another one.
  process.exit(0)
}

/** Names in packages have no bound of their own, and may hold what no database takes. */
function bounded(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > 4000 && !/^[\w+/=]+$/.test(value) ? value.slice(0, 4000) : value.replaceAll('\u0000', '')
  if (Array.isArray(value)) return value.map(bounded)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, bounded(one)]))
  return value
}

/** Decoded again, so that colours are not multiplied by alpha. */
function draw(svg: string): Pixels | null {
  try {
    const { width, height, pixels } = new Resvg(svg, {
      fitTo: { mode: 'width', value: ICON_SIDE },
      font: { loadSystemFonts: false },
    }).render()
    const data = Uint8Array.from(pixels)
    for (let at = 0; at < data.length; at += 4) {
      const alpha = data[at + 3]!
      if (alpha > 0 && alpha < 255)
        for (let c = 0; c < 3; c++) data[at + c] = Math.min(255, Math.round((data[at + c]! * 255) / alpha))
    }
    return { width, height, data }
  } catch {
    // What the renderer refuses has no icon.
    return null
  }
}
