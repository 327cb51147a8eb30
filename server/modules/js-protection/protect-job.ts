import { Readable } from 'node:stream'
import type { ErrorKey } from '#contracts/errors.ts'
import {
  type ScriptOptions as ChosenOptions,
  SCRIPT_REASONS,
  type ScriptOutcome,
  type ScriptReason,
} from '#contracts/http/js-protection.ts'
import type { ScriptOptions, Strength } from '#engines/jsguard/script-options.ts'
import { STRENGTHS } from '#engines/jsguard/script-options.ts'
import { log } from '#runtime/log.ts'
import type { FileStore } from '#storage/files/port.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Isolation, SandboxLimits } from '../../platform/sandbox/isolation.ts'
import { askScriptWorker } from './ask-script-worker.ts'
import { mapArchive } from './result-files.ts'
import type { DoneList, ScriptMessage } from './script-messages.ts'
import { changeScript, dropScriptFiles, type ScriptRow } from './script-rows.ts'

export type ScriptJobDeps = {
  meta: MetaStore
  files: FileStore
  isolation(): Promise<Isolation>
  now(): number
  limits?: Partial<SandboxLimits>
  /** One script may take so long with one strength; then it gets the next. */
  scriptSeconds?: number
}

const SCRIPT_SECONDS = 180
/** A worker may take so long to start and to read the upload. */
const START_MS = 90_000
/** What the results of one run may take of the memory of this process. */
const RESULT_BYTES = 256 * 2 ** 20
/** A row is written at most this often while it runs. */
const PROGRESS_MS = 500

/** Why a run did not end well. */
class Failed extends Error {
  readonly key: ErrorKey | ScriptReason
  constructor(key: ErrorKey | ScriptReason, detail = '') {
    super(detail)
    this.key = key
  }
}

/**
 * Protects one upload from its row to its result. Aborting `stop` means that somebody cancelled it; aborting `quit` (the process ends)
 * leaves the row as it is, and the next process begins again.
 */
export async function runProtection(
  deps: ScriptJobDeps,
  id: string,
  { stop, quit }: { stop: AbortSignal; quit: AbortSignal },
): Promise<void> {
  const { meta } = deps
  const row = await changeScript(meta, id, ['waiting', 'encrypting'], {
    state: 'encrypting',
    started_at: deps.now(),
    progress: 0,
    done: 0,
    current: '',
  })
  if (!row?.options) return
  try {
    const result = await protectRow(deps, row, row.options, AbortSignal.any([stop, quit]))
    if (!result) return // stopped, or this process ends
    await finish(deps, row, result)
  } catch (error) {
    if (stop.aborted || quit.aborted) return
    const failed = error instanceof Failed ? error : undefined
    if (!failed) log.error({ err: error }, `script ${id} failed`)
    await changeScript(meta, id, ['encrypting'], {
      state: 'failed',
      note: failed?.key ?? 'server.internal',
      note_detail: (error as Error).message.slice(0, 500),
      ...(error instanceof KeptAll && { outcomes: JSON.stringify(error.outcomes), kept: error.outcomes.length }),
      ended_at: deps.now(),
    })
  }
}

type Result = { outcomes: ScriptOutcome[]; codes: Map<number, Buffer>; maps: Map<string, string>; parts: Buffer[] }

/** Lets workers do one script after the other. A script over a limit gets the next strength, and without one keeps its original. */
async function protectRow(
  deps: ScriptJobDeps,
  row: ScriptRow,
  chosen: ChosenOptions,
  signal: AbortSignal,
): Promise<Result | undefined> {
  const isolation = await deps.isolation()
  const source = await deps.files.open(row.sha256).catch(() => {
    throw new Failed('data.missing')
  })
  const result: Result = { outcomes: [], codes: new Map(), maps: new Map(), parts: [] }
  const progress = progressWriter(deps, row)
  const options = engineOptions(chosen)
  let from = 0
  let below: Strength | null = null
  /** Why a script has less than was asked for. */
  let because: ScriptReason | null = null
  let kept = 0
  const full = new AbortController()
  for (;;) {
    let begun: { script: number; name: string; size: number; strength: Strength | null } | undefined
    let next: number | undefined
    let isDone = false
    let refused: { key: string; detail: string } | undefined
    result.parts = []
    const slow = new AbortController()
    let timer = setTimeout(() => slow.abort(), START_MS)
    const done: DoneList = [...result.codes].map(([script, code]) => [script, code.length])
    const list = Buffer.from(JSON.stringify(done))
    const onMessage = (message: ScriptMessage) => {
      clearTimeout(timer)
      timer = setTimeout(() => slow.abort(), seconds(deps))
      if ('begin' in message) {
        begun = message.begin
        progress(begun.script, begun.name)
      } else if ('protected' in message) {
        const { script, name, size, strength, milliseconds, evalLines, leftOut, code, map } = message.protected
        const bytes = Buffer.from(code)
        result.codes.set(script, bytes)
        kept += bytes.length + (map?.length ?? 0)
        if (kept > RESULT_BYTES) full.abort()
        if (map !== null) result.maps.set(name, map)
        const isLess = strength !== chosen.preset
        result.outcomes.push({
          ...{
            name,
            size,
            strength,
            milliseconds,
            line: 0,
            column: 0,
            detail: leftOut.join(', '),
            eval_lines: evalLines,
          },
          bytes: bytes.length,
          outcome: 'protected',
          reason: isLess ? (script === from && because ? because : 'size') : leftOut.length > 0 ? 'parts' : null,
        })
        begun = undefined
        progress(script + 1, '')
      } else if ('kept' in message) {
        const { script, name, size, milliseconds, refusal } = message.kept
        result.outcomes.push({
          ...{ name, size, bytes: size, outcome: 'kept', strength: null, milliseconds, eval_lines: [] },
          reason: asReason(refusal.key),
          line: refusal.line,
          column: refusal.column,
          detail: refusal.detail,
        })
        begun = undefined
        progress(script + 1, '')
      } else if ('pause' in message) next = message.pause.from
      else if ('part' in message) result.parts.push(Buffer.from(message.part, 'base64'))
      else if ('end' in message) isDone = true
      else if ('refused' in message) refused = message.refused
    }
    const end = await askScriptWorker({
      order: {
        task: 'protect',
        name: row.name,
        size: row.size,
        seed: row.seed,
        options,
        from,
        below,
        doneBytes: list.length,
      },
      input: inTurn(source, list, result.codes),
      isolation,
      limits: deps.limits ?? {},
      signal: AbortSignal.any([signal, slow.signal, full.signal]),
      onMessage,
    })
    clearTimeout(timer)
    if (signal.aborted) return undefined
    if (full.signal.aborted) throw new Failed('too-large', `${RESULT_BYTES / 2 ** 20} MB`)
    if (refused) throw new Failed('script.archive', refused.detail)
    if (end.ended === 'done' && isDone) return result
    if (end.ended === 'done' && next !== undefined) {
      ;[from, below, because] = [next, null, null]
      continue
    }
    if (!begun) throw new Failed('script.failed', whyNot(end))
    // It went over a limit with this script: the next strength, or its original.
    const reason: ScriptReason = slow.signal.aborted
      ? 'time'
      : end.ended === 'limit' && end.limit === 'memory'
        ? 'memory'
        : end.ended === 'limit'
          ? 'time'
          : 'crash'
    const { name, size, strength } = begun
    if (strength === null || strength === STRENGTHS.at(-1)) {
      result.outcomes.push({
        ...{ name, size, bytes: size, outcome: 'kept', strength: null, milliseconds: 0, eval_lines: [] },
        ...{ reason, line: 0, column: 0, detail: '' },
      })
      ;[from, below, because] = [begun.script + 1, null, null]
    } else [from, below, because] = [begun.script, strength, reason]
  }
}

/** Keeps the result; a cancel that came first wins, and nothing of the result stays. */
async function finish(deps: ScriptJobDeps, row: ScriptRow, result: Result): Promise<void> {
  const { meta, files } = deps
  const { outcomes } = result
  const kept = outcomes.filter(({ outcome }) => outcome === 'kept')
  const [first] = kept
  if (first && kept.length === outcomes.length) throw new KeptAll(first.reason ?? 'engine', place(first), outcomes)
  const body = row.kind === 'zip' ? result.parts : [...result.codes.values()]
  const output = await files.put(Readable.from(body, { objectMode: false }))
  const [map] = result.maps.values()
  const maps =
    map === undefined
      ? null
      : await files.put(row.kind === 'zip' ? mapArchive(result.maps, deps.now()) : Readable.from([Buffer.from(map)]))
  const done = await changeScript(meta, row.id, ['encrypting'], {
    state: 'encrypted',
    progress: 1,
    current: '',
    done: outcomes.length,
    stepped: outcomes.filter(({ outcome, reason }) => outcome === 'protected' && reason !== null).length,
    kept: kept.length,
    outcomes: JSON.stringify(outcomes),
    output: output.sha256,
    output_size: output.size,
    map: maps?.sha256 ?? null,
    note: '',
    note_detail: '',
    ended_at: deps.now(),
  })
  await dropScriptFiles(deps, done ? [row.output, row.map] : [output.sha256, maps?.sha256 ?? null])
}

/** Every script kept its original: there is no result. */
class KeptAll extends Failed {
  readonly outcomes: ScriptOutcome[]
  constructor(key: ScriptReason, detail: string, outcomes: ScriptOutcome[]) {
    super(key, detail)
    this.outcomes = outcomes
  }
}

function place({ name, line, column, detail }: ScriptOutcome): string {
  return `${name}${line > 0 ? ` ${line}:${column}` : ''}${detail ? ` ${detail}` : ''}`
}

function seconds({ scriptSeconds = SCRIPT_SECONDS }: ScriptJobDeps): number {
  return scriptSeconds * 1000
}

function whyNot(end: Awaited<ReturnType<typeof askScriptWorker>>): string {
  if (end.ended === 'limit') return end.limit
  return end.ended === 'crashed' ? end.detail.slice(0, 300) : end.ended
}

const asReason = (key: string): ScriptReason => (key in SCRIPT_REASONS ? (key as ScriptReason) : 'engine')

/** The options of the contract as the engine takes them. */
export function engineOptions(chosen: ChosenOptions): ScriptOptions {
  const { preset, parts, reserved_names, reserved_strings, source_map, domain_lock, self_defending, time_lock } = chosen
  return {
    preset,
    parts: parts as ScriptOptions['parts'],
    reservedNames: reserved_names,
    reservedStrings: reserved_strings,
    sourceMap: source_map,
    domainLock: domain_lock,
    selfDefending: self_defending,
    timeLock: time_lock,
  }
}

async function* inTurn(
  source: Awaited<ReturnType<FileStore['open']>>,
  list: Buffer,
  codes: ReadonlyMap<number, Buffer>,
): AsyncGenerator<Buffer> {
  yield* source.stream() as AsyncIterable<Buffer>
  yield list
  yield* codes.values()
}

/** Writes how far it is, not more often than a screen asks. */
function progressWriter({ meta, now }: ScriptJobDeps, { id, scripts }: ScriptRow) {
  let last = 0
  return (done: number, current: string) => {
    if (now() - last < PROGRESS_MS) return
    last = now()
    meta.db
      .updateTable('script_files')
      .set({
        progress: Math.min(1, done / Math.max(1, scripts)),
        done,
        ...(current && { current: current.slice(0, 300) }),
      })
      .where('id', '=', id)
      .where('state', '=', 'encrypting')
      .execute()
      .catch((error: unknown) => log.warn({ err: error }, 'progress of a script could not be written'))
  }
}
