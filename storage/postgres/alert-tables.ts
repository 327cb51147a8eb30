import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { AlertMeasure, AlertStep, Condition, RuleWindow } from '#domain/alerts.ts'
import type { ChannelNotice, StoredNotice } from '#domain/notifications.ts'
import type { Dimension, Filter } from '#domain/query.ts'
import type { Level } from '#domain/vocabulary.ts'

/** Tables of alerts (migration 0005). */
export type AlertTables = {
  alert_rules: {
    id: string
    name: string
    measure: AlertMeasure
    filters: JSONColumnType<Filter[]>
    by_field: Dimension | null
    time_window: RuleWindow
    condition: JSONColumnType<Condition>
    severity: Level
    cooldown_minutes: number
    enabled: boolean
    /** null: all applications. */
    apps: number[] | null
    channels: string[]
    version: number
    created_by: string
    updated_by: string
    updated_at: number
    deleted_at: number | null
  }
  /** How far each pass over a rule's windows has come: the end of the last window that it judged. */
  alert_progress: { rule_id: string; pass: number; upto: number }
  alerts: {
    id: string
    rule_id: string
    rule_name: string
    severity: Level
    apps: number[] | null
    measure: AlertMeasure
    /** Task of monitoring whose run raised it. */
    task_id: string | null
    by_field: Dimension | null
    key: string
    filters: JSONColumnType<Filter[]>
    window_ms: number
    cooldown_ms: number
    condition: JSONColumnType<Condition>
    value: number
    expected: number
    usual: number | null
    peak: number
    total: number
    first_end: number
    last_end: number
    raised_at: number
    resolved_at: number | null
    ack_at: number | null
    ack_by: string | null
    ack_note: string | null
    silenced: boolean
    late: boolean
    version: number
  }
  /** One row for each window that breached; the key prevents a second alert for the same window. */
  alert_windows: {
    rule_id: string
    window_end: number
    key: string
    alert_id: string
    value: number
    expected: number
  }
  alert_steps: {
    id: Generated<number>
    alert_id: string
    at: number
    step: AlertStep['step']
    by_user: string
    note: string
  }
  alert_silences: {
    id: string
    rule_id: string
    key: string | null
    until: number
    note: string
    by_user: string
    created_at: number
  }
  alert_channels: {
    id: string
    kind: 'webhook' | 'mail'
    name: string
    /** Encrypted (server/modules/alerts/channel-target.ts). */
    target: string
    enabled: boolean
    /** Number of the signing secret in force; rotation adds one. */
    turn: number
    /** The account that sees the target; null: no account is left, so only administrators manage it and nothing is sent. */
    owner_id: number | null
    /** Other users may put it into their rules. */
    shared: boolean
    /** Notifications of its owner that it sends too, by kind. */
    notices: Generated<ChannelNotice[]>
    created_by: string
    created_at: number
    deleted_at: number | null
  }
  alert_deliveries: {
    id: string
    channel_id: string
    /** Exactly one of the three is there. */
    alert_id: string | null
    environment_alert: Generated<string | null>
    notice: ColumnType<StoredNotice | null, string | null | undefined, string | null>
    /** A channel sends a notice of one key once. */
    notice_key: Generated<string | null>
    event: 'firing' | 'resolved' | 'notice'
    state: 'waiting' | 'sent' | 'failed'
    attempts: number
    next_at: number | null
    status: number | null
    answer: string
    created_at: number
    done_at: number | null
  }
}
