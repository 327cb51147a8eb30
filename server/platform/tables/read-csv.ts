/** A record of a CSV file with the line it begins on, the first being 1. */
export type CsvRecord = { line: number; cells: string[] }

/**
 * Records of a CSV text by RFC 4180: comma-separated, quoted cells may hold commas, quotes ("") and line breaks. Accepts CR LF, LF and CR,
 * and a byte-order mark. Blank lines are left out. A quote that is never closed ends with the text.
 */
export function readCsv(text: string): CsvRecord[] {
  const records: CsvRecord[] = []
  let cells: string[] = []
  let cell = ''
  let quoted = false
  let [line, begin] = [1, 1]
  const endCell = () => {
    cells.push(cell)
    cell = ''
  }
  const endRecord = () => {
    endCell()
    if (cells.length > 1 || cells[0]?.trim()) records.push({ line: begin, cells })
    cells = []
  }
  for (let at = text.startsWith('\ufeff') ? 1 : 0; at < text.length; at++) {
    const char = text[at] as string
    const isBreak = char === '\n' || char === '\r'
    if (isBreak && char === '\r' && text[at + 1] === '\n') at++
    if (quoted) {
      if (char === '"' && text[at + 1] === '"') {
        cell += '"'
        at++
      } else if (char === '"') quoted = false
      else cell += isBreak ? '\n' : char
    } else if (char === '"' && cell === '') quoted = true
    else if (char === ',') endCell()
    else if (isBreak) endRecord()
    else cell += char
    if (isBreak) {
      line++
      if (!quoted) begin = line
    }
  }
  if (cell !== '' || cells.length > 0) endRecord()
  return records
}
