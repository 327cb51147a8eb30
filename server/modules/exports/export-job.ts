import { Readable } from 'node:stream'
import { type ErrorKey, ProductError } from '#contracts/errors.ts'
import type { EventRow } from '#domain/query.ts'
import { log } from '#runtime/log.ts'
import type { EventStore } from '#storage/events/port.ts'
import type { FileStore } from '#storage/files/port.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { dropUnnamed } from '../../platform/file-references.ts'
import { type Cell, csvFile } from '../../platform/tables/csv.ts'
import { xlsxFile } from '../../platform/tables/xlsx.ts'
import { zonedTime } from '../../platform/tables/zoned-time.ts'
import { type ExportWords, exportWords, type PlaceNames } from '../../query/export-words.ts'
import { redactRow } from '../../query/personal.ts'
import { resolveQuery } from '../../query/resolve-query.ts'
import { expandDeviceVerdict } from '../devices/expand-device-verdict.ts'
import { expandGroups } from '../exceptions/group-aliases.ts'
import { changeJob, type ExportInput, type JobRow } from '../jobs/job-rows.ts'
import { deviceVerdictWords } from './device-verdict-words.ts'
import { type ExportTable, exportTable } from './export-tables.ts'
import { readList } from './list-tables/read-list.ts'

export type ExportDeps = {
  meta: MetaStore
  store: EventStore
  files: FileStore
  zone(): string
  placeName: PlaceNames
  now(): number
}

const REPORT_MS = 500

/**
 * Runs one export from its row to its file. Does nothing where the job is not waiting or running (cancelled, done). A cancel ends it at
 * the next block; a failure leaves the error's key in `note`. Aborting `signal` (the process stops) leaves the row running: the next
 * process takes it up again from the start.
 */
export async function runExport(deps: ExportDeps, id: string, signal: AbortSignal): Promise<void> {
  const started = await changeJob(deps.meta, id, ['waiting', 'running'], {
    state: 'running',
    started_at: deps.now(),
    progress: 0,
    rows: 0,
    bytes: 0,
  })
  if (!started) return
  const stop = new AbortController()
  try {
    const file = await writeFile(deps, started, AbortSignal.any([signal, stop.signal]), () => stop.abort())
    const done = await changeJob(deps.meta, id, ['running'], {
      state: 'done',
      progress: 1,
      ended_at: deps.now(),
      ...file,
    })
    if (!done) await dropUnnamed(deps, [file.file]) // cancelled while the last block was written
  } catch (error) {
    if (stop.signal.aborted || signal.aborted) return // its row says stopped, or is left for the next process
    const note: ErrorKey = error instanceof ProductError ? error.key : 'server.internal'
    if (!(error instanceof ProductError)) log.error({ err: error }, `export ${id} failed`)
    await changeJob(deps.meta, id, ['running'], { state: 'failed', note, ended_at: deps.now() })
  }
}

async function writeFile(deps: ExportDeps, job: JobRow, signal: AbortSignal, onCancelled: () => void) {
  const input = job.input as ExportInput
  const format = input.format ?? 'csv'
  const zone = deps.zone()
  const words = await exportWords(deps.meta, input.language, zone, deps.placeName)
  const row = input.personal ? (one: EventRow) => one : redactRow
  const table = await readTable(deps, job, { words, zone, row, signal })
  let [rows, bytes, reportedAt] = [0, 0, deps.now()]

  /** The lines as they are written: each block counts, reports the progress, and ends the work where it was stopped. */
  async function* counted(): AsyncGenerator<Cell[][]> {
    for await (const block of table.blocks) {
      signal.throwIfAborted()
      rows += block.length
      yield block
      if (deps.now() - reportedAt < REPORT_MS) continue
      reportedAt = deps.now()
      const progress = Math.min(0.999, rows / Math.max(1, table.total))
      if (await changeJob(deps.meta, job.id, ['running'], { progress, rows, bytes })) continue
      onCancelled()
      signal.throwIfAborted()
    }
  }
  async function* written(): AsyncGenerator<Buffer> {
    const file = format === 'xlsx' ? xlsxFile(table.header, counted(), job.title) : csvFile(table.header, counted())
    for await (const chunk of file) {
      bytes += chunk.length
      yield chunk
    }
  }
  const { sha256, size } = await deps.files.put(Readable.from(written(), { objectMode: false }))
  const stamp = zonedTime(input.now, zone).slice(0, 19).replace(/[-:]/g, '').replace('T', '-')
  return { file: sha256, file_name: `${job.title}-${stamp}.${format}`, bytes: size, rows }
}

type Reading = { words: ExportWords; zone: string; row(row: EventRow): EventRow; signal: AbortSignal }

async function readTable({ meta, store, files }: ExportDeps, job: JobRow, reading: Reading): Promise<ExportTable> {
  const input = job.input as ExportInput
  const { scope, now, language } = input
  if ('list' in input) {
    const auth = input.monitoring ? ['monitor.view'] : []
    return readList(input.list, { ...reading, meta, store, files, language, scope, now, userId: job.user_id, auth })
  }
  const filters = await expandGroups(meta.db, input.query.filters)
  const query = resolveQuery({ ...input.query, filters }, scope, now, reading.zone)
  const part = await expandDeviceVerdict(meta.db, scope, input.part)
  return exportTable(part, {
    ...reading,
    store,
    query,
    language,
    deviceVerdicts: (devices) => deviceVerdictWords(meta, scope, reading.words, language, devices),
  })
}
