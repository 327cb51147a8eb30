import type { ScriptCost, ScriptFunction, ScriptMeasure } from '#contracts/http/js-protection.ts'
import { SCRIPT_OPTIONS } from '#engines/jsguard/script-options.ts'
import { strengthFor } from '#engines/jsguard/strength-options.ts'
import { log } from '#runtime/log.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { askScriptWorker } from './ask-script-worker.ts'
import type { ScriptJobDeps } from './protect-job.ts'
import type { RunOrder, ScriptMessage } from './script-messages.ts'

/** Measuring ends after this, with what it has by then. */
const MEASURE_SECONDS = 150
const RUN_SECONDS = 60
/** A script above this is not run on trial: its world would be. */
const RUN_BYTES = 8 * 2 ** 20
/** Of a function, what a screen shows. */
const SHOWN = 2400

export const NOTHING_MEASURED: Omit<ScriptMeasure, 'state'> = {
  sample: [],
  sample_bytes: 0,
  script_bytes: 0,
  costs: [],
  runs: 0,
  untimed: '',
  note: '',
}

/**
 * Measures what each preset costs this upload: the size of a sample of its own code, the time that took, and how much slower the first
 * script of the sample runs. Every figure is stored as soon as it is there.
 */
export async function runMeasure(
  deps: ScriptJobDeps,
  measureId: string,
  { stop, quit }: { stop: AbortSignal; quit: AbortSignal },
): Promise<void> {
  const { db } = deps.meta
  const row = await db
    .updateTable('script_files')
    .set({ measure_state: 'running', measure: JSON.stringify(NOTHING_MEASURED), functions: '[]' })
    .where('measure_id', '=', measureId)
    .where('measure_state', 'in', ['waiting', 'running'])
    .returningAll()
    .executeTakeFirst()
  if (!row) return
  const signal = AbortSignal.any([stop, quit])
  const save = saver(deps.meta, measureId)
  const measure = { ...NOTHING_MEASURED }
  const functions = new Map<string, ScriptFunction>()
  const codes: Record<string, string> = {}
  let tokens: readonly number[] | null = null
  let original: string | null = null
  const onMessage = (message: ScriptMessage) => {
    if ('sample' in message) {
      measure.sample = message.sample.names
      measure.sample_bytes = message.sample.bytes
      measure.script_bytes = message.sample.scriptBytes
      tokens = message.sample.tokens
      original = message.sample.original
    } else if ('cost' in message) {
      const { preset, strength, bytes, milliseconds, code, functions: pairs } = message.cost
      if (code !== null) codes[preset] = code
      const share = measure.script_bytes / Math.max(1, measure.sample_bytes)
      const cost: ScriptCost = {
        ...{ preset, strength, trial: null },
        size_factor: measure.sample_bytes > 0 ? bytes / measure.sample_bytes : null,
        seconds: (milliseconds / 1000) * share,
        steps: tokens ? tokens.filter((one) => strengthFor(preset, one) !== preset).length : null,
      }
      measure.costs = [...measure.costs, cost]
      for (const { name, line, file, before, after } of pairs) {
        const one = functions.get(`${name} ${line}`) ?? { name, line, file, before: before.slice(0, SHOWN), after: {} }
        one.after[preset] = after === null ? null : { code: after.slice(0, SHOWN), size: Buffer.byteLength(after) }
        functions.set(`${name} ${line}`, one)
      }
    } else if ('refused' in message) measure.note = `${message.refused.key} ${message.refused.detail}`
    void save(measure, [...functions.values()])
  }
  try {
    const isolation = await deps.isolation()
    const source = await deps.files.open(row.sha256)
    const order = { task: 'measure', options: SCRIPT_OPTIONS, seed: row.seed, codeBytes: RUN_BYTES } as const
    const end = await askScriptWorker({
      order: { ...order, name: row.name, size: row.size },
      input: source.stream() as AsyncIterable<Buffer>,
      isolation,
      limits: { ...deps.limits, wallSeconds: deps.measureSeconds ?? MEASURE_SECONDS },
      signal,
      onMessage,
    })
    if (signal.aborted) return
    if (end.ended !== 'done' && measure.costs.length === 0)
      measure.note = end.ended !== 'limit' ? 'crash ' : end.limit === 'memory' ? 'memory ' : 'time '
    // The upload is executed: only where the worker has neither network nor our user.
    if (isolation.missing.some((one) => /network|user/.test(one))) measure.untimed = 'isolation'
    else if (original !== null && Object.keys(codes).length > 0)
      await timeScripts({ name: measure.sample[0] ?? row.name, original, protected: codes })
    await save(measure, [...functions.values()], measure.costs.length > 0 ? 'done' : 'failed')
  } catch (error) {
    if (signal.aborted) return
    log.error({ err: error }, `measuring ${row.name} failed`)
    await save({ ...measure, note: 'crash ' }, [...functions.values()], 'failed')
  }

  async function timeScripts(run: RunOrder): Promise<void> {
    const input = Buffer.from(JSON.stringify(run))
    const end = await askScriptWorker({
      order: { task: 'run', name: run.name, size: input.length },
      input: [input],
      isolation: await deps.isolation(),
      limits: { memoryMb: 2048, cpuSeconds: RUN_SECONDS, wallSeconds: RUN_SECONDS, openFiles: 64 },
      signal,
      onMessage(message) {
        if (!('run' in message)) return
        const { runs, untimed, trials } = message.run
        measure.runs = runs
        measure.untimed = untimed
        measure.costs = measure.costs.map((cost) => ({ ...cost, trial: trials[cost.preset] ?? null }))
      },
    })
    if (measure.runs === 0 && measure.untimed === '')
      measure.untimed = end.ended === 'limit' && end.limit !== 'memory' ? 'time' : 'error'
  }
}

/** Writes what is known so far, one after the other, until it is stopped. */
function saver({ db }: MetaStore, measureId: string) {
  let writing: Promise<unknown> = Promise.resolve()
  return (
    measure: Omit<ScriptMeasure, 'state'>,
    functions: readonly ScriptFunction[],
    state: ScriptMeasure['state'] = 'running',
  ): Promise<unknown> => {
    const set = { measure_state: state, measure: JSON.stringify(measure), functions: JSON.stringify(functions) }
    writing = writing
      .then(() =>
        db
          .updateTable('script_files')
          .set(set)
          .where('measure_id', '=', measureId)
          .where('measure_state', '=', 'running')
          .execute(),
      )
      .catch((error: unknown) => log.warn({ err: error }, 'what was measured could not be written'))
    return writing
  }
}
