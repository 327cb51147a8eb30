import { z } from 'zod'
import type { ScriptOptions } from '#engines/jsguard/script-options.ts'
import { PARTS, STRENGTHS, type Strength } from '#engines/jsguard/script-options.ts'

/** What a script worker is asked; the bytes of the upload come by its standard input. */
export type ScriptOrder = { name: string; size: number } & (
  | { task: 'look' }
  | { task: 'measure'; seed: number; options: ScriptOptions; codeBytes: number }
  /** `size` bytes of a RunOrder as JSON. */
  | { task: 'run' }
  | {
      task: 'protect'
      seed: number
      options: ScriptOptions
      /** Number of the script to go on with, and the strength that it went over the limits with. */
      from: number
      below: Strength | null
      /** Bytes of a DoneList as JSON, which follows the upload; the codes that it names follow that. */
      doneBytes: number
    }
)
/** Results of earlier workers: number of the script and bytes of its code. Too long for an argument. */
export type DoneList = readonly (readonly [script: number, bytes: number])[]
/** What the trial run compares: the original and its protected forms. */
export type RunOrder = { name: string; original: string; protected: Readonly<Record<string, string>> }

const strength = z.enum(STRENGTHS)
const text = z.string().max(2000)
/** A script of the largest size at the strength that adds most. */
const code = z.string()
const count = z.int().min(0)

const RefusalSchema = z.strictObject({ key: z.string().max(40), line: count, column: count, detail: text })

const functionPair = z.strictObject({
  name: z.string().max(500),
  line: count,
  file: text,
  before: z.string().max(20_000),
  after: z.string().nullable(),
})

/** What a worker says, one line of JSON a message. Hostile bytes have a say in all of it, so it is checked. */
export const ScriptMessageSchema = z.union([
  /** The upload as a whole cannot be used. */
  z.strictObject({ refused: z.strictObject({ key: z.string().max(40), detail: text }) }),
  z.strictObject({ look: z.strictObject({ kind: z.enum(['js', 'zip']), files: count, scripts: count }) }),
  // ---- measuring
  z.strictObject({
    sample: z.strictObject({
      names: z.array(text).max(20),
      bytes: count,
      scriptBytes: count,
      tokens: z.array(count).nullable(),
      /** The first of them. */
      original: code.nullable(),
    }),
  }),
  z.strictObject({
    cost: z.strictObject({
      preset: z.enum(['low', 'medium', 'high']),
      strength: strength.nullable(),
      bytes: count,
      milliseconds: z.number().min(0),
      /** Of the first script of the sample. */
      code: code.nullable(),
      functions: z.array(functionPair).max(20),
    }),
  }),
  z.strictObject({
    run: z.strictObject({
      runs: count,
      untimed: z.enum(['', 'browser', 'short', 'time', 'await', 'error']),
      trials: z.record(
        z.string().max(10),
        z.strictObject({ slowdown: z.number().min(0).nullable(), same: count, calls: count }),
      ),
    }),
  }),
  // ---- protecting
  /** `strength` is null while the script is read. */
  z.strictObject({ begin: z.strictObject({ script: count, name: text, size: count, strength: strength.nullable() }) }),
  z.strictObject({
    protected: z.strictObject({
      script: count,
      name: text,
      size: count,
      strength,
      milliseconds: z.number().min(0),
      evalLines: z.array(count).max(50),
      leftOut: z.array(z.enum(PARTS)).max(10),
      code,
      map: code.nullable(),
    }),
  }),
  z.strictObject({
    kept: z.strictObject({
      script: count,
      name: text,
      size: count,
      milliseconds: z.number().min(0),
      refusal: RefusalSchema,
    }),
  }),
  /** It has used its share of the processor; another one goes on. */
  z.strictObject({ pause: z.strictObject({ from: count }) }),
  /** The result in base64, piece by piece, then its end. */
  z.strictObject({ part: z.string() }),
  z.strictObject({ end: z.strictObject({ bytes: count }) }),
])
export type ScriptMessage = z.infer<typeof ScriptMessageSchema>
