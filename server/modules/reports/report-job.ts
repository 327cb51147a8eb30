import { Readable } from 'node:stream'
import { categoryName, DETECTION_KINDS } from '#contracts/detection/kinds.ts'
import { type ErrorKey, ProductError } from '#contracts/errors.ts'
import { cyclonedxOf } from '#engines/report/cyclonedx.ts'
import type { ReportDocument } from '#engines/report/document.ts'
import { scanReport } from '#engines/report/scan-report.ts'
import { log } from '#runtime/log.ts'
import { dropUnnamed } from '../../platform/file-references.ts'
import { csvFile } from '../../platform/tables/csv.ts'
import { xlsxFile } from '../../platform/tables/xlsx.ts'
import { zonedTime } from '../../platform/tables/zoned-time.ts'
import { type OpenedResult, openResult } from '../detection/result-module.ts'
import { changeJob, type JobRow, type ReportInput } from '../jobs/job-rows.ts'
import { withOwnChapters } from './own-chapters.ts'
import { packDocument } from './read-preview.ts'
import { reportFrame } from './report-frame.ts'
import { reportLines } from './report-lines.ts'
import { type ReportDeps, writeParts } from './report-sources.ts'
import { readTemplate } from './report-template.ts'
import { REPORT_TERMS } from './report-terms.ts'
import { writeReport } from './write/write-report.ts'

/** Shares of the work: the result is read, the file is typeset. */
const [OPENED, WRITTEN] = [0.2, 0.9]

/**
 * Writes one report from its row to its file. A failure leaves the error's key in `note`; a cancel ends the writer; where the process stops
 * the row is left running for the next one.
 */
export async function runReport(
  deps: ReportDeps,
  id: string,
  signals: { stop: AbortSignal; quit: AbortSignal },
): Promise<void> {
  const { meta } = deps
  const job = await changeJob(meta, id, ['waiting', 'running'], {
    state: 'running',
    started_at: deps.now(),
    progress: null,
  })
  if (!job) return
  const signal = AbortSignal.any([signals.stop, signals.quit])
  try {
    const file = await writeFile(deps, job, signal)
    const done = await changeJob(meta, id, ['running'], { state: 'done', progress: 1, ended_at: deps.now(), ...file })
    if (!done) await dropUnnamed(deps, [file.file, file.document])
  } catch (error) {
    if (signal.aborted) return
    const note: ErrorKey = error instanceof ProductError ? error.key : 'server.internal'
    if (!(error instanceof ProductError)) log.error({ err: error }, `report ${id} failed`)
    await changeJob(meta, id, ['running'], { state: 'failed', note, ended_at: deps.now() })
  }
}

async function writeFile(deps: ReportDeps, job: JobRow, signal: AbortSignal) {
  const input = job.input as ReportInput
  if (input.of !== 'detection' && input.of !== undefined) return await writeOther(deps, job, input, signal)
  const opened = await openResult(deps, { scope: input.scope, userId: job.user_id }, input.task)
  await changeJob(deps.meta, job.id, ['running'], { progress: OPENED })
  const { extension, body, document } = await bodyOf(deps, input, opened, signal)
  await changeJob(deps.meta, job.id, ['running'], { progress: WRITTEN })
  const { sha256, size } = await deps.files.put(Readable.from(body, { objectMode: false }))
  const model = document && (await deps.files.put(Readable.from([await packDocument(document)], { objectMode: false })))
  const { name, package_id, version } = opened.task
  const rows = opened.judged.items.filter(({ verdict }) => verdict === 'fail').length
  return {
    file: sha256,
    file_name: `${name || package_id}-${version}.${extension}`,
    bytes: size,
    rows,
    document: model?.sha256 ?? null,
  }
}

async function bodyOf(
  deps: ReportDeps,
  { format, reader, language }: ReportInput,
  { task, result, judged }: OpenedResult,
  signal: AbortSignal,
): Promise<{ extension: string; body: Iterable<Buffer> | AsyncIterable<Buffer>; document?: ReportDocument }> {
  if (format === 'cyclonedx')
    return { extension: 'cdx.json', body: [Buffer.from(JSON.stringify(cyclonedxOf(result, deps.now()), null, 2))] }
  if (format === 'csv' || format === 'xlsx') {
    const { header, rows } = reportLines(judged, language)
    const lines = (async function* () {
      yield rows
    })()
    const body =
      format === 'csv' ? csvFile(header, lines) : xlsxFile(header, lines, language === 'zh' ? '检测项' : 'Items')
    return { extension: format, body }
  }
  const settings = deps.settings()
  const [template, frame] = await Promise.all([readTemplate(deps.meta), reportFrame(deps, language)])
  const scan = scanReport({
    terms: REPORT_TERMS,
    result,
    judged,
    ...frame,
    reader,
    parts: template.parts[reader],
    operator: task.username ?? '',
    strategy: task.strategy_name,
    date: zonedTime(task.ended_at ?? task.created_at, settings.zone)
      .slice(0, 16)
      .replace('T', ' '),
    kindNames: DETECTION_KINDS,
    categoryName: (category) => categoryName(category, language),
  })
  const document = await withOwnChapters({ meta: deps.meta, settings }, scan, task.username ?? '')
  return { extension: format, body: [Buffer.from(await writeReport({ format, document }, signal))], document }
}

/** A report of a case, a self-check or statistics: one document, as PDF or DOCX. */
async function writeOther(deps: ReportDeps, job: JobRow, input: ReportInput, signal: AbortSignal) {
  const { format, language } = input
  if (format !== 'pdf' && format !== 'docx') throw new ProductError('input.invalid', { detail: format })
  const user = await deps.meta.db
    .selectFrom('users')
    .select('username')
    .where('id', '=', job.user_id)
    .executeTakeFirst()
  const viewer = { userId: job.user_id, username: user?.username ?? '' }
  const parts = await writeParts(deps, viewer, input)
  await changeJob(deps.meta, job.id, ['running'], { progress: OPENED })
  const framed: ReportDocument = { ...parts, ...(await reportFrame(deps, language)) }
  const document = await withOwnChapters({ meta: deps.meta, settings: deps.settings() }, framed, viewer.username)
  const bytes = Buffer.from(await writeReport({ format, document }, signal))
  await changeJob(deps.meta, job.id, ['running'], { progress: WRITTEN })
  const { sha256, size } = await deps.files.put(Readable.from([bytes], { objectMode: false }))
  const model = await deps.files.put(Readable.from([await packDocument(document)], { objectMode: false }))
  return {
    file: sha256,
    file_name: `${job.title.replace(/ (?:PDF|DOC)$/, '')}.${format}`,
    bytes: size,
    rows: 0,
    document: model.sha256,
  }
}
