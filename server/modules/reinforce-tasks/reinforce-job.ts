import { Readable } from 'node:stream'
import { type ErrorKey, ProductError } from '#contracts/errors.ts'
import {
  REINFORCE_REFUSALS,
  type ReinforceRefusal,
  type ReinforceRescan,
  type ReinforceStage,
  type ReinforceTaskStage,
  stagesOf,
} from '#contracts/http/reinforce-tasks.ts'
import { isLibraryKind, reinforcedName } from '#domain/reinforce-kinds.ts'
import { chosenOptions, ReinforceOptionsSchema } from '#domain/reinforce-policy.ts'
import type { HardenLine } from '#engines/harden/hardening.ts'
import { optionResults } from '#engines/harden/option-results.ts'
import { log } from '#runtime/log.ts'
import type { FileStore } from '#storage/files/port.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { StoredReport } from '#storage/postgres/reinforce-tables.ts'
import { dropUnnamed } from '../../platform/file-references.ts'
import type { Isolation, SandboxLimits } from '../../platform/sandbox/isolation.ts'
import { updateHasFile } from '../assets/application-of-file.ts'
import { storePackage } from '../assets/store-package.ts'
import { ProtectionFailed } from '../js-protection/protect-in-workers.ts'
import { protectPackageScripts, type ScriptAnswers } from '../js-protection/protect-package-scripts.ts'
import { openKey } from '../reinforce-signatures/signature-rows.ts'
import { askHardenWorker, askSignWorker, WorkerRefused } from './ask-harden-worker.ts'
import type { HardenMessage, HardenSettings, SignMessage, WrittenLine } from './harden-messages.ts'
import { changeTask, type TaskRow } from './reinforce-rows.ts'
import type { SaidPackages } from './said-packages.ts'
import { scanAgain } from './scan-again.ts'

export type ReinforceDeps = {
  meta: MetaStore
  files: FileStore
  /** Opens secrets of the installation, such as key stores. */
  secret(name: string): Buffer
  dataFolder: string
  /** Of the script worker, and of the scan worker. */
  scriptIsolation(): Promise<Isolation>
  scanIsolation(): Promise<Isolation>
  /** Written into signatures. */
  createdBy: string
  /** Whether so many bytes more leave the disk with what the rest of the product needs. */
  hasFreeDisk(bytes: number): Promise<boolean>
  now(): number
  limits?: Partial<SandboxLimits>
}

/** A row is written at most this often while it runs. */
const PROGRESS_MS = 500
/** Share of each stage in the percentage: about the seconds that each took of a package of 3 MB with 9 dex files, times ten. */
const WEIGHTS: Readonly<Record<ReinforceStage, number>> = {
  ...{ scripts: 27, read: 11, code: 42, resources: 1, libraries: 3, write: 5, sign: 10, check: 54, compare: 8 },
}
const MOST_LINES = 100_000
const ROWS_AT_ONCE = 1000

/** Why a task did not end well: an error key and its detail. */
class Failed extends Error {
  readonly key: ErrorKey | ReinforceRefusal
  constructor(key: ErrorKey | ReinforceRefusal, detail = '') {
    super(detail)
    this.key = key
  }
}

/**
 * Reinforces one package from its row to its result. Aborting `stop` means that a user cancelled it; aborting `quit` (the process ends)
 * leaves the row as it is, and the next process begins again.
 */
export async function runReinforcement(
  deps: ReinforceDeps,
  id: string,
  { stop, quit }: { stop: AbortSignal; quit: AbortSignal },
): Promise<void> {
  const { meta } = deps
  const row = await changeTask(meta, id, ['waiting', 'reinforcing'], {
    ...{ state: 'reinforcing', started_at: deps.now(), progress: 0, stage: null, stages: '[]', report: null },
  })
  if (!row) return
  const signal = AbortSignal.any([stop, quit])
  const made: string[] = []
  try {
    await new Reinforcement(deps, row, signal, made).run()
  } catch (error) {
    if (signal.aborted) return
    const { key, detail } = reasonOf(error, id)
    await changeTask(meta, id, ['reinforcing'], {
      ...{ state: 'failed', note: key, note_detail: detail.slice(0, 500), ended_at: deps.now() },
    })
  } finally {
    // What became the result is named by the row now.
    await dropUnnamed(deps, made)
  }
}

/** A key of ERRORS or REINFORCE_REFUSALS, and what the engine said. */
function reasonOf(error: unknown, id: string): { key: string; detail: string } {
  if (error instanceof Failed) return { key: error.key, detail: error.message }
  if (error instanceof WorkerRefused)
    return { key: error.key in REINFORCE_REFUSALS ? error.key : 'reinforce.failed', detail: error.message }
  if (error instanceof ProtectionFailed) return { key: 'reinforce.failed', detail: `${error.key} ${error.message}` }
  if (error instanceof ProductError) return { key: error.key, detail: error.message }
  log.error({ err: error }, `reinforcement ${id} failed`)
  return { key: 'server.internal', detail: (error as Error).message }
}

class Reinforcement {
  private readonly deps: ReinforceDeps
  private readonly row: TaskRow
  private readonly signal: AbortSignal
  /** Files of the store that this run made. */
  private readonly made: string[]
  private readonly stages: ReinforceTaskStage[] = []
  private written = 0
  /** Stages that this task has. */
  private readonly planned: readonly ReinforceStage[]
  /** Libraries are not signed: they are signed with the application that includes them. */
  private readonly isSigned: boolean

  constructor(deps: ReinforceDeps, row: TaskRow, signal: AbortSignal, made: string[]) {
    this.deps = deps
    this.row = row
    this.signal = signal
    this.made = made
    const { js_protection: scripts } = ReinforceOptionsSchema.parse(row.options)
    this.isSigned = !isLibraryKind(row.kind) && row.signature_name !== ''
    this.planned = stagesOf(row.kind).filter(
      (one) => (one !== 'scripts' || scripts.on) && (one !== 'sign' || this.isSigned),
    )
  }

  async run(): Promise<void> {
    const { row } = this
    const options = ReinforceOptionsSchema.parse(row.options)
    const scripts = this.planned.includes('scripts') ? await this.scripts(options.js_protection.strength) : {}
    if (!scripts) return
    const lines: WrittenLine[] = []
    let unread: number[] = []
    let dropped: string[] = []
    const settings = Buffer.from(
      JSON.stringify({
        ...{ options, keepRules: row.keep_rules, seed: row.seed, scripts },
        certificate: this.isSigned ? (await this.signatureFile())?.sha256 : undefined,
        enrolmentKey: await this.enrolmentKey(),
      } satisfies HardenSettings),
    )
    const source = await this.source()
    const hardened = await this.harden(
      { task: 'harden', size: source.size, settingBytes: settings.length },
      [settings],
      {
        onMessage: (message) => {
          if ('step' in message) this.step(message.step)
          else if ('unread' in message) ({ unread, dropped } = message)
          else if ('lines' in message && lines.length < MOST_LINES) lines.push(...message.lines)
        },
      },
    )
    if (!hardened) return
    if (isLibraryKind(row.kind) && !lines.some(isChange)) throw new Failed('unchanged')
    const signed = await this.sign(hardened.pieces('result'))
    if (!signed) return
    // It is signed and judged like the result, and not kept.
    const readable = hardened.pieces('open')
    const signedOpen = readable.length ? await this.sign(readable) : undefined
    if (readable.length && !signedOpen) return
    const open = signedOpen?.output
    const compared = await this.compare(signed.output, open)
    if (!compared) return
    lines.push(...compared.lines)
    const wrong = compared.checks.find(({ passed }) => !passed)
    if (wrong) throw new Failed('reinforce.failed', `${wrong.check}: ${wrong.detail}`)
    const { rescan, note } = isLibraryKind(row.kind)
      ? { rescan: null, note: '' }
      : await this.scanAgain(signed.output, open)
    if (this.signal.aborted) return
    const results = optionResults(chosenOptions(options), lines as HardenLine[])
    const report: StoredReport = {
      options: results.map(({ option, state, applied, skipped }) => ({ option, state, applied, skipped })),
      ...{ before: compared.before, after: compared.after, methods: compared.methods },
      checks: [
        ...(signed.facts ? [{ check: 'signature' as const, passed: true, detail: '' }] : []),
        ...compared.checks,
      ],
      signed: signed.facts,
      ...{ rescan, rescan_note: note, sha256: signed.output, unread_rules: unread, dropped },
    }
    await this.finish(
      report,
      results.flatMap((one) => one.lines),
      signed,
    )
  }

  private async source() {
    try {
      return await this.deps.files.open(this.row.sha256)
    } catch (error) {
      log.warn({ err: error, task: this.row.id }, 'reinforcement: the package cannot be opened')
      throw new Failed('data.missing')
    }
  }

  /** Protected scripts by name; undefined where it was stopped. */
  private async scripts(preset: 'low' | 'medium' | 'high'): Promise<ScriptAnswers | undefined> {
    this.step({ stage: 'scripts', done: 0, total: 1, current: '' })
    const { size } = await this.source()
    const said = await this.harden({ task: 'scripts', size })
    if (!said) return undefined
    const archive = Buffer.concat(said.pieces('result'))
    if (!archive.length) return {}
    const seed = Buffer.from(this.row.seed, 'hex')
    const isolation = await this.deps.scriptIsolation()
    return protectPackageScripts(archive, preset, seed, isolation, this.signal, (done, current) =>
      this.step({ stage: 'scripts', done, total: done + 1, current }),
    )
  }

  private async harden(
    order: { task: 'scripts'; size: number } | { task: 'harden'; size: number; settingBytes: number },
    more: readonly Uint8Array[] = [],
    { onMessage }: { onMessage?(message: HardenMessage): void } = {},
  ): Promise<SaidPackages | undefined> {
    const source = await this.source()
    return askHardenWorker({
      order: { ...order, name: this.row.file_name, kind: this.row.kind },
      input: inTurn(source.stream(), more),
      hidden: this.deps.dataFolder,
      signal: this.signal,
      limits: this.deps.limits,
      ...(onMessage && { onMessage }),
    })
  }

  /** Keeps the package in the file store, signed where the policy names a signature file. */
  private async sign(pieces: readonly Buffer[]) {
    const { deps, row } = this
    const size = pieces.reduce((sum, { length }) => sum + length, 0)
    if (!size) throw new Failed('reinforce.failed', 'the worker ended without a package')
    if (!this.isSigned) return { ...(await this.keep(pieces)), facts: null }
    this.step({ stage: 'sign', done: 0, total: 1, current: row.signature_name })
    const file = await this.signatureFile()
    if (!file) throw new Failed('reinforce.signature_gone', row.signature_name)
    const key = Buffer.from(JSON.stringify(openKey(deps.secret, file)))
    let facts: Extract<SignMessage, { signed: unknown }>['signed'] | null = null
    const order = { size, keyBytes: key.length, kind: row.kind, schemes: row.schemes, createdBy: deps.createdBy }
    const signed = await askSignWorker({
      ...{ order, input: [key, ...pieces], hidden: deps.dataFolder, signal: this.signal },
      onMessage(message) {
        if ('signed' in message) facts = message.signed
      },
    })
    key.fill(0)
    if (!signed) return undefined
    if (!facts) throw new Failed('reinforce.failed', 'the worker ended without a signature')
    return {
      ...(await this.keep(signed.pieces('result'))),
      facts: facts as Extract<SignMessage, { signed: unknown }>['signed'],
    }
  }

  private async enrolmentKey(): Promise<string> {
    const found = await this.deps.meta.db
      .selectFrom('ingest_keys')
      .select('text')
      .where('application_id', '=', this.row.application_id)
      .where('kind', '=', 'enrolment')
      .where('revoked_at', 'is', null)
      .orderBy('created_at', 'desc')
      .executeTakeFirst()
    return found?.text ?? ''
  }

  private signatureFile() {
    return this.deps.meta.db
      .selectFrom('signature_files')
      .select(['sealed', 'sha256'])
      .where('id', '=', this.row.signature_id ?? '')
      .executeTakeFirst()
  }

  private async keep(pieces: readonly Buffer[]): Promise<{ output: string; size: number }> {
    const bytes = pieces.reduce((sum, { length }) => sum + length, 0)
    if (!(await this.deps.hasFreeDisk(bytes))) throw new Failed('disk')
    const { sha256, size } = await this.deps.files.put(Readable.from(pieces, { objectMode: false }))
    this.made.push(sha256)
    return { output: sha256, size }
  }

  private async compare(output: string, open: string | undefined) {
    if (isLibraryKind(this.row.kind)) this.step({ stage: 'compare', done: 0, total: 1, current: '' })
    else this.step({ stage: 'check', done: 0, total: 3, current: '' })
    const [source, result] = [await this.source(), await this.deps.files.open(output)]
    const readable = open === undefined ? undefined : await this.deps.files.open(open)
    let compared: Extract<HardenMessage, { compared: unknown }>['compared'] | undefined
    const said = await askHardenWorker({
      order: {
        ...{ task: 'compare', name: this.row.file_name, kind: this.row.kind, size: source.size },
        ...{ resultSize: result.size },
        openSize: readable?.size ?? 0,
      },
      input: inTurn(source.stream(), result.stream(), readable?.stream() ?? []),
      hidden: this.deps.dataFolder,
      signal: this.signal,
      limits: this.deps.limits,
      onMessage(message) {
        if ('compared' in message) compared = message.compared
      },
    })
    if (!said) return undefined
    if (!compared) throw new Failed('reinforce.failed', 'the worker ended without a comparison')
    return compared as Extract<HardenMessage, { compared: unknown }>['compared']
  }

  /** A scan that fails does not fail the reinforcement: the report has the reason instead. */
  private async scanAgain(
    output: string,
    open: string | undefined,
  ): Promise<{ rescan: ReinforceRescan | null; note: string }> {
    try {
      const isolation = await this.deps.scanIsolation()
      const order = { name: this.row.file_name, application: this.row.application_id }
      const packages = [this.row.sha256, ...(open === undefined ? [] : [open]), output]
      const total = 1 + packages.length
      const step = (done: number) => this.step({ stage: 'check', done: 1 + done, total, current: '' })
      const rescan = await scanAgain(this.deps, isolation, order, packages, this.signal, step)
      return { rescan, note: '' }
    } catch (error) {
      log.warn({ err: error, task: this.row.id }, 'reinforcement: the result cannot be scanned')
      return { rescan: null, note: (error as Error).message.slice(0, 500) }
    }
  }

  /** Keeps report, lines and the application file; a cancel that came first wins, and nothing of the result stays. */
  private async finish(report: StoredReport, lines: readonly HardenLine[], { output, size }: Result): Promise<void> {
    const { deps, row } = this
    const { db } = deps.meta
    await db.deleteFrom('reinforce_lines').where('task_id', '=', row.id).execute()
    const numbered = lines.map((line, number) => ({ task_id: row.id, number, ...line }))
    for (let from = 0; from < numbered.length; from += ROWS_AT_ONCE)
      await db
        .insertInto('reinforce_lines')
        .values(numbered.slice(from, from + ROWS_AT_ONCE))
        .execute()
    const file = await this.makeFile(output)
    const done = await changeTask(deps.meta, row.id, ['reinforcing'], {
      ...{ state: 'success', stage: null, progress: 1, stages: JSON.stringify(this.stages) },
      ...{ report: JSON.stringify(report), output, output_size: size, result_file_id: file.id },
      ...{ note: '', note_detail: '', ended_at: deps.now() },
    })
    if (done) await updateHasFile(deps, [row.application_id])
    else if (file.isNew) await db.deleteFrom('app_files').where('id', '=', file.id).execute()
  }

  /** The result as an application file; an equal one that is there already stays. */
  private async makeFile(output: string): Promise<{ id: number; isNew: boolean }> {
    const { deps, row } = this
    const { db } = deps.meta
    const name = reinforcedName(row.file_name, row.kind)
    const { dataFolder, files } = deps
    const kept = await storePackage({ files, dataFolder }, await files.open(output), name)
    if (kept.icon) this.made.push(kept.icon)
    const source = await db
      .selectFrom('app_files')
      .select('type')
      .where('id', '=', row.file_id ?? 0)
      .executeTakeFirst()
    const inserted = await db
      .insertInto('app_files')
      .values({
        ...kept,
        ...{ protection: 'reinforced', packer: 'AppWarden', application_id: row.application_id, by_user: row.by_user },
        ...{ type: source?.type ?? '', baseline_id: null, uploaded_at: deps.now() },
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (inserted) return { id: inserted.id, isNew: true }
    const known = await db
      .selectFrom('app_files')
      .select('id')
      .where('sha256', '=', output)
      .where('application_id', 'is not distinct from', row.application_id)
      .executeTakeFirstOrThrow()
    return { id: known.id, isNew: false }
  }

  /** Notes where the work is; the row is written not more often than a screen asks. */
  private step({ stage, done, total, current }: Omit<ReinforceTaskStage, 'began_at'>): void {
    const { deps, row, stages } = this
    const now = deps.now()
    const last = stages.at(-1)
    if (last?.stage === stage) Object.assign(last, { done, total, current })
    else {
      if (last) Object.assign(last, { done: last.total, current: '' })
      stages.push({ stage, began_at: now, done, total, current })
    }
    if (last?.stage === stage && now - this.written < PROGRESS_MS) return
    this.written = now
    deps.meta.db
      .updateTable('reinforce_tasks')
      .set({
        stage,
        stages: JSON.stringify(stages),
        progress: progressAt(this.planned, stage, total ? done / total : 0),
      })
      .where('id', '=', row.id)
      .where('state', '=', 'reinforcing')
      .execute()
      .catch((error: unknown) => log.warn({ err: error }, 'progress of a reinforcement could not be written'))
  }
}

/** Of the ban, a line says what stays. */
const isChange = ({ outcome, option }: WrittenLine): boolean => outcome === 'applied' && option !== 'third_party_so_ban'

type Result = { output: string; size: number }

function progressAt(planned: readonly ReinforceStage[], stage: ReinforceStage, share: number): number {
  const sum = (stages: readonly ReinforceStage[]) => stages.reduce((total, one) => total + WEIGHTS[one], 0)
  const [before, all] = [sum(planned.slice(0, planned.indexOf(stage))), sum(planned)]
  return Math.min(0.99, (before + WEIGHTS[stage] * Math.min(1, share)) / all)
}

async function* inTurn(...streams: (AsyncIterable<Uint8Array> | Iterable<Uint8Array>)[]): AsyncGenerator<Uint8Array> {
  for (const stream of streams) yield* stream
}
