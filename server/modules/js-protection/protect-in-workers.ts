import type { ErrorKey } from '#contracts/errors.ts'
import { SCRIPT_REASONS, type ScriptOutcome, type ScriptReason } from '#contracts/http/js-protection.ts'
import { type ScriptOptions, STRENGTHS, type Strength } from '#engines/jsguard/script-options.ts'
import type { Isolation, SandboxLimits } from '../../platform/sandbox/isolation.ts'
import { askScriptWorker } from './ask-script-worker.ts'
import type { DoneList, ScriptMessage } from './script-messages.ts'

/** One script may take so long with one strength. */
export const SCRIPT_SECONDS = 180
/** A worker may take so long to start and to read the upload. */
const START_MS = 90_000
/** What the results of one run may take of the memory of this process. */
const RESULT_BYTES = 256 * 2 ** 20

/** Why a run did not end well. */
export class ProtectionFailed extends Error {
  readonly key: ErrorKey | ScriptReason
  constructor(key: ErrorKey | ScriptReason, detail = '') {
    super(detail)
    this.key = key
  }
}

/** An upload to protect: one script, or an archive of scripts by its name. */
type ProtectionTask = {
  name: string
  size: number
  /** The bytes from the beginning; every worker reads them again. */
  input(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  options: ScriptOptions
  /** Equal seeds give equal output. */
  seed: number
  isolation: Isolation
  signal: AbortSignal
  limits?: Partial<SandboxLimits> | undefined
  /** SCRIPT_SECONDS where it is not given. */
  scriptSeconds?: number | undefined
  /** Scripts that are done, and the one that is worked on ('' between two). */
  onProgress?(done: number, current: string): void
}

/** Codes by number of the script, maps by its name; `parts` is the whole archive where the upload is one. */
export type ProtectionResult = {
  outcomes: ScriptOutcome[]
  codes: Map<number, Buffer>
  maps: Map<string, string>
  parts: Buffer[]
}

/**
 * Lets workers protect one script after the other. A script over a limit of time or memory gets the next strength, and without one keeps
 * its original. Answers undefined where `signal` was aborted; throws ProtectionFailed where there is no result.
 */
export async function protectInWorkers(task: ProtectionTask): Promise<ProtectionResult | undefined> {
  const { options, seed, isolation, signal, scriptSeconds = SCRIPT_SECONDS } = task
  const result: ProtectionResult = { outcomes: [], codes: new Map(), maps: new Map(), parts: [] }
  const progress = task.onProgress ?? (() => {})
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
      // The limit is that of a script: a worker that writes the archive or ends is not one that is slow with it.
      const isAtScript = 'begin' in message
      timer = setTimeout(
        () => slow.abort(),
        isAtScript ? scriptSeconds * 1000 : Math.max(START_MS, scriptSeconds * 1000),
      )
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
        const isLess = strength !== options.preset
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
      order: { task: 'protect', name: task.name, size: task.size, seed, options, from, below, doneBytes: list.length },
      input: inTurn(task.input(), list, result.codes),
      isolation,
      limits: task.limits ?? {},
      signal: AbortSignal.any([signal, slow.signal, full.signal]),
      onMessage,
    })
    clearTimeout(timer)
    if (signal.aborted) return undefined
    if (full.signal.aborted) throw new ProtectionFailed('too-large', `${RESULT_BYTES / 2 ** 20} MB`)
    if (refused) throw new ProtectionFailed('script.archive', refused.detail)
    if (end.ended === 'done' && isDone) return result
    if (end.ended === 'done' && next !== undefined) {
      ;[from, below, because] = [next, null, null]
      continue
    }
    if (!begun) throw new ProtectionFailed('script.failed', whyNot(end))
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

function whyNot(end: Awaited<ReturnType<typeof askScriptWorker>>): string {
  if (end.ended === 'limit') return end.limit
  return end.ended === 'crashed' ? end.detail.slice(0, 300) : end.ended
}

const asReason = (key: string): ScriptReason => (key in SCRIPT_REASONS ? (key as ScriptReason) : 'engine')

async function* inTurn(
  input: ReturnType<ProtectionTask['input']>,
  list: Buffer,
  codes: ReadonlyMap<number, Buffer>,
): AsyncGenerator<Uint8Array> {
  yield* input
  yield list
  yield* codes.values()
}
