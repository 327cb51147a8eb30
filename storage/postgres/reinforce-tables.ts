import type { JSONColumnType } from 'kysely'
import type { ShownCertificate } from '#contracts/http/assets.ts'
import type { SIGNATURE_SCHEMES } from '#contracts/http/reinforce-policies.ts'
import type { SignatureFormat } from '#contracts/http/reinforce-signatures.ts'
import type { ReinforceOptions } from '#domain/reinforce-policy.ts'

/** Tables of reinforcement (migrations 0063 and 0064). Times in epoch ms. */
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
  }
}
