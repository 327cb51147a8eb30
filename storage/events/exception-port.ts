import type { EventRow, Scope } from '#domain/query.ts'
import type { StoreQuery } from './store-query.ts'

/** Groups of failures in the event store. A group is what its fingerprint maps to once a symbol mapping is known. */

/** Fingerprint as stored, and the group that it belongs to; fingerprints that are not listed are groups of their own. */
export type Alias = readonly [fingerprint: string, group: string]

export type ExceptionGroupRow = {
  app: number
  /** 16 hex digits; '' for failures that reported neither stack nor reason. */
  group: string
  events: number
  devices: number
  users: number
  versions: string[]
  firstAt: number
  lastAt: number
  /** Over all that is stored, not only the query's span. */
  ever: { firstAt: number; lastAt: number; firstVersion: string; lastVersion: string; events: number }
}

export type ExceptionVersion = { group: string; version: string; events: number; firstAt: number; lastAt: number }

export interface ExceptionStore {
  /** The groups of the query's events, most frequent first, at most EXCEPTION_GROUPS. The query's filters name the event types. */
  exceptionGroups(query: StoreQuery, aliases: readonly Alias[]): Promise<ExceptionGroupRow[]>
  /** In which versions these fingerprints were ever seen, by group; by occurrence, from `since` on. */
  exceptionVersions(
    scope: Scope,
    fingerprints: readonly string[],
    aliases: readonly Alias[],
    since: number,
  ): Promise<ExceptionVersion[]>
  /** The newest event of each of these fingerprints. */
  exceptionSamples(scope: Scope, fingerprints: readonly string[]): Promise<EventRow[]>
}
export const EXCEPTION_GROUPS = 5000
