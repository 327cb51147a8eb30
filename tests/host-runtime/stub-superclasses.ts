import { CodeNotes } from '#engines/dex/code-notes.ts'
import { DexFile, dexHeaders } from '#engines/dex/dex-file.ts'
import { DEX_LIMITS } from '#engines/dex/dex-limits.ts'
import { readDexModels } from '#engines/dex-edit/read-dex-model.ts'
import { coreLibrary } from './core-library.ts'

const CLASS_ROW = 32
const NONE = 0xffffffff

/**
 * Classes in smali for the superclasses and interfaces that neither these dex files nor the core library have, most of them of Android, so that
 * the classes below them can be linked and verified. They have no members: what a class calls on them leads nowhere, and where the real one
 * has a superclass or interface of its own, values that fit on a device may be hard failures here. Compare the failures of two forms
 * of a package rather than asking for none. `withSignatures`: the same for classes that methods give and take: stubs of virtualised methods name them, and CheckJNI asks for them.
 */
export function stubSuperclasses(dexFiles: readonly Uint8Array[], { withSignatures = false } = {}): string[] {
  const present = new Set(coreLibrary().map((text) => /^\.class .*?(L[^;\s]+;)$/m.exec(text)![1]!))
  const wanted = new Map<string, 'class' | 'interface'>()
  for (const bytes of dexFiles)
    for (const header of dexHeaders(bytes)) {
      const dex = new DexFile(bytes, header, new CodeNotes(), DEX_LIMITS.overlap)
      for (let i = 0; i < dex.classDefs.count; i++) {
        const row = dex.classDefs.offset + CLASS_ROW * i
        present.add(dex.type(dex.u32(row)))
        const superclass = dex.u32(row + 8)
        if (superclass !== NONE) wanted.set(dex.type(superclass), 'class')
        for (const one of dex.typeList(dex.u32(row + 12))) wanted.set(one, 'interface')
      }
    }
  if (withSignatures)
    for (const bytes of dexFiles)
      for (const model of readDexModels(bytes))
        for (const type of model.protos.flatMap(({ returnType, parameters }) => [returnType, ...parameters])) {
          const descriptor = model.descriptor(type).replace(/^\[+/, '')
          if (descriptor.startsWith('L') && !wanted.has(descriptor)) wanted.set(descriptor, 'class')
        }
  return [...wanted]
    .filter(([descriptor]) => !present.has(descriptor))
    .map(([descriptor, kind]) => stub(descriptor, kind))
}

function stub(descriptor: string, kind: 'class' | 'interface'): string {
  if (kind === 'interface') return `.class public interface abstract ${descriptor}\n.super Ljava/lang/Object;\n`
  const superclass = /(?:Exception|Error);$/.test(descriptor) ? 'Ljava/lang/RuntimeException;' : 'Ljava/lang/Object;'
  return `.class public ${descriptor}
.super ${superclass}
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, ${superclass}-><init>()V
    return-void
.end method
`
}
