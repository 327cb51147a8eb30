import type { Generated, JSONColumnType } from 'kysely'
import type { SCHEDULE_FORMATS, SCHEDULE_KINDS, SCHEDULE_RANGES } from '#contracts/http/reports/schedules.ts'
import type { ReportReader } from '#contracts/http/reports/task-reports.ts'

/** What a schedule writes of each of these applications. Schedules of before there was a choice have neither `of` nor `range`. */
export type ScheduleWhat = {
  of?: (typeof SCHEDULE_KINDS)[number]
  range?: (typeof SCHEDULE_RANGES)[number]
  apps: number[]
  format: (typeof SCHEDULE_FORMATS)[number]
  reader: ReportReader
  language: 'zh' | 'en'
}
/** `problem`: a key of ERRORS, or ''. */
export type ScheduleResult = { at: number; reports: number; problem: string }

/** Reports on their way out of the platform. */
export type ReportTables = {
  report_schedules: {
    id: string
    user_id: number
    name: string
    cron: string
    zone: string
    /** ScheduleWhat */
    what: JSONColumnType<object>
    addresses: string[]
    enabled: boolean
    /** A key of SCHEDULE_PAUSES (contracts/http/reports/schedules.ts), where it paused by itself. */
    pause: string | null
    next_at: number | null
    /** ScheduleResult[], newest first. */
    results: JSONColumnType<object>
    created_at: number
  }
  report_shares: {
    id: string
    job_id: string
    user_id: number
    /** SHA-256 (hex) of the token. */
    hash: string
    /** '' without a password. */
    password_hash: Generated<string>
    wrong_passwords: Generated<number>
    opens: Generated<number>
    created_at: number
    expires_at: number
    last_opened_at: number | null
    revoked_at: number | null
  }
  report_mails: {
    id: string
    job_id: string
    user_id: number
    addresses: string[]
    language: string
    /** A key of MAIL_STATES (contracts/http/reports/sharing.ts). */
    state: string
    attempts: Generated<number>
    answer: Generated<string>
    created_at: number
    next_at: number | null
    sent_at: number | null
  }
}
