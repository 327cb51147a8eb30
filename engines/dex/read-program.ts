import { CodeNotes } from './code-notes.ts'
import { DexFile, dexHeaders } from './dex-file.ts'
import { DEX_LIMITS, type DexLimits } from './dex-limits.ts'
import { DexPart } from './dex-part.ts'
import { PackageProgram } from './package-program.ts'
import type { DexSummary, Program } from './program.ts'

/** An entry of a package with its unpacked content. */
export interface CodeEntry {
  readonly entry: string
  readonly bytes: Uint8Array
}

/**
 * Reads and indexes dex files (035 to 041, containers too) as one program. Nothing is thrown: an entry that is no dex gets a summary with a
 * note, as does every part of a file that cannot be read.
 */
export function readProgram(parts: readonly CodeEntry[], limits: DexLimits = DEX_LIMITS): Program {
  const read: DexPart[] = []
  const unreadable: DexSummary[] = []
  const defined = new Set<string>()
  let left = limits
  for (const { entry, bytes } of parts) {
    const headers = dexHeaders(bytes)
    if (!headers.length) unreadable.push(unreadableEntry(entry, bytes))
    for (const header of headers) {
      const notes = new CodeNotes()
      const dex = new DexFile(bytes, header, notes, limits.overlap)
      const part = new DexPart(entry, dex, left, (descriptor) => {
        if (defined.has(descriptor)) {
          notes.add('duplicate-class', -1, `${descriptor} is defined before`)
          return false
        }
        if (defined.size === limits.classes) {
          notes.add('limit', -1, `more than ${limits.classes} classes`)
          return false
        }
        defined.add(descriptor)
        return true
      })
      left = { ...left, methods: left.methods - part.methodCount }
      read.push(part)
    }
  }
  return new PackageProgram(read, unreadable)
}

function unreadableEntry(entry: string, { length }: Uint8Array): DexSummary {
  const detail = length === 0 ? 'empty' : 'does not begin as a dex file does'
  return {
    entry,
    version: '',
    size: length,
    classCount: 0,
    methodCount: 0,
    stringCount: 0,
    notes: [{ key: 'not-dex', offset: 0, detail }],
  }
}
