import { TOOL_LIMITS } from '#contracts/tool-limits.ts'
import { FormatError } from '#engines/bytes/format-error.ts'
import { readInput, say } from '../../platform/sandbox/worker-pipes.ts'
import { readingReason } from '../assets/parse-error-text.ts'
import type { PatternQuestion, ToolAnswer, ToolOrder } from './tool-messages.ts'

/** Answers one question of the platform tools and ends: it opens no file and asks no network, and whatever a hostile file does to it, it does to no other process. */
const argument = process.argv[2] ?? ''

/** Entries that a comparison looks at; ZIP itself ends at 65,535 without its 64-bit form. */
const COMPARED_ENTRIES = 100_000

if (argument !== '--probe') say(await answer(JSON.parse(argument) as ToolOrder))

/** Each tool loads what it needs: an expression is answered before the readers of packages would be there. */
async function answer({ tool, name, size }: ToolOrder): Promise<ToolAnswer> {
  const bytes = readInput(size)
  if (tool === 'pattern') {
    const { tryPattern } = await import('./try-pattern.ts')
    return { pattern: await tryPattern(JSON.parse(bytes.toString('utf8')) as PatternQuestion, () => performance.now()) }
  }
  try {
    if (tool !== 'signature') {
      const { readInspected } = await import('./read-inspected.ts')
      return { package: readInspected(bytes, name, tool === 'package' ? TOOL_LIMITS.entries : COMPARED_ENTRIES) }
    }
    const { readSignature } = await import('./read-signature.ts')
    const signature = readSignature(bytes, name)
    return signature ? { signature } : { refused: { key: 'tool.no_certificate', detail: { zh: '', en: '' } } }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    const key = error.key === 'unknown-kind' ? 'asset.unknown_kind' : 'asset.unreadable'
    return { refused: { key, detail: readingReason(error.format, error.key, error.message.slice(0, 1900)) } }
  }
}
