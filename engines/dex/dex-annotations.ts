import type { DexFile } from './dex-file.ts'
import { EncodedReader } from './encoded-value.ts'

const MOST = 1000

/** Descriptors of the annotations of one set. */
function annotationSet(dex: DexFile, offset: number): string[] {
  if (offset === 0) return []
  const count = Math.min(dex.u32(offset), MOST)
  const names: string[] = []
  for (let i = 0; i < count; i++) {
    const item = dex.u32(offset + 4 + 4 * i)
    if (item === 0 || item >= dex.bytes.length) continue
    // The type follows the visibility; its values are of no interest here.
    names.push(dex.type(new EncodedReader(dex, item + 1).uleb()))
  }
  return names
}

/** Annotations of a class by its annotations directory. */
export const classAnnotations = (dex: DexFile, directory: number): string[] =>
  directory === 0 ? [] : annotationSet(dex, dex.u32(directory))

/** Offsets of the annotations of each method of a class. */
export function methodAnnotationSets(dex: DexFile, directory: number): ReadonlyMap<number, number> {
  const sets = new Map<number, number>()
  if (directory === 0) return sets
  const list = directory + 16 + 8 * dex.u32(directory + 4)
  const count = dex.u32(directory + 8)
  for (let i = 0; i < count && list + 8 * i + 8 <= dex.bytes.length; i++)
    sets.set(dex.u32(list + 8 * i), dex.u32(list + 8 * i + 4))
  return sets
}

export const annotationsAt = (dex: DexFile, set: number | undefined): string[] =>
  set === undefined ? [] : annotationSet(dex, set)
