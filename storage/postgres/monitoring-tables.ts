import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { MarketConnector, MarketKind, MarketProblemKey, MarketRegion } from '#contracts/http/monitoring/markets.ts'
import type { TakedownState, TakedownWay } from '#contracts/http/monitoring/takedowns.ts'
import type { MonitorSchedule, MonitorState, Verdict } from '#contracts/http/monitoring/tasks.ts'

/** Tables of channel monitoring. */
export type MonitoringTables = {
  /** Own markets, and other connectors for built-in ones. */
  monitor_markets: {
    id: string
    built_in: boolean
    name_zh: string
    name_en: string
    kind: MarketKind
    region: MarketRegion
    home: string
    hosts: string[]
    interval_ms: number
    connector: JSONColumnType<MarketConnector>
    enabled: boolean
    /** Its connector had a good trial. */
    tried: Generated<boolean>
    by_user: number | null
    updated_at: number
  }
  monitor_tasks: {
    id: string
    application_id: number
    by_user: number | null
    keywords: string[]
    /** Kinds and ids of markets; both empty: all. */
    kinds: string[]
    markets: string[]
    schedule: MonitorSchedule
    state: MonitorState
    note: string
    run: number
    starts: number
    created_at: number
    /** Of the newest run; null while it waits. */
    started_at: number | null
    ended_at: number | null
    next_at: number | null
  }
  monitor_runs: {
    task_id: string
    run: number
    started_at: number
    ended_at: number | null
    /** When the alert rules were judged for it; null: what it found counts for the next run. */
    judged_at: Generated<number | null>
    asked: number
    unasked: number
    pirated: number
    fresh: number
    gone: number
  }
  /** The newest answer of each market to a task. */
  monitor_asks: {
    task_id: string
    market: string
    run: number
    state: 'waiting' | 'asked' | 'unasked'
    problem: MarketProblemKey | ''
    detail: string
    pages: number
    items: number
    asked_at: number | null
    /** Entries that people look at, of a market that names no files. */
    leads: ColumnType<{ name: string; page: string }[], string | undefined, string>
  }
  monitor_copies: {
    id: string
    task_id: string
    /** Name in the file store, and of its print. */
    sha256: string
    size: number
    label: string
    package_name: string
    version: string
    version_code: string
    /** SHA-256 of all that sign it, sorted. */
    certificates: string[]
    verdict: Verdict
    confidence: number
    /** A CopyJudgement of engines/similarity. */
    judgement: JSONColumnType<object>
    manual_verdict: Verdict | null
    manual_reason: string
    manual_by: number | null
    manual_at: number | null
    /** Run in which it was no longer offered by any market; null while that is not known. */
    gone_run: number | null
    first_run: number
    first_seen: number
    last_seen: number
  }
  /** What a market offers. */
  monitor_listings: {
    id: Generated<number>
    task_id: string
    market: string
    download: string
    page: string
    name: string
    package_name: string
    version: string
    developer: string
    downloads: number | null
    etag: string
    sha256: string | null
    problem: string
    first_seen: number
    last_seen: number
    last_run: number
  }
  /** One letter's request about a copy to a market. */
  monitor_takedowns: {
    id: string
    task_id: string
    copy_id: string
    market: string
    state: TakedownState
    created_at: number
    changed_at: number
  }
  monitor_takedown_steps: {
    id: Generated<number>
    takedown_id: string
    state: TakedownState
    /** As a person says, or when the run ended. */
    at: number
    by_user: number | null
    /** The run that found it; null: a person says so. */
    run: number | null
    way: TakedownWay | null
    note: string
  }
  package_prints: {
    sha256: string
    format: number
    /** A PackagePrint of engines/similarity; null: the package cannot be read, for the reason in `problem`. */
    print: JSONColumnType<object> | null
    problem: string
    made_at: number
  }
}
