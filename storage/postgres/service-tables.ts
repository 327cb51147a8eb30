import type { Generated, GeneratedAlways } from 'kysely'
import type { ServiceKind, ServiceMove, ServiceSide, ServiceState, ServiceUrgency } from '#domain/service-requests.ts'

/** Tables of the security service. */
export type ServiceTables = {
  service_requests: {
    /** The n of SV-n. */
    id: GeneratedAlways<number>
    subject: string
    kind: ServiceKind
    urgency: ServiceUrgency
    state: ServiceState
    application_id: number | null
    task_id: string | null
    author_id: number | null
    /** Name of the account, which outlives it. */
    author: string
    handler: Generated<string>
    /** Of the author: mails to the author are written in it. */
    language: 'zh' | 'en'
    /** Grows with every change of state. */
    version: Generated<number>
    created_at: number
    updated_at: number
    reply_due: number
    solve_due: number
    first_reply_at: number | null
    waiting_since: number | null
    solved_at: number | null
    closed_at: number | null
  }
  service_entries: {
    id: GeneratedAlways<number>
    request_id: number
    at: number
    by_user: number | null
    author: string
    side: ServiceSide
    text: string
    move: ServiceMove | 'create' | null
    state: ServiceState
    urgency: ServiceUrgency | null
  }
  /** Without request: uploaded and not sent. `sha256`: name in the file store, null once it was deleted. */
  service_attachments: {
    id: string
    request_id: number | null
    entry_id: number | null
    by_user: number | null
    name: string
    size: number
    /** SHA-256 of what was uploaded. The store has other bytes before it (store-attachment.ts). */
    digest: string
    sha256: string | null
    created_at: number
  }
  service_mails: {
    id: string
    request_id: number
    addresses: string[]
    subject: string
    text: string
    state: 'waiting' | 'sent' | 'failed'
    attempts: Generated<number>
    next_at: number | null
    answer: Generated<string>
    created_at: number
    sent_at: number | null
  }
}
