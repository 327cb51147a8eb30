import type { Generated, JSONColumnType } from 'kysely'
import type { NotificationKind, NotificationState } from '#domain/notifications.ts'

/** Tables of the notification centre. */
export type NotificationTables = {
  notifications: {
    id: Generated<number>
    user_id: number
    kind: NotificationKind
    /** What it is about: an account gets one notification of a thing. */
    key: string
    state: NotificationState
    title: JSONColumnType<{ zh: string; en: string }>
    note: JSONColumnType<{ zh: string; en: string }>
    path: string
    created_at: number
    read_at: number | null
  }
  /** Accounts that chose something; all others have every kind and no mail. */
  notification_settings: {
    user_id: number
    muted: NotificationKind[]
    mailed: NotificationKind[]
    digest_minute: number | null
    zone: string
    /** Language of the digest. */
    language: 'zh' | 'en'
    /** The due time up to which digests were dealt with. */
    digest_until: number
    sent_at: number | null
    error: Generated<string>
  }
}
