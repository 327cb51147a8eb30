import type { Generated, JSONColumnType } from 'kysely'
import type { ShownCertificate } from '#contracts/http/assets.ts'
import type { SIGNATURE_SCHEMES } from '#contracts/http/reinforce-policies.ts'
import type { SignatureFormat } from '#contracts/http/reinforce-signatures.ts'
import type {
  ReinforceReport,
  ReinforceStage,
  ReinforceState,
  ReinforceTaskStage,
} from '#contracts/http/reinforce-tasks.ts'
import type { ReinforceKind } from '#domain/reinforce-kinds.ts'
import type { ReinforceOption } from '#domain/reinforce-options.ts'
import type { ReinforceOptions } from '#domain/reinforce-policy.ts'

/** The report without what is made of its lines; notes are line numbers of keep rules that were not understood. */
export type StoredReport = Omit<ReinforceReport, 'options' | 'notes' | 'unused_signature'> & {
  options: Omit<ReinforceReport['options'][number], 'sums'>[]
  unread_rules: number[]
  /** Files of the signature that a bundle had; absent in reports of earlier versions. */
  dropped?: string[]
}

/** Tables of reinforcement (migrations 0063, 0064, 0068, 0069 and 0078). Times in epoch ms. */
export type ReinforceTables = {
  /** Key files that were uploaded and not opened yet; deleted after an hour. */
  signature_uploads: {
    id: string
    by_user: number
    name: string
    format: SignatureFormat
    size: number
    /** The file in base64, encrypted (server/platform/secrets.ts). */
    sealed: string
    /** Attempts to open it. */
    tries: number
    created_at: number
  }
  /** Key stores that open with the passwords kept beside them. */
  signature_files: {
    id: string
    /** null: of its owner alone. */
    application_id: number | null
    owner_id: number | null
    name: string
    file_name: string
    format: SignatureFormat
    size: number
    alias: string
    /** A SealedKey as JSON, encrypted. */
    sealed: string
    certificates: JSONColumnType<ShownCertificate[]>
    /** Of the key's own certificate. */
    sha256: string
    not_before: number
    not_after: number
    checked_at: number
    created_at: number
  }
  reinforce_policies: {
    id: string
    name: string
    general: boolean
    /** An application type, '' for none. */
    industry: string
    /** null: general, or of its owner alone. */
    application_id: number | null
    owner_id: number | null
    options: JSONColumnType<ReinforceOptions>
    keep_rules: string
    signature_id: string | null
    schemes: JSONColumnType<(typeof SIGNATURE_SCHEMES)[number][]>
    rev: number
    created_at: number
    updated_at: number
    updated_by: number | null
  } /** One package and one policy, as they were when somebody asked. */
  reinforce_tasks: {
    id: string
    /** null: of no application; who asked and those who see all see it. */
    application_id: number | null
    by_user: number | null
    file_id: number | null
    kind: ReinforceKind
    name: string
    file_name: string
    package_name: string
    version: string
    /** Of the package, in the file store as long as it is an application file. */
    sha256: string
    size: number
    state: ReinforceState
    stage: ReinforceStage | null
    stages: JSONColumnType<ReinforceTaskStage[]>
    progress: number
    policy_id: string | null
    policy_name: string
    policy_rev: number
    options: JSONColumnType<ReinforceOptions>
    keep_rules: string
    schemes: JSONColumnType<(typeof SIGNATURE_SCHEMES)[number][]>
    /** null: unsigned, or the signature file was deleted where `signature_name` is not empty. */
    signature_id: string | null
    signature_name: string
    /** Random bytes of the build in hex: equal ones give equal packages. */
    seed: string
    /** The result in the file store. */
    output: string | null
    output_size: number | null
    result_file_id: number | null
    report: JSONColumnType<StoredReport> | null
    /** Error key, and its detail. */
    note: string
    note_detail: string
    starts: number
    created_at: number
    started_at: number | null
    ended_at: number | null
  }
  /** A promotion channel of an application. */
  reinforce_channels: {
    id: Generated<number>
    application_id: number
    /** What the application reads of itself; of one application once. */
    key: string
    name: string
    group_name: string
    created_at: number
    updated_at: number
    updated_by: number | null
  }
  /** The package of a channel as it was last made of a file and verified. The package itself is not kept. */
  reinforce_channel_packages: {
    channel_id: number
    file_id: number
    place: 'block' | 'meta'
    size: number
    whole: boolean
    made_at: number
  }
  /** What an option did to a place of the package, or why not (HardenLine of engines/harden). */
  reinforce_lines: {
    task_id: string
    number: number
    option: ReinforceOption
    outcome: 'applied' | 'skipped' | 'absent'
    file: string
    place: string
    text: string
    detail: string
    count: number
  }
}
