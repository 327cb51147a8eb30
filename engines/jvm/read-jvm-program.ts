import { FormatError } from '../bytes/format-error.ts'
import { CodeNotes } from '../dex/code-notes.ts'
import { DEX_LIMITS, type DexLimits } from '../dex/dex-limits.ts'
import { PackageProgram } from '../dex/package-program.ts'
import type { Program } from '../dex/program.ts'
import type { CodeEntry } from '../dex/read-program.ts'
import { ClassFile } from './class-file.ts'
import type { LocatedClass } from './index-classes.ts'
import { JvmPart } from './jvm-part.ts'

/**
 * Reads class files as one program; each part is one `.class` file and keeps its entry in the evidence. Nothing is thrown: a file that cannot
 * be read is a note of the only summary.
 */
export function readJvmProgram(parts: readonly CodeEntry[], limits: DexLimits = DEX_LIMITS): Program {
  const notes = new CodeNotes()
  const classes: LocatedClass[] = []
  const defined = new Set<string>()
  let base = 0
  for (const { entry, bytes } of parts) {
    if (classes.length === limits.classes) {
      notes.add('limit', -1, `more than ${limits.classes} classes`)
      break
    }
    try {
      const file = new ClassFile(bytes)
      if (defined.has(file.descriptor))
        notes.add('duplicate-class', -1, `${entry}: ${file.descriptor} is defined before`)
      else classes.push({ entry, file, base })
      defined.add(file.descriptor)
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      notes.add('not-class', Math.max(0, error.offset), `${entry}: ${error.message}`)
    }
    base += bytes.length
  }
  return new PackageProgram([new JvmPart(classes, base, notes, limits.methods)])
}
