import type { JSONColumnType } from 'kysely'
import type {
  ScriptFunction,
  ScriptMeasure,
  ScriptOptions,
  ScriptOutcome,
  ScriptState,
} from '#contracts/http/js-protection.ts'

/** Tables of JS protection. */
export type ScriptTables = {
  /** One uploaded script or archive of scripts. */
  script_files: {
    id: string
    /** What the queue of measuring calls it: measuring and protecting are stopped apart. */
    measure_id: string
    /** null: of no application; its uploader and those who see all see it. */
    application_id: number | null
    by_user: number | null
    /** Who asked for the last run. */
    operator_id: number | null
    name: string
    kind: 'js' | 'zip'
    size: number
    /** Of the original, in the file store. */
    sha256: string
    files: number
    scripts: number
    state: ScriptState
    options: JSONColumnType<ScriptOptions> | null
    /** Of the obfuscator: equal seeds give equal results. */
    seed: number
    progress: number
    current: string
    done: number
    stepped: number
    kept: number
    outcomes: JSONColumnType<ScriptOutcome[]>
    /** Results in the file store. */
    output: string | null
    output_size: number | null
    map: string | null
    /** Error key, and its detail. */
    note: string
    note_detail: string
    measure_state: ScriptMeasure['state']
    measure: JSONColumnType<Omit<ScriptMeasure, 'state'>>
    functions: JSONColumnType<ScriptFunction[]>
    starts: number
    created_at: number
    started_at: number | null
    ended_at: number | null
  }
}
