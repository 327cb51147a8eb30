import { linesOf } from './phone-text.ts'

export interface FileLine {
  readonly path: string
  readonly size: number
  readonly modified: number
  /** Permission bits, octal. */
  readonly mode: string
}

export const MOST_FILES = 20_000

/** Reads what `stat -c '%s %Y %a %n'` writes, a file a line; path -> file. */
export function readFiles(text: string): Map<string, FileLine> {
  const files = new Map<string, FileLine>()
  for (const line of linesOf(text, MOST_FILES)) {
    const match = /^(\d{1,15}) (\d{1,12}) ([0-7]{1,4}) (.{1,1000})$/.exec(line)
    if (!match) continue
    const [, size, modified, mode = '', path = ''] = match
    files.set(path, { path, size: Number(size), modified: Number(modified), mode })
  }
  return files
}
