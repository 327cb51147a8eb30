import { FormatError } from '#engines/bytes/format-error.ts'
import { readInput, say } from '../../platform/sandbox/worker-pipes.ts'
import { drawIcon } from './draw-icon.ts'
import { inspectPackage } from './inspect-package.ts'
import type { InspectionAnswer, InspectionOrder } from './inspection.ts'
import { readingReason } from './parse-error-text.ts'

/** Reads one package and ends: it opens no file and asks no network, and whatever a hostile package does to it, it does to no other process. */
const argument = process.argv[2] ?? ''

if (argument !== '--probe') say(answer(JSON.parse(argument) as InspectionOrder))

function answer({ name, size }: InspectionOrder): InspectionAnswer {
  try {
    const { icon, ...found } = inspectPackage(readInput(size), name)
    return { found: { ...found, icon: icon ? drawIcon(icon) : null } }
  } catch (error) {
    if (error instanceof FormatError) {
      const key = error.key === 'unknown-kind' ? 'asset.unknown_kind' : 'asset.unreadable'
      return { refused: { key, detail: readingReason(error.format, error.key, error.message.slice(0, 1900)) } }
    }
    throw error
  }
}
