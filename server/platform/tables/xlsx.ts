import { Readable } from 'node:stream'
import { constants } from 'node:zlib'
import { ZipFile } from 'yazl'
import type { Cell } from './csv.ts'

/**
 * An Excel workbook written as its lines come, in constant memory: texts are inline in the cells, so no list of them is held. A sheet has at
 * most 1,048,576 lines; further ones continue in the next sheet. A text cell is never a formula, whatever it begins with.
 */
const SHEET_LINES = 1_048_576
/** Characters that a cell may hold. */
const CELL_CHARS = 32_767
/** The same time in every file, so that equal contents give equal files; 64-bit sizes, since they are unknown at the start. */
const ENTRY = {
  mtime: new Date(1980, 0, 1),
  forceDosTimestamp: true,
  forceZip64Format: true,
  compressionLevel: constants.Z_BEST_SPEED,
}

export async function* xlsxFile(
  header: readonly Cell[],
  blocks: AsyncIterable<readonly (readonly Cell[])[]>,
  sheetName: string,
  sheetLines: number = SHEET_LINES,
): AsyncGenerator<Buffer> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const lines = new LineReader(blocks)
  let source: Readable | undefined
  zip.on('error', (error) => output.destroy(error))
  const addSheet = (sheet: number) =>
    zip.addReadStreamLazy(`xl/worksheets/sheet${sheet}.xml`, ENTRY, (done) => {
      source = Readable.from(sheetAndMore(sheet), { objectMode: false })
      source.on('error', (error) => output.destroy(error))
      done(null, source)
    })
  // What follows a sheet is known only when it ends.
  async function* sheetAndMore(sheet: number): AsyncGenerator<string> {
    yield* sheetXml(header, lines, sheetLines)
    if (await lines.hasMore()) return addSheet(sheet + 1)
    const names = Array.from({ length: sheet }, (_, index) => (index === 0 ? sheetName : `${sheetName} ${index + 1}`))
    for (const [path, text] of bookParts(names)) zip.addBuffer(Buffer.from(text), path, ENTRY)
    zip.end({ forceZip64Format: true, comment: '' })
  }
  addSheet(1)
  try {
    for await (const chunk of output) yield chunk as Buffer
  } finally {
    // A consumer that ends early (a full disk, a cancelled job) ends the source as well.
    output.destroy()
    source?.destroy()
    lines.close()
  }
}

/** Hands out lines one by one over the blocks. */
class LineReader {
  private readonly iterator: AsyncIterator<readonly (readonly Cell[])[]>
  private block: readonly (readonly Cell[])[] = []
  private at = 0

  constructor(blocks: AsyncIterable<readonly (readonly Cell[])[]>) {
    this.iterator = blocks[Symbol.asyncIterator]()
  }

  async hasMore(): Promise<boolean> {
    while (this.at >= this.block.length) {
      const next = await this.iterator.next()
      if (next.done) return false
      this.block = next.value
      this.at = 0
    }
    return true
  }

  /** Ends the source; it may be waiting for its next block. */
  close(): void {
    void Promise.resolve(this.iterator.return?.()).catch(() => {}) // its result is not needed
  }

  /** At most `count` lines of the current block. */
  take(count: number): readonly (readonly Cell[])[] {
    const taken = this.block.slice(this.at, this.at + count)
    this.at += taken.length
    return taken
  }
}

async function* sheetXml(header: readonly Cell[], lines: LineReader, sheetLines: number): AsyncGenerator<string> {
  yield `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>${row(header, 1, 1)}`
  let line = 1
  while (line < sheetLines && (await lines.hasMore())) {
    const taken = lines.take(sheetLines - line)
    yield taken.map((cells, index) => row(cells, line + 1 + index)).join('')
    line += taken.length
  }
  yield '</sheetData></worksheet>'
}

function row(cells: readonly Cell[], line: number, style?: number): string {
  return `<row r="${line}">${cells.map((cell) => cellXml(cell, style)).join('')}</row>`
}

function cellXml(cell: Cell, style?: number): string {
  const of = style === undefined ? '' : ` s="${style}"`
  if (cell === null || cell === '') return '<c/>'
  if (typeof cell === 'number' && Number.isFinite(cell)) return `<c${of}><v>${cell}</v></c>`
  if (typeof cell === 'boolean') return `<c${of} t="b"><v>${cell ? 1 : 0}</v></c>`
  return `<c${of} t="inlineStr"><is><t xml:space="preserve">${escapeXml(String(cell).slice(0, CELL_CHARS))}</t></is></c>`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' }

/** Text that any XML reader takes: what XML cannot hold (control characters, halves of surrogate pairs) is left out. */
export function escapeXml(text: string): string {
  return text
    .replace(/[\p{Surrogate}\ufffe\uffff]|(?![\t\n\r])\p{Cc}/gu, '')
    .replace(/[&<>"\r]/g, (one) => ENTITIES[one] as string)
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The parts around the sheets: what there is, what belongs to what, a bold style for the header. */
function bookParts(names: readonly string[]): [path: string, text: string][] {
  const each = (text: (name: string, number: number) => string) => names.map((name, i) => text(name, i + 1)).join('')
  const styles = names.length + 1
  return [
    [
      'xl/workbook.xml',
      `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${each((name, n) => `<sheet name="${escapeXml(sheetTitle(name))}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${XML}<Relationships xmlns="${PACKAGE}/relationships">${each((_, n) => `<Relationship Id="rId${n}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${n}.xml"/>`)}<Relationship Id="rId${styles}" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
    ],
    [
      'xl/styles.xml',
      `${XML}<styleSheet xmlns="${MAIN}"><fonts count="2"><font/><font><b/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf fontId="1" applyFont="1"/></cellXfs></styleSheet>`,
    ],
    [
      '_rels/.rels',
      `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      '[Content_Types].xml',
      `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/>${each((_, n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${TYPES}.worksheet+xml"/>`)}<Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`,
    ],
  ]
}

/** Names of sheets have 31 characters at most and none of these. */
function sheetTitle(name: string): string {
  const clean = name.replace(/[\\/?*:[\]]/g, ' ').trim()
  return clean.length > 31 ? `${clean.slice(0, 26)} ${/\d*$/.exec(clean)?.[0] ?? ''}`.trim() : clean || 'Sheet'
}
