import type { Contradiction, KnownBuilds } from '#domain/baseline.ts'
import type { EventRow, Filter, Scope } from '#domain/query.ts'
import type { Span } from '#domain/time-range.ts'
import type { StoreQuery } from './store-query.ts'

/** What the event store knows of single devices, of builds that contradict their baseline, and how it forgets them. */

export type RuleHit = { rule: string; count: number; points: number; lastAt: number }
export type ScoredDevice = { device: string; score: number; lastAt: number; hits: RuleHit[] }
/** The window of the score, by occurrence; scope and filters narrow which events count. */
export type ScoreRequest = KnownBuilds & {
  span: Span
  scope: Scope
  filters: readonly Filter[]
  zone: string
}
/** Scores below `from` are not listed; at least LEAST_LISTED. */
export type ScorePage = { from: number; limit: number; offset: number }
export const MIN_LISTED_SCORE = 20

type SeenCounts = { events: number; attacks: number; firstAt: number; lastAt: number }
export type DeviceProfile = SeenCounts & {
  model: string
  brand: string
  os: string
  platform: string
  network: string
  sdk: string
  crashes: number
  anrs: number
  exceptions: number
  country: string
  province: string
  city: string
  sessions: number
  apps: (SeenCounts & { app: string; version: string })[]
  /** One for each application, version and channel, with the build facts that were reported. */
  builds: (SeenCounts & {
    app: string
    version: string
    channel: string
    packages: string[]
    signers: string[]
    /** Lines `name=sha256`, sorted. */
    hashes: string[]
  })[]
  users: (SeenCounts & { user: string; devices: number })[]
  places: (SeenCounts & { country: string; province: string; city: string; lon: number | null; lat: number | null })[]
  addresses: (SeenCounts & { address: string })[]
  /** Model, system and SDK as they followed each other. */
  systems: (SeenCounts & { model: string; os: string; sdk: string })[]
  /** How many there are of each list; at most PROFILE_LINES of them are given. */
  counts: Record<'apps' | 'builds' | 'users' | 'places' | 'addresses' | 'systems', number>
}
export const PROFILE_LINES = 50

export type DeviceSession = {
  from: number
  to: number
  app: string
  version: string
  events: number
  attacks: number
  level: string
  country: string
  province: string
  city: string
  /** Types, and risks of attacks, in order; the first SESSION_STEPS. */
  steps: string[]
}
/** A session ends after this many minutes without events, and after this many hours at most. */
export const SESSION_GAP_MINUTES = 15
export const SESSION_CAP_HOURS = 4
export const SESSION_STEPS = 6

export type ContradictionRequest = KnownBuilds & {
  query: StoreQuery
  /** Any of these; empty: any at all. */
  kinds: readonly Contradiction[]
  /** SHA-256 of the certificate that the returns name, lower-case hex; without it: any. */
  signer?: string
}
export type ContradictionSummary = {
  total: number
  devices: number
  /** Reports of versions with and without a baseline. */
  compared: number
  withoutBaseline: number
  kinds: Record<Contradiction, number>
  versions: { app: string; version: string; count: number; devices: number }[]
  channels: { channel: string; count: number; devices: number }[]
  /** Where the returns came from; texts are '' where it is not known. */
  places: { country: string; province: string; count: number; devices: number }[]
  /** By day of the platform's zone, or by hour within two days. */
  bucket: 'hour' | 'day'
  points: { start: number; count: number }[]
}
export type ContradictionRow = { row: EventRow; kinds: Contradiction[] }

export type EraseRequest = { kind: 'device' | 'user'; subject: string; scope: Scope }
export type Erased = { events: number; quarantined: number }

export interface DeviceStore {
  /** Devices of the scope by score, highest first, and how many there are. */
  scores(ask: ScoreRequest, page: ScorePage): Promise<{ rows: ScoredDevice[]; total: number }>
  /** The hits of one device, the heaviest first: as scores() lists them, but of any device. */
  hits(ask: ScoreRequest, device: string): Promise<RuleHit[]>
  /** Everything about the rows of one device (a filter of the query); undefined when it has no rows. */
  profile(query: StoreQuery): Promise<DeviceProfile | undefined>
  sessions(
    query: StoreQuery,
    page: { attacked: boolean; limit: number; offset: number },
  ): Promise<{
    rows: DeviceSession[]
    total: number
  }>
  contradictions(ask: ContradictionRequest): Promise<ContradictionSummary>
  contradicting(
    ask: ContradictionRequest,
    page: { limit: number; cursor?: string },
  ): Promise<{ rows: ContradictionRow[]; nextCursor?: string }>
  /** Deletes the rows and quarantined events of one device or user within the scope, and the key itself once nothing has it. */
  erase(ask: EraseRequest): Promise<Erased>
}
