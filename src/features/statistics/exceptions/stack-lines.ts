import type { StackFrame, StackSegment } from '#contracts/http/exceptions.ts'

/** Lines of a segment as the page shows them: single frames, and runs of library frames folded into one. */
type StackLine =
  | { kind: 'frame'; at: number; frame: StackFrame }
  | { kind: 'fold'; from: number; to: number; packages: string[] }

/** A single library frame is not worth folding; the top one shows what was thrown and stays. */
const FOLD_FROM = 2

export function stackLines(segment: StackSegment, folded: boolean): StackLine[] {
  const lines: StackLine[] = []
  const { frames } = segment
  for (let at = 0; at < frames.length; ) {
    let end = at
    while (folded && at > 0 && frames[end] && !frames[end]?.own) end++
    if (end - at >= FOLD_FROM) {
      lines.push({ kind: 'fold', from: at, to: end - 1, packages: packagesOf(frames.slice(at, end)) })
      at = end
    } else {
      lines.push({ kind: 'frame', at, frame: frames[at] as StackFrame })
      at++
    }
  }
  return lines
}

function packagesOf(frames: readonly StackFrame[]): string[] {
  const names = frames.map(({ language, module }) =>
    language === 'java' ? module.split('.').slice(0, 2).join('.') : module.slice(module.lastIndexOf('/') + 1),
  )
  return [...new Set(names.filter(Boolean))].slice(0, 4)
}

/** `PayResultFragment.kt:214`, `libpay.so`, `pay.ts:4:20`. */
export function positionOf(frame: StackFrame): string {
  const file = frame.file || (frame.language === 'java' ? '' : frame.module.slice(frame.module.lastIndexOf('/') + 1))
  const line = frame.line > 0 ? `:${frame.line}` : frame.address && ` +0x${frame.address}`
  return `${file}${line}`
}

/** The stack as text, in the form of its platform. */
export function stackText(segments: readonly StackSegment[]): string {
  return segments
    .map(({ relation, type, message, frames, omitted }) => {
      const lead = relation === 'caused' ? 'Caused by: ' : relation === 'suppressed' ? 'Suppressed: ' : ''
      const head = relation === 'thread' ? `"${type}"` : `${lead}${type}${type && message ? ': ' : ''}${message}`
      const lines = frames.map((frame) => (frame.language === 'native' ? `  ${frame.raw}` : `\tat ${frameText(frame)}`))
      return [head, ...lines, ...(omitted > 0 ? [`\t... ${omitted} more`] : [])].filter(Boolean).join('\n')
    })
    .join('\n')
}

function frameText(frame: StackFrame): string {
  if (frame.language === 'java') return `${frame.module}.${frame.name}(${positionOf(frame) || 'Unknown Source'})`
  const position = `${frame.module}:${frame.line}:${frame.column}`
  return frame.name ? `${frame.name} (${position})` : position
}
