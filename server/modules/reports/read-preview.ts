import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { ProductError } from '#contracts/errors.ts'
import { PREVIEW_LINES, type ReportBlock, type ReportPreview } from '#contracts/http/reports/stored-reports.ts'
import type { ReportDocument } from '#engines/report/document.ts'
import type { FileStore } from '#storage/files/port.ts'
import { readCsv } from '../../platform/tables/read-csv.ts'
import type { JobRow } from '../jobs/job-rows.ts'
import { previewOf } from './stored-report-rows.ts'

/** So much of a text file is read for its preview. */
const TEXT_BYTES = 64 * 1024
/** A document that unpacks to more is refused: none is near it. */
const DOCUMENT_BYTES = 64 * 1024 * 1024
const zip = promisify(gzip)
const unzip = promisify(gunzip)

/** The document model of a report as it is kept beside its file; the logo stays out, since a preview does not show it. */
export async function packDocument(document: ReportDocument): Promise<Buffer> {
  return await zip(JSON.stringify({ ...document, logo: null }))
}

/** What the page draws of a stored report. Throws report.no_preview where its format has none, data.missing where the file is gone. */
export async function readPreview(files: FileStore, row: JobRow, chapter: number): Promise<ReportPreview> {
  const of = previewOf(row)
  if (of === null) throw new ProductError('report.no_preview')
  const name = (of === 'document' ? row.document : row.file) as string
  if (!(await files.has(name))) throw new ProductError('data.missing')
  const file = await files.open(name)
  if (of === 'document') {
    const packed = await buffer(file.stream())
    return chapterOf(JSON.parse(String(await unzip(packed, { maxOutputLength: DOCUMENT_BYTES }))), chapter)
  }
  const bytes = await buffer(file.stream({ start: 0, end: Math.min(file.size, TEXT_BYTES) - 1 }))
  const more = file.size > TEXT_BYTES
  const text = wholeLines(bytes.toString('utf8'), more)
  if (of === 'text') return { of, text, more }
  const [header, ...records] = readCsv(text).map(({ cells }) => cells)
  return {
    of,
    header: header ?? [],
    rows: records.slice(0, PREVIEW_LINES),
    more: more || records.length > PREVIEW_LINES,
  }
}

/** Without the last line, which is cut off where there is more. */
function wholeLines(text: string, more: boolean): string {
  const end = text.lastIndexOf('\n')
  return more && end > 0 ? text.slice(0, end) : text
}

function chapterOf(document: ReportDocument, wanted: number): ReportPreview {
  const chapters: { title: string; blocks: ReportBlock[] }[] = []
  for (const block of document.blocks as ReportBlock[]) {
    if (block.kind === 'heading' && block.level === 1) chapters.push({ title: block.text, blocks: [] })
    else {
      if (chapters.length === 0) chapters.push({ title: document.title, blocks: [] })
      chapters.at(-1)?.blocks.push(block)
    }
  }
  const chapter = Math.min(wanted, Math.max(0, chapters.length - 1))
  const { language, title, subject, issuer, footer, cover } = document
  return {
    of: 'document',
    ...{ language, title, subject, issuer, footer, cover: [...cover] },
    chapters: chapters.map((one) => one.title),
    chapter,
    blocks: chapters[chapter]?.blocks ?? [],
  }
}
