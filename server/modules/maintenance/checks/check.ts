import type { CheckId, FoundKey } from '#contracts/maintenance-checks.ts'
import type { RemoteEventStore } from '#storage/events/serve/connect-event-store.ts'
import type { FileStore } from '#storage/files/port.ts'
import type { DatabaseAddress, MetaStore } from '#storage/postgres/database.ts'
import type { Config } from '../../../config.ts'

/** What checks work on: the stores of a running installation. Locks of the stores are respected: their owners are asked. */
export type CheckDeps = {
  config: Pick<Config, 'paths' | 'dataFolder'>
  meta: MetaStore
  database: DatabaseAddress
  files: FileStore
  store: Pick<RemoteEventStore, 'status' | 'examine' | 'mend' | 'repair' | 'ready'>
  secret(name: string): Buffer
  /** Folders of finished backups, the newest first. */
  backups(): Promise<readonly string[]>
  now(): number
}

/** One damaged thing. */
export type Found = {
  /** What it is, in no language: a file, an index, a position. */
  name: string
  text: FoundKey
  params?: Record<string, string | number>
  /** It counts as so many; 1 where absent. */
  count?: number
  /** False: it is said and nothing can be done. */
  repairable: boolean
}

export type Check = {
  id: CheckId
  /** Looks and changes nothing. `checked`: how many things were looked at. Throws where it cannot look. */
  find(deps: CheckDeps, signal: AbortSignal): Promise<{ checked: number; found: Found[] }>
  /** Repairs one of what find() found. Throws Error with a reason. */
  repair(deps: CheckDeps, found: Found): Promise<void>
}
