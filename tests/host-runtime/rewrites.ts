import { methodsOf } from '#engines/dex-edit/dex-model.ts'
import { editCode } from '#engines/dex-edit/edit-code.ts'
import { readDexModels } from '#engines/dex-edit/read-dex-model.ts'
import { writeDexFiles } from '#engines/dex-edit/write-dex.ts'
import { type DexChanges, hardenDex } from '#tests/support/harden-dex.ts'

/** Something that makes other dex files of those of an application, after which its programs must do the same. */
export interface Rewrite {
  readonly name: string
  readonly rewrite: (dexFiles: readonly Uint8Array[]) => readonly Uint8Array[]
  /** The log calls are removed. */
  readonly withoutLog?: boolean
}

const LOGS = ['v', 'd', 'i', 'w', 'e'] as const
const ALL: DexChanges = { texts: true, predicates: true, debug: true, logs: LOGS }

/** What the writer and the options that change code make of dex files: each alone, and all together. */
export const REWRITES: readonly Rewrite[] = [
  { name: 'written without a change', rewrite: (dexFiles) => dexFiles.flatMap((dex) => writeDexFiles(modelOf(dex))) },
  { name: 'laid out again', rewrite: (dexFiles) => dexFiles.flatMap(laidOutAgain) },
  changed('logs removed', { logs: LOGS }),
  changed('texts hidden', { texts: true }),
  changed('opaque predicates', { predicates: true }),
  changed('debug information reduced', { debug: true }),
  changed('all', ALL),
]

function modelOf(dex: Uint8Array) {
  return readDexModels(dex)[0]!
}

function laidOutAgain(dex: Uint8Array): Uint8Array[] {
  const model = modelOf(dex)
  for (const one of model.classes) for (const method of methodsOf(one)) editCode(model, method)
  return writeDexFiles(model)
}

function changed(name: string, changes: DexChanges): Rewrite {
  return {
    name,
    rewrite: (dexFiles) => dexFiles.flatMap((dex, i) => hardenDex(dex, changes, { withHelpers: i === 0 }).files),
    ...(changes.logs && { withoutLog: true }),
  }
}
