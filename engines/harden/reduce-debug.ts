import { methodsOf, NO_ROW } from '../dex-edit/dex-model.ts'
import { classNameOf, type EditedDex } from './edited-dex.ts'
import type { HardenLog } from './hardening.ts'

/** Under this name of a source file Android still prints line numbers in stack traces. */
const SOURCE = 'SourceFile'

/** Removes names of source files, variables and parameters. Lines stay: crash reports are of no use without them. */
export function reduceDebug({ file, model, classes }: EditedDex, log: HardenLog): void {
  for (const one of classes) {
    let count = 0
    if (one.sourceFile !== NO_ROW && model.strings[one.sourceFile] !== SOURCE) {
      one.sourceFile = model.string(SOURCE)
      count++
    }
    for (const { code } of methodsOf(one)) {
      if (code?.detail !== 'all' || !code.debug) continue
      code.detail = 'lines'
      count++
    }
    log.applied(
      'anti_decompile',
      file,
      classNameOf(model.descriptor(one.type)),
      'names of source files and variables removed',
      count,
    )
  }
}
