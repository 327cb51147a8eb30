import type { ErrorKey } from '#contracts/errors.ts'
import type { ScanResult } from '#engines/detect/result/scan-result.ts'
import { log } from '#runtime/log.ts'
import type { FileStore } from '#storage/files/port.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { dropUnnamed } from '../../platform/file-references.ts'
import type { Isolation, SandboxLimits } from '../../platform/sandbox/isolation.ts'
import type { SandboxEnd } from '../../platform/sandbox/run-sandboxed.ts'
import { askWorker } from './ask-worker.ts'
import { detectOnPhone, type PhoneDeps, readyPhone } from './dynamic/detect-on-phone.ts'
import { PhoneRefused } from './dynamic/prepare-phone.ts'
import { failureText } from './failure-text.ts'
import { judgeTask, keepResult } from './judge-task.ts'
import { writeResult } from './result-file.ts'
import { scanExtras } from './scan-extras.ts'
import type { PackageOrder } from './scan-messages.ts'
import { suppressionsFor } from './suppression-rows.ts'
import { type TaskProgress, trackTask } from './task-progress.ts'
import { changeTask, type TaskRow, tellTask } from './task-rows.ts'

export type DetectDeps = {
  meta: MetaStore
  files: FileStore
  phones: PhoneDeps
  limits: SandboxLimits
  /** Found once a process. */
  isolation(): Promise<Isolation>
  now(): number
  /** After a result is kept: what else is done with it. Its failure is not one of the detection. */
  afterwards(task: TaskRow): Promise<void>
}

const DAY_MS = 86_400_000

/** Why a task did not end well: an error key and its detail. */
class Failed extends Error {
  readonly key: ErrorKey
  constructor(key: ErrorKey, detail = '') {
    super(detail)
    this.key = key
  }
}

/**
 * Runs one detection from its row to its result. Does nothing where the task is not waiting or running (stopped, detected). Aborting
 * `stop` means that somebody stopped it; aborting `quit` (the process ends) leaves the row as it is: the next process begins again.
 */
export async function runDetection(
  deps: DetectDeps,
  id: string,
  { stop, quit }: { stop: AbortSignal; quit: AbortSignal },
): Promise<void> {
  const { meta } = deps
  const isolation = await deps.isolation()
  const task = await changeTask(meta, id, ['waiting', 'detecting'], {
    state: 'detecting',
    started_at: deps.now(),
    progress: 0,
    isolation: [...isolation.kept, ...isolation.missing.map((one) => `missing: ${one}`)],
  })
  if (!task) return
  await meta.db
    .updateTable('detection_tasks')
    .set({ attempt: task.attempt + 1 })
    .where('id', '=', id)
    .execute()
  const progress = trackTask(deps, task)
  try {
    for (const one of isolation.missing)
      progress.log('warning', { zh: `本机不允许隔离措施：${one}`, en: `This machine does not allow: ${one}` })
    const signal = AbortSignal.any([stop, quit])
    const isDynamic = task.kinds.includes('dynamic')
    if (isDynamic) await readyPhone(deps.phones, task)
    const base = await scan({ deps, task, isolation, progress, signal })
    const result =
      base && isDynamic
        ? await detectOnPhone({ ...deps.phones, files: deps.files }, task, base, progress, signal)
        : base
    if (result) await finish(deps, task, result, progress)
  } catch (error) {
    if (stop.aborted || quit.aborted) return
    const failed = error instanceof Failed ? error : error instanceof PhoneRefused ? refusedByPhone(error) : undefined
    if (!failed) log.error({ err: error }, `detection ${id} failed`)
    const key = failed?.key ?? 'server.internal'
    const detail = failed?.message ?? (error as Error).message
    progress.log('error', error instanceof PhoneRefused ? error.text : failureText(key, detail))
    await progress.end('failed')
    await changeTask(meta, id, ['detecting'], {
      state: 'failed',
      note: key,
      note_detail: detail.slice(0, 500),
      ended_at: deps.now(),
    })
  } finally {
    await progress.close()
  }
}

const refusedByPhone = ({ gone, message }: PhoneRefused): Failed =>
  new Failed(gone ? 'detection.no_phone' : 'detection.failed', message)

/**
 * The result of the whole scan, or of a reduced one where that went over its limits; undefined where somebody stopped it.
 */
async function scan(run: Run): Promise<ScanResult | undefined> {
  const order = await orderOf(run.deps, run.task)
  const whole = await work(run, order)
  if (whole === undefined || !(whole instanceof Failed)) return whole
  if (whole.key !== 'detection.limit') throw whole
  const over = failureText(whole.key, whole.message)
  run.progress.log('warning', { zh: `超出限制：${over.zh}`, en: `Over the limits: ${over.en}` })
  const reduced = await work(run, { ...order, reduced: true })
  if (reduced instanceof Failed) throw whole
  return reduced
}

type Run = { deps: DetectDeps; task: TaskRow; isolation: Isolation; progress: TaskProgress; signal: AbortSignal }

/** One worker's answer: a result, the reason of a failure, or undefined if it was cancelled. */
async function work(
  { deps, task, isolation, progress, signal }: Run,
  order: PackageOrder,
): Promise<ScanResult | Failed | undefined> {
  const { meta } = deps
  const file = await deps.files.open(task.sha256).catch((err: unknown) => {
    log.warn({ err, task: task.id }, 'detection: the package cannot be opened')
    throw new Failed('data.missing', `the package ${task.sha256} is no longer stored`)
  })
  const { end, result, refused, broken } = await askWorker({
    limits: deps.limits,
    isolation,
    order,
    extras: await scanExtras(meta, { kinds: order.kinds, items: order.items, application: task.application_id }),
    file,
    signal,
    onProgress(message) {
      if (!('stage' in message)) progress.log(message.log, message.text)
      // The phone comes between what the package says and the result.
      else if (message.stage !== 'result' || !task.kinds.includes('dynamic'))
        progress.stage(message.stage, message.share)
    },
  })
  if (end.ended === 'stopped') return undefined
  if (end.ended === 'done' && result) return result
  if (refused !== undefined) return new Failed('asset.unreadable', refused)
  return failureOf(end, deps.limits, broken)
}

function failureOf(end: SandboxEnd, limits: SandboxLimits, broken: string | undefined): Failed {
  if (end.ended === 'limit') {
    const { memoryMb, cpuSeconds, wallSeconds } = limits
    const bounds = {
      time: `${wallSeconds} s`,
      cpu: `${cpuSeconds} s`,
      memory: `${memoryMb} MB`,
      output: 'size of the result',
    }
    return new Failed('detection.limit', `${end.limit} (${bounds[end.limit]})`)
  }
  if (broken !== undefined) return new Failed('detection.failed', `the worker said what no worker says: ${broken}`)
  return new Failed('detection.failed', end.ended === 'crashed' ? end.detail : 'the worker ended without a result')
}

async function orderOf({ meta, now }: DetectDeps, task: TaskRow): Promise<PackageOrder> {
  const { db } = meta
  const [file, baseline] = await Promise.all([
    db
      .selectFrom('app_files')
      .select('file_name')
      .where('id', '=', task.file_id ?? 0)
      .executeTakeFirst(),
    db
      .selectFrom('baselines')
      .select('signers')
      .where('application_id', '=', task.application_id ?? 0)
      .where('package_name', '=', task.package_id)
      .orderBy('updated_at', 'desc')
      .limit(1)
      .executeTakeFirst(),
  ])
  return {
    name: file?.file_name ?? task.name,
    kinds: task.kinds,
    applicationType: task.application_type === '' ? null : task.application_type,
    items: task.strategy.items,
    levels: task.strategy.levels,
    date: Math.floor(now() / DAY_MS) * DAY_MS,
    baselineSigners: baseline?.signers ?? null,
    reduced: false,
  }
}

/** Keeps the result, then the figures over it; a stop that came first wins, and nothing of the result stays. */
async function finish(deps: DetectDeps, task: TaskRow, result: ScanResult, progress: TaskProgress): Promise<void> {
  const { meta } = deps
  progress.stage('result', 0)
  for (const { text } of result.notAssessed) progress.log('warning', text)
  const file = await writeResult(deps.files, result)
  const judged = judgeTask(task, result, await suppressionsFor({ meta }, task), deps.now())
  await progress.end('detected')
  const done = await keepResult(meta, { id: task.id, from: 'detecting' }, result, judged, {
    state: 'detected',
    progress: 1,
    result_file: file,
    pictures: picturesOf(result),
    ended_at: deps.now(),
  })
  if (!done) return void (await dropUnnamed(deps, [...picturesOf(result), file]))
  await tellTask(meta, done)
  await deps
    .afterwards(task)
    .catch((err: unknown) => log.error({ err, task: task.id }, 'detection: what follows a result failed'))
  await dropUnnamed(deps, [...task.pictures, task.result_file])
}

const picturesOf = ({ dynamic }: ScanResult): string[] => [
  ...new Set(dynamic?.screenshots.map(({ file }) => file) ?? []),
]
