import type { ResourceNote } from '../axml/resource-notes.ts'
import type { TypedValue } from '../axml/typed-value.ts'
import type { ResourceConfig } from './resource-config.ts'

/** Where an APK has its table. */
export const RESOURCES_ENTRY = 'resources.arsc'

/** A value of a resource for one configuration. */
export interface ResourceValue {
  readonly config: ResourceConfig
  /** Offset of the entry in the table. */
  readonly offset: number
  readonly key: number
  /** Undefined for what has parts: styles, arrays, plurals, attributes. */
  readonly value?: TypedValue
}

export interface NamedResource extends ResourceValue {
  readonly id: number
  /** `string/app_name`. */
  readonly name: string
  /** The entry of its table, where that is not `resources.arsc` of the package itself. */
  readonly entry?: string
}

/** The resources of a package, whatever form they have in it. */
export interface ResourceTable {
  /** All values of a resource, one for each configuration that has it; none for an unknown id. */
  valuesOf(id: number): readonly ResourceValue[]
  /** `string/app_name`, with the package's name before it where the table has several; undefined for an unknown id. */
  nameOf(id: number): string | undefined
  /** Every value in the table, in its order. */
  all(): Iterable<NamedResource>
  /** The languages that there are values for, '' for the default, sorted. */
  locales(): readonly string[]
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
