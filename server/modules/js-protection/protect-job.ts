import { Readable } from 'node:stream'
import type { ScriptOptions as ChosenOptions, ScriptOutcome, ScriptReason } from '#contracts/http/js-protection.ts'
import type { ScriptOptions } from '#engines/jsguard/script-options.ts'
import { log } from '#runtime/log.ts'
import type { FileStore } from '#storage/files/port.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { dropUnnamed } from '../../platform/file-references.ts'
import type { Isolation, SandboxLimits } from '../../platform/sandbox/isolation.ts'
import { ProtectionFailed, type ProtectionResult, protectInWorkers } from './protect-in-workers.ts'
import { mapArchive } from './result-files.ts'
import { changeScript, type ScriptRow } from './script-rows.ts'

export type ScriptJobDeps = {
  meta: MetaStore
  files: FileStore
  isolation(): Promise<Isolation>
  now(): number
  limits?: Partial<SandboxLimits>
  /** One script may take so long with one strength; then it gets the next. */
  scriptSeconds?: number
  /** Measuring ends after this, with what it has by then. */
  measureSeconds?: number
}

/** A row is written at most this often while it runs. */
const PROGRESS_MS = 500

/**
 * Protects one upload from its row to its result. Aborting `stop` means that a user cancelled it; aborting `quit` (the process ends)
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
    const source = await deps.files.open(row.sha256).catch(() => {
      throw new ProtectionFailed('data.missing')
    })
    const result = await protectInWorkers({
      name: row.name,
      size: row.size,
      input: () => source.stream() as AsyncIterable<Buffer>,
      options: engineOptions(row.options),
      seed: row.seed,
      isolation: await deps.isolation(),
      signal: AbortSignal.any([stop, quit]),
      limits: deps.limits,
      scriptSeconds: deps.scriptSeconds,
      onProgress: progressWriter(deps, row),
    })
    if (!result) return // stopped, or this process ends
    await finish(deps, row, result)
  } catch (error) {
    if (stop.aborted || quit.aborted) return
    const failed = error instanceof ProtectionFailed ? error : undefined
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

/** Keeps the result; a cancel that came first wins, and nothing of the result stays. */
async function finish(deps: ScriptJobDeps, row: ScriptRow, result: ProtectionResult): Promise<void> {
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
  await dropUnnamed(deps, done ? [row.output, row.map] : [output.sha256, maps?.sha256 ?? null])
}

/** Every script kept its original: there is no result. */
class KeptAll extends ProtectionFailed {
  readonly outcomes: ScriptOutcome[]
  constructor(key: ScriptReason, detail: string, outcomes: ScriptOutcome[]) {
    super(key, detail)
    this.outcomes = outcomes
  }
}

function place({ name, line, column, detail }: ScriptOutcome): string {
  return `${name}${line > 0 ? ` ${line}:${column}` : ''}${detail ? ` ${detail}` : ''}`
}

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
