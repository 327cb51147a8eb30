import type { ResourceNote } from '../axml/resource-notes.ts'
import type { StringPool } from '../axml/string-pool.ts'
import type { ResourceConfig } from './resource-config.ts'

/** The values of one type (`string`, `drawable` …) for one configuration. */
export interface TypeChunk {
  readonly config: ResourceConfig
  readonly offset: number
  /** End of the chunk. */
  readonly end: number
  readonly entryCount: number
  /** Where the offsets of the entries begin, and the entries. */
  readonly offsetsAt: number
  readonly entriesAt: number
  readonly sparse: boolean
  readonly shortOffsets: boolean
}

export interface ResourceType {
  readonly id: number
  readonly name: string
  readonly chunks: readonly TypeChunk[]
}

export interface ResourcePackage {
  readonly id: number
  readonly name: string
  readonly offset: number
  readonly types: ReadonlyMap<number, ResourceType>
  /** Names of entries. */
  readonly keys: StringPool
}

/** The outline of a resources.arsc; its entries are read when asked for. */
export interface ArscOutline {
  readonly bytes: Uint8Array
  readonly packages: readonly ResourcePackage[]
  /** All strings that are values; names are elsewhere. */
  readonly strings: StringPool
  /** Ids given while the platform was in development -> their final ones. */
  readonly stagedAliases: ReadonlyMap<number, number>
  readonly notes: readonly ResourceNote[]
}
