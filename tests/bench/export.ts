import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { PartSchema, QuerySchema } from '#domain/query.ts'
import { runExport } from '#server/modules/exports/export-job.ts'
import type { ExportInput } from '#server/modules/jobs/job-rows.ts'
import { openLocalFiles } from '#storage/files/local-files.ts'
import { startHttpApp } from '#tests/support/http-app.ts'
import { type BenchLine, line } from './bench-line.ts'
import { loadRows, startStoreBed } from './store-bed.ts'
import { makePopulation } from './store-population.ts'

const DAY = 86_400_000
const WANTED = 1_000_000
const SAMPLE_MS = 200

/**
 * A job that exports a million rows as CSV: how long it takes, and how much the memory of the jobs' process and of the store's grows
 * between a tenth of the way and the end. BENCH_STORE keeps the loaded store.
 */
export async function run({ rows }: { rows: number }): Promise<BenchLine[]> {
  const folder = await mkdtemp(join(tmpdir(), 'appwarden-bench-'))
  const rowsAt = process.env['BENCH_STORE'] ?? join(folder, 'e')
  const lines = await loadRows(rowsAt, makePopulation(1), rows)
  const bed = await startStoreBed(folder, rowsAt)
  const http = await startHttpApp()
  try {
    const { meta } = http
    const now = (await bed.store.status()).storedTo ?? Date.now()
    const userId = await http.addUser('analyst@example.com', 'administrator')
    // The newest million: of a month, evenly spread.
    const from = now - Math.floor((WANTED / rows) * 30 * DAY)
    const input: ExportInput = {
      query: QuerySchema.parse({ range: `${from}~${now}`, timeBasis: 'received' }),
      part: PartSchema.parse({ kind: 'rows' }),
      scope: { apps: 'all' },
      personal: true,
      language: 'zh',
      now,
      format: 'csv',
    } as ExportInput
    const id = randomUUID()
    await meta.db
      .insertInto('jobs')
      .values({
        id,
        user_id: userId,
        kind: 'export',
        title: 'bench',
        state: 'waiting',
        input: JSON.stringify(input),
        created_at: now,
      } as never)
      .execute()
    const files = await openLocalFiles(join(folder, 'files'))
    const memory: { own: number; store: number }[] = []
    const timer = setInterval(async () => {
      memory.push({ own: process.memoryUsage().rss / 2 ** 20, store: await residentOf(bed.pid) })
    }, SAMPLE_MS)
    const began = performance.now()
    const deps = { meta, store: bed.store, files, zone: () => 'Asia/Shanghai', placeName: () => '', now: () => now }
    await runExport(deps, id, new AbortController().signal)
    const seconds = (performance.now() - began) / 1000
    clearInterval(timer)
    const job = await meta.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const early = memory.slice(0, Math.ceil(memory.length / 10)).at(-1)
    const peak = (of: 'own' | 'store') => Math.max(...memory.map((one) => one[of]))
    lines.push(
      line('export: rows', job.rows ?? 0, 'rows', null, null, 'state = done', job.state === 'done'),
      line('export: time', seconds, 's', null, null, '', true),
      line('export: rate', (job.rows ?? 0) / seconds, 'rows/s', null, null, '', true),
      grown('export: memory of the job', peak('own'), early?.own ?? 0),
      grown('export: memory of the store', peak('store'), early?.store ?? 0),
    )
  } finally {
    await http.close()
    await bed.close()
    await rm(folder, { recursive: true, force: true })
  }
  return lines
}

function grown(name: string, peak: number, early: number): BenchLine {
  return line(name, peak, 'MB', 'after a tenth of the way', early, 'value - peer <= 150', peak - early <= 150)
}

async function residentOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024
}
