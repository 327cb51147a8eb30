import type { auditEntry, auditState } from '#contracts/http/audit-log.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'

export type EntryDetail = ResponseOf<typeof auditEntry>['data']
export type LogState = ResponseOf<typeof auditState>['data']
