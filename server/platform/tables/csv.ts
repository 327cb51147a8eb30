/** CSV that spreadsheets open as what it is: UTF-8 with a byte order mark, CRLF, RFC 4180 quoting, and no cell that runs as a formula. */
export type Cell = string | number | boolean | null

const START = '\ufeff'

/** Spreadsheets take a text that begins with one of these as a formula or a command; full-width forms too in East Asian versions. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/
const NEEDS_QUOTES = /[",\r\n\t]|^\s|\s$/

/** The whole file in chunks, a block of lines each. */
export async function* csvFile(header: readonly Cell[], blocks: AsyncIterable<Cell[][]>): AsyncGenerator<Buffer> {
  yield Buffer.from(START + csvLine(header))
  for await (const block of blocks) yield Buffer.from(block.map(csvLine).join(''))
}

/** One line with its end. Numbers are written as they are; a text that could run is led by an apostrophe. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const safe = FORMULA.test(cell) ? `'${cell}` : cell
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
