import type { UpdatePackageAnswer, UpdateProblem } from '#contracts/http/updates.ts'

/** What update-worker does, one task a process: reading a package takes a moment and much memory. */
export type UpdateTask =
  /** Signature, manifest, versions and formats against the running version; changes nothing. */
  | { task: 'check'; file: string; version: string; keys: string[]; externalDatabase: boolean }
  /** Puts the files of the package into the folder, each with its hash compared, flushed to disk. */
  | { task: 'unpack'; file: string; folder: string; keys: string[] }
  /** Undoes the migrations that are not kept, with the code of the release that this program belongs to. */
  | { task: 'migrate-back'; address: object; kept: string[] }
  /** What the release needs of the data folder: `npm run package` asks. */
  | { task: 'formats' }

export type PackageFacts = Pick<UpdatePackageAnswer, 'problem' | 'facts' | 'signer' | 'migrations'>
export type UpdateTaskAnswer =
  | { check: PackageFacts }
  | { done: string }
  | { formats: object }
  | { failed: UpdateProblem; detail: string }
