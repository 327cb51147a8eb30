import type { ZipEntry } from '../../zip/zip-facts.ts'
import type { HardenText } from '../harden-texts.ts'

/** A file that options choose. */
export interface PackageFile {
  readonly entry: ZipEntry
  /** What code opens it by: the path below assets, or the number of the resource in hexadecimal digits. */
  readonly name: string
  readonly kind: 'asset' | 'resource'
  /** Its content is that of a certificate, a key or a store of them. */
  readonly isKey: boolean
  readonly content: Uint8Array
}

export interface SkipReason {
  readonly text: HardenText
  readonly detail: string
}
/** Why a file stays as it is; undefined where only redirected calls read it. */
export type FileRule = (file: PackageFile) => SkipReason | undefined
