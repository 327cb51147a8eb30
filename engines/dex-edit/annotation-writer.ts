import type { ByteWriter } from './byte-writer.ts'
import { type AnnotationSet, type ClassDefinition, methodsOf } from './dex-model.ts'
import type { SortedTables } from './sorted-tables.ts'
import type { ValueWriter } from './value-writer.ts'

/** Writes what annotations consist of: items, sets, lists of sets, and a directory for each class. Each part names those before it. */
export class AnnotationWriter {
  private readonly classes: readonly ClassDefinition[]
  private readonly tables: SortedTables
  private readonly out: ByteWriter
  private readonly values: ValueWriter
  private readonly annotationItems = new Map<string, number>()
  private readonly itemsOfSets = new Map<AnnotationSet, readonly number[]>()
  private readonly setOffsets = new Map<string, number>()
  private readonly refListOffsets = new Map<string, number>()
  private readonly directoryOffsets = new Map<ClassDefinition, number>()

  constructor(classes: readonly ClassDefinition[], tables: SortedTables, out: ByteWriter, values: ValueWriter) {
    this.classes = classes
    this.tables = tables
    this.out = out
    this.values = values
  }

  private *annotationSets(): Generator<AnnotationSet> {
    for (const one of this.classes) {
      if (one.annotations) yield one.annotations
      for (const list of [one.staticFields, one.instanceFields])
        for (const { annotations } of list) if (annotations) yield annotations
      for (const { annotations, parameterAnnotations } of methodsOf(one)) {
        if (annotations) yield annotations
        for (const set of parameterAnnotations ?? []) if (set) yield set
      }
    }
  }

  /** annotation_item */
  writeItems(): number {
    const { out, tables, values } = this
    for (const set of this.annotationSets()) {
      if (this.itemsOfSets.has(set)) continue
      // Android looks them up by type, so that a set is in the order of types.
      const ordered = [...set].sort((a, b) => tables.type(a.type) - tables.type(b.type))
      const offsets = ordered.map((one) =>
        out.putOnce(this.annotationItems, () => {
          out.u8(one.visibility)
          values.annotation(one)
        }),
      )
      this.itemsOfSets.set(set, offsets)
    }
    return this.annotationItems.size
  }

  /** annotation_set_item */
  writeSets(): number {
    for (const set of this.annotationSets()) {
      const offsets = this.itemsOfSets.get(set)!
      const key = offsets.join(' ')
      if (this.setOffsets.has(key)) continue
      this.setOffsets.set(key, this.out.length)
      this.out.u32(offsets.length)
      for (const offset of offsets) this.out.u32(offset)
    }
    return this.setOffsets.size
  }

  private setOffset(set: AnnotationSet | undefined): number {
    return set ? this.setOffsets.get(this.itemsOfSets.get(set)!.join(' '))! : 0
  }

  private refListKey(sets: readonly (AnnotationSet | undefined)[]): string {
    return sets.map((set) => this.setOffset(set)).join(' ')
  }

  /** annotation_set_ref_list: the sets of the parameters of a method. */
  writeParameterSets(): number {
    for (const { parameterAnnotations } of this.classes.flatMap(methodsOf)) {
      if (!parameterAnnotations) continue
      const key = this.refListKey(parameterAnnotations)
      if (this.refListOffsets.has(key)) continue
      this.refListOffsets.set(key, this.out.length)
      this.out.u32(parameterAnnotations.length)
      for (const set of parameterAnnotations) this.out.u32(this.setOffset(set))
    }
    return this.refListOffsets.size
  }

  /** annotations_directory_item */
  writeDirectories(): number {
    const { out, tables } = this
    const pairs = (list: [number, number][]) => {
      list.sort((a, b) => a[0] - b[0])
      for (const pair of list) for (const number of pair) out.u32(number)
    }
    for (const one of this.classes) {
      const fields = [...one.staticFields, ...one.instanceFields].filter(({ annotations }) => annotations)
      const methods = methodsOf(one).filter(({ annotations }) => annotations)
      const parameters = methodsOf(one).filter(({ parameterAnnotations }) => parameterAnnotations)
      if (!one.annotations && !fields.length && !methods.length && !parameters.length) continue
      this.directoryOffsets.set(one, out.length)
      out.u32(this.setOffset(one.annotations))
      for (const { length } of [fields, methods, parameters]) out.u32(length)
      pairs(fields.map(({ field, annotations }) => [tables.field(field), this.setOffset(annotations)]))
      pairs(methods.map(({ method, annotations }) => [tables.method(method), this.setOffset(annotations)]))
      pairs(
        parameters.map(({ method, parameterAnnotations }) => [
          tables.method(method),
          this.refListOffsets.get(this.refListKey(parameterAnnotations!))!,
        ]),
      )
    }
    return this.directoryOffsets.size
  }

  /** Of a class, after `writeDirectories`; 0 without annotations. */
  directoryOf(one: ClassDefinition): number {
    return this.directoryOffsets.get(one) ?? 0
  }
}
