import type { Generated } from 'kysely'

/** Tables of compliance: sensitive words, the self-check, privacy policies. */
export type ComplianceTables = {
  /** Lists of words; built-in ones stay and can be switched off. */
  sensitive_groups: {
    id: string
    name: string
    /** Of built-in ones; '' of own ones. */
    name_en: string
    note: string
    enabled: boolean
    built_in: boolean
    rev: number
    by_user: number | null
    updated_at: number
  }
  sensitive_words: { group_id: string; word: string; by_user: number | null; added_at: number }
  /** The current answer, one for each question and application. */
  self_check_answers: {
    application_id: number
    item: string
    value: 'yes' | 'no' | 'na'
    note: string
    rev: number
    by_user: number | null
    at: number
  }
  privacy_policies: {
    application_id: number
    name: string
    content: string
    sha256: string
    rev: number
    by_user: number | null
    updated_at: number
  }
  self_check_history: {
    id: Generated<number>
    application_id: number
    item: string
    /** null: taken back. */
    value: 'yes' | 'no' | 'na' | null
    note: string
    by_user: number | null
    at: number
  }
}
