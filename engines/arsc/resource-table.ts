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

/** A resource table; its entries are read when asked for (`resourceValues`, `allResources`, `resolveResource`). */
export interface ResourceTable {
  readonly bytes: Uint8Array
  readonly packages: readonly ResourcePackage[]
  /** All strings that are values; names stand elsewhere. */
  readonly strings: StringPool
  /** Ids given while the platform was in development -> their final ones. */
  readonly stagedAliases: ReadonlyMap<number, number>
  readonly notes: readonly ResourceNote[]
}

/** Limits of one table: above them FormatError `limit` is thrown. */
export interface ArscLimits {
  readonly packages: number
  /** Pairs of type and configuration. */
  readonly typeChunks: number
  /** Configurations of one type: each look-up goes through all of them. */
  readonly configs: number
  /** References followed from one to the next. */
  readonly referenceDepth: number
}

export const ARSC_LIMITS: ArscLimits = { packages: 256, typeChunks: 20_000, configs: 2_000, referenceDepth: 20 }
