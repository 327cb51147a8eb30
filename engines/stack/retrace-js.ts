import { originalPosition, type SourceMap } from './source-map.ts'
import type { Frame, Stack } from './stack.ts'

const AROUND = 2
const LONGEST_LINE = 300

/** The file name by which a script's map is found: the last part of its address. */
export function scriptName(module: string): string {
  const path = module.split(/[?#]/, 1)[0] as string
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Names of the scripts that the stack runs through. */
export function scriptsOf(stack: Stack): Set<string> {
  const frames = stack.segments.flatMap((segment) => segment.frames)
  return new Set(frames.filter((one) => one.language === 'js' && one.line > 0).map((one) => scriptName(one.module)))
}

/** The stack in its sources. A function is named by the location that called it: what the next frame's map calls that location. */
export function retraceJs(stack: Stack, maps: ReadonlyMap<string, SourceMap>): Stack {
  const segments = stack.segments.map((segment) => {
    const positions = segment.frames.map((frame) => {
      const map = frame.language === 'js' && frame.line > 0 ? maps.get(scriptName(frame.module)) : undefined
      return map && originalPosition(map, frame.line, frame.column)
    })
    const frames = segment.frames.map((frame, index): Frame => {
      const position = positions[index]
      if (!position) return frame
      const context = position.content === null ? undefined : contextOf(position.content, position.line)
      return {
        ...frame,
        module: position.source,
        name: (frame.name !== '' && positions[index + 1]?.name) || frame.name,
        file: scriptName(position.source),
        line: position.line,
        column: position.column,
        ...(context && { context }),
      }
    })
    return { ...segment, frames }
  })
  return { ...stack, segments }
}

function contextOf(content: string, line: number): Frame['context'] {
  const from = Math.max(1, line - AROUND)
  const lines = content.split('\n', line + AROUND).slice(from - 1)
  return lines.length === 0 ? undefined : { from, lines: lines.map((one) => one.slice(0, LONGEST_LINE)) }
}
