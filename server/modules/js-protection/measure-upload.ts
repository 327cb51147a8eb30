import { listFunctions } from '#engines/jsguard/list-functions.ts'
import { protectRead } from '#engines/jsguard/protect-script.ts'
import { pairFunctions } from '#engines/jsguard/protected-function.ts'
import { type ReadScript, readScript } from '#engines/jsguard/read-script.ts'
import { PRESETS } from '#engines/jsguard/script-options.ts'
import { ScriptRefused } from '#engines/jsguard/script-refused.ts'
import { strengthFor } from '#engines/jsguard/strength-options.ts'
import { openUpload, type UploadedScript } from './open-upload.ts'
import type { ScriptMessage, ScriptOrder } from './script-messages.ts'

/** Of an archive, this much of its code is protected with every preset; of one script all of it. */
const SAMPLE = { scripts: 8, tokens: 60_000 }
/** Scripts of an archive are read to see which are too large for a preset, for so long. */
const READING_MS = 15_000
const FUNCTIONS = 12
const SHOWN = 20_000

/** Protects a sample with each preset and says what that cost. The sample is what the upload holds itself, never another. */
export function measureUpload(
  bytes: Buffer,
  order: Extract<ScriptOrder, { task: 'measure' }>,
  say: (message: ScriptMessage) => void,
  now: () => number,
): void {
  const { scripts } = openUpload(bytes, order.name)
  const { sample, tokens } = chooseSample(scripts, now)
  const [first] = sample
  if (!first) throw readingProblem(scripts)
  say({
    sample: {
      names: sample.map(({ script }) => script.name.slice(0, 1000)),
      bytes: sum(sample.map(({ script }) => script.size)),
      scriptBytes: sum(scripts.map(({ size }) => size)),
      tokens,
      original: first.read.text.length <= order.codeBytes ? first.read.text : null,
    },
  })
  const functions = listFunctions(first.read.text, first.read.program, FUNCTIONS)
  for (const preset of PRESETS) {
    const begun = now()
    let size = 0
    let code: string | null = null
    let weakest: ReturnType<typeof strengthFor>
    const options = {
      ...order.options,
      preset,
      parts: {},
      sourceMap: true,
      timeLock: null,
      domainLock: [],
      selfDefending: false,
    }
    let pairs: ReturnType<typeof pairFunctions> = []
    for (const { script, read } of sample) {
      const strength = strengthFor(preset, read.tokens)
      if (!strength) throw new ScriptRefused('too-large', `${read.tokens} tokens`)
      const result = protectRead(read, strength, { name: script.name, options, seed: order.seed })
      size += Buffer.byteLength(result.code)
      if (read !== first.read) continue
      weakest = strength
      code = result.code
      if (result.map) pairs = pairFunctions(read.text, functions, result.code, result.map, script.name)
    }
    say({
      cost: {
        preset,
        strength: weakest ?? null,
        bytes: size,
        milliseconds: now() - begun,
        code: code !== null && code.length <= order.codeBytes ? code : null,
        functions: pairs.map((one) => ({
          name: one.name.slice(0, 500),
          line: one.line,
          file: first.script.name.slice(0, 1000),
          before: one.before.slice(0, SHOWN),
          after: one.after,
        })),
      },
    })
  }
}

type Sampled = { script: UploadedScript; read: ReadScript }

/** The largest scripts that fit the sample, and the tokens of all (null where reading all took too long). */
function chooseSample(scripts: readonly UploadedScript[], now: () => number) {
  const until = now() + READING_MS
  const tokens: number[] = []
  const readable: Sampled[] = []
  let isComplete = true
  /** Of scripts that are all too large for the sample. */
  let smallest: Sampled | undefined
  for (const script of scripts.toSorted((a, b) => b.size - a.size)) {
    if (now() > until) {
      isComplete = false
      break
    }
    try {
      const read = readScript(script.read(), script.name)
      tokens.push(read.tokens)
      // Trees of scripts that are not in the sample are not kept.
      if (scripts.length === 1 || (read.tokens <= SAMPLE.tokens && readable.length < SAMPLE.scripts))
        readable.push({ script, read })
      else if (readable.length === 0) smallest = { script, read }
    } catch {
      // It will keep its original and say why; it is no part of the sample.
    }
  }
  if (readable.length === 0 && smallest) readable.push(smallest)
  const sample: Sampled[] = []
  let taken = 0
  for (const one of readable) {
    if (sample.length > 0 && taken + one.read.tokens > SAMPLE.tokens) continue
    sample.push(one)
    taken += one.read.tokens
  }
  return { sample, tokens: isComplete ? tokens.slice(0, 20_000) : null }
}

/** No script could be read: the reason of the first. */
function readingProblem(scripts: readonly UploadedScript[]): Error {
  const [first] = scripts
  try {
    if (first) readScript(first.read(), first.name)
  } catch (error) {
    return error as Error
  }
  return new ScriptRefused('too-large', 'no script is small enough for a sample')
}

const sum = (values: readonly number[]) => values.reduce((total, one) => total + one, 0)
