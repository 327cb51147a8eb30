import type { EventStore } from '../port.ts'

/** The calls of the store that cross to other processes as they are: one question, one answer. */
export const STORE_CALLS = [
  'answer',
  'answers',
  'links',
  'findKeys',
  'event',
  'findEvents',
  'count',
  'seed',
  'replay',
  'quarantined',
  'journalEnd',
  'dropJournal',
  'retain',
  'snapshot',
  'scores',
  'hits',
  'profile',
  'sessions',
  'contradictions',
  'contradicting',
  'erase',
  'exceptionGroups',
  'exceptionVersions',
  'exceptionSamples',
] as const satisfies readonly (keyof EventStore)[]
