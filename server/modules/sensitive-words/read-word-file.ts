import { WORD_LIMITS, type WordProblem } from '#contracts/http/sensitive-words.ts'

/** A word of a file with the list that it is for: '' where the file names none. */
export type WordLine = { line: number; group: string; word: string }
export type WordFile = { lines: number; words: WordLine[]; problems: WordProblem[] }

/** Why a text is no word, or undefined where it is one. */
export function wordProblem(word: string): WordProblem['reason'] | undefined {
  if (/\p{C}/u.test(word)) return 'characters'
  if ([...word].length > WORD_LIMITS.word) return 'long'
  // One letter would be found everywhere, and what has none never.
  return (word.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < 2 ? 'short' : undefined
}

/**
 * A text file has a word a line; a CSV has list and word, with or without a first line that names the columns. Empty lines are passed over,
 * what cannot be taken is named with its line.
 */
export function readWordFile(content: string, format: 'txt' | 'csv'): WordFile {
  const lines = content.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)
  const file: WordFile = { lines: 0, words: [], problems: [] }
  const seen = new Set<string>()
  for (const [index, raw] of lines.entries()) {
    if (!raw.trim()) continue
    const line = index + 1
    const cells = format === 'csv' ? readCells(raw) : [raw]
    if (format === 'csv' && file.lines === 0 && isHeader(cells)) continue
    file.lines++
    const refuse = (value: string, reason: WordProblem['reason']) =>
      file.problems.push({ line, value: value.slice(0, 100), reason })
    if (cells === undefined || cells.length !== (format === 'csv' ? 2 : 1)) {
      refuse(raw, 'columns')
      continue
    }
    const word = unguarded(cells.at(-1)!)
    const group = format === 'csv' ? unguarded(cells[0]!) : ''
    const reason = wordProblem(word)
    const key = `${group}\0${word}`
    if (format === 'csv' && (group === '' || group.length > 40 || /\p{C}/u.test(group))) refuse(raw, 'columns')
    else if (reason) refuse(word, reason)
    else if (seen.has(key)) refuse(word, 'repeated')
    else {
      seen.add(key)
      file.words.push({ line, group, word })
    }
  }
  return file
}

/** An export leads cells that a spreadsheet would run with an apostrophe. */
function unguarded(cell: string): string {
  return cell.trim().replace(/^'(?=[=+\-@])/, '')
}

function isHeader(cells: readonly string[] | undefined): boolean {
  return (
    cells?.length === 2 &&
    /^(?:group|list|分组|词库)$/i.test(cells[0]!.trim()) &&
    /^(?:word|敏感词|词)$/i.test(cells[1]!.trim())
  )
}

/** Cells of one line (RFC 4180); undefined where a quote is not closed. */
function readCells(line: string): string[] | undefined {
  const cells: string[] = []
  let at = 0
  for (;;) {
    if (line[at] === '"') {
      let cell = ''
      let from = at + 1
      for (;;) {
        const quote = line.indexOf('"', from)
        if (quote < 0) return undefined
        cell += line.slice(from, quote)
        at = quote + 1
        if (line[at] !== '"') break
        cell += '"'
        from = at + 1
      }
      cells.push(cell)
      if (at < line.length && line[at] !== ',') return undefined
    } else {
      const comma = line.indexOf(',', at)
      const end = comma < 0 ? line.length : comma
      cells.push(line.slice(at, end))
      at = end
    }
    if (at >= line.length) return cells
    at++
  }
}
