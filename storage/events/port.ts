import type { ErrorKey, ErrorParams } from '#contracts/errors.ts'
import type { LevelCounts, MinuteBar } from '#contracts/live/messages.ts'
import type { QuarantinedEvent, StoredEvent } from '#contracts/telemetry/stored-event.ts'
import type { EventRow, Filter, Part, PartAnswer, Scope } from '#domain/query.ts'
import type { Span } from '#domain/time-range.ts'
import type { Links, LinksAsk } from '#domain/trail.ts'
import type { DeviceStore } from './device-port.ts'
import type { ExceptionStore } from './exception-port.ts'
import type { StoreQuery } from './store-query.ts'

export type { StoreQuery }

/**
 * The event store: rows of accepted events and of quarantine. Embedded: DuckDB in a process of its own; in a cluster: ClickHouse.
 * One conformance suite (tests/conformance/event-store.ts) holds for every adapter.
 */

/** A device or user whose hash starts and ends with the given digits, seen in an application of the scope. */
export type FoundKey = { kind: 'device' | 'user'; key: string; firstAt: number; apps: number[] }

/** Where each journal's rows end in the store. */
export type StorePositions = Record<string, number>

/** State from which a live aggregator continues at the store's position: everything by arrival, since the start of the platform's day. */
export type WallSeed = {
  positions: StorePositions
  eventsToday: number
  attacksToday: number
  blockedToday: number
  attacksYesterday: number
  levels: LevelCounts
  noPlace: number
  /** All keys with any attack today, by dimension. */
  counts: Record<
    'risk' | 'province' | 'city' | 'country' | 'app' | 'device' | 'version' | 'site',
    [key: string, count: number][]
  >
  /** Distinct users (32 hex digits) with an attack today. */
  attackedUsers: string[]
  /** Devices heard from (events of any type, imports excepted) in the last 5 minutes: key and last arrival. */
  online: [device: string, lastAt: number][]
  /** Attacks by level of each minute of the last 24 hours that has any. */
  minutes: MinuteBar[]
  /** Newest rows first, at most 20, imports excepted. */
  feed: EventRow[]
}

export type ReplayAnswer = {
  /** [second, critical, high, medium, low, info, blocked] of seconds with any attack. */
  seconds: [number, number, number, number, number, number, number][]
  sample: EventRow[]
  sampleOf: number
}

export type StoreStatus = {
  state: 'ok' | 'behind' | 'down'
  rows: number
  positions: StorePositions
  /** Newest arrival in the store, epoch ms, null when empty. */
  storedTo: number | null
  /** Accepted and durable, not yet stored. */
  backlogEvents: number
  lagSeconds: number
  bytes: number
  /** Why the store answers no queries; `state` is 'down' then. */
  problem?: StoreProblem
}

/**
 * `opening`: reads the file. `converting`: a new version converts the file's format (`progress` 0 to 1). `unavailable`: the system refuses
 * (no space, no rights); tried again every few seconds. `damaged`: the file or its log cannot be read; `appwarden repair` is needed.
 */
export type StoreProblem = {
  kind: 'opening' | 'converting' | 'unavailable' | 'damaged'
  /** One sentence in English for logs and operators. */
  detail: string
  /** Epoch ms. */
  since: number
  progress?: number
}

/** Why a part of a request has no answer. */
export type FailedPart = { kind: 'failed'; error: ErrorKey; params: ErrorParams }

export interface EventStore extends DeviceStore, ExceptionStore {
  /** Answers one part. Throws ProductError server.store_down while the store is away. */
  answer(query: StoreQuery, part: Part): Promise<PartAnswer>
  /**
   * Answers the parts of one request from the same rows, and asks once what several of them need; a part that fails does not spoil the
   * others. Throws as answer() does.
   */
  answers(query: StoreQuery, parts: Readonly<Record<string, Part>>): Promise<Record<string, PartAnswer | FailedPart>>
  /** What a device, user or address is linked with; bounded. Throws as answer() does. */
  links(query: StoreQuery, ask: LinksAsk): Promise<Links>
  /** Devices and users by the beginning and the end of their hash (up to 8 hex digits each), newest first, at most 20. */
  findKeys(head: string, tail: string, scope: Scope): Promise<FoundKey[]>
  /** One event, or undefined. */
  event(app: number, id: string): Promise<EventRow | undefined>
  /** Events with this id in the applications of the scope (each application has its own ids), newest first, at most 20. */
  findEvents(id: string, scope: Scope): Promise<EventRow[]>
  /** The whole filtered set in blocks, newest first, with flat memory: exports. */
  stream(query: StoreQuery, signal: AbortSignal): AsyncIterable<EventRow[]>
  /** How many rows stream() will give. */
  count(query: StoreQuery): Promise<number>
  seed(filters: readonly Filter[], scope: Scope, now: number, zone: string): Promise<WallSeed>
  replay(
    filters: readonly Filter[],
    scope: Scope,
    span: Span,
    zone: string,
    samplePerSecond: number,
  ): Promise<ReplayAnswer>
  quarantined(options: { scope: Scope; reason?: string; cursor?: string; limit: number }): Promise<{
    rows: QuarantinedEvent[]
    counts: { reason: string; count: number }[]
    nextCursor?: string
  }>
  status(): Promise<StoreStatus>
  /**
   * Durable end of the journal that the store follows, asked of its owner now: everything accepted before the call is before it. Throws
   * ProductError server.store_down while the store follows no journal or its owner is not reachable.
   */
  journalEnd(): Promise<StorePositions>
  /**
   * Removes what the journal still holds before these positions from disk, once it is stored. Resolves with whether it is gone by now: ask
   * again until it is. Throws as journalEnd() does.
   */
  dropJournal(before: StorePositions): Promise<boolean>
  /** Deletes rows that arrived before `before`, truncates addresses and raw payloads that arrived before `personalBefore`. */
  retain(before: number, personalBefore: number): Promise<{ deleted: number; truncated: number }>
  /**
   * Copies the store into the folder (events.duckdb and its log) as of now; writes wait meanwhile, queries do not. Answers the bytes copied.
   */
  snapshot(folder: string): Promise<{ bytes: number }>
  /** Bulk load past the journal, for tests and benchmarks: rows appear at once, dedup is the caller's business. */
  load(events: readonly StoredEvent[]): Promise<void>
  close(): Promise<void>
}
