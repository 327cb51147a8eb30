import type { Frame } from './stack.ts'

const FRAME = /^at ([^\s()]+)\(([^()]{0,300})\)(?:\s*~?\[[^\]]*\])?$/
const UNKNOWN_FILES: ReadonlySet<string> = new Set(['Unknown Source', 'Native Method', 'SourceFile', ''])

/**
 * `at com.example.Pay$1.run(Pay.java:12)`, with or without class loader and module before the class, with `Unknown Source:12`,
 * `SourceFile:7`, `r8-map-id-…:7` or `Native Method` for the file. Undefined for anything else.
 */
export function readJavaFrame(text: string): Frame | undefined {
  const match = FRAME.exec(text)
  if (!match) return undefined
  const [, path, position] = match as unknown as [string, string, string]
  const qualified = path.slice(path.lastIndexOf('/') + 1)
  const dot = qualified.lastIndexOf('.')
  if (dot <= 0 || dot === qualified.length - 1) return undefined
  const colon = position.lastIndexOf(':')
  const digits = colon >= 0 ? position.slice(colon + 1) : ''
  const line = /^\d{1,9}$/.test(digits) ? Number(digits) : 0
  const file = line > 0 ? position.slice(0, colon) : position
  return {
    raw: text,
    language: 'java',
    module: qualified.slice(0, dot),
    name: qualified.slice(dot + 1),
    file: UNKNOWN_FILES.has(file) || file.startsWith('r8-map-id-') ? '' : file,
    line,
    column: 0,
    address: '',
  }
}
