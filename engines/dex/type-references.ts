import type { ClassDefinition } from './class-hierarchy.ts'
import type { CodePart } from './code-part.ts'
import type { LocationTable } from './location-table.ts'

/** Types that a class names: above it, in the signatures of its methods and in their code. Of an array its elements; no primitives. */
export function typesNamedBy({ part, index }: ClassDefinition): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (type: string) => {
    const begin = type.lastIndexOf('[') + 1
    if (type[begin] === 'L') found.add(begin ? type.slice(begin) : type)
  }
  const [from, to] = part.methodsOf(index)
  const above = part.superclassOf(index)
  if (above) add(above)
  for (const one of part.interfacesOf(index)) add(one)
  for (let method = from; method < to; method++)
    for (const [type] of part.methodSignature(method).matchAll(/L[^;]*;/g)) add(type)
  for (const target of targetsOf(part.calls, from, to)) add(part.methods.owner(target))
  for (const target of targetsOf(part.typeLocations, from, to)) add(part.types.at(target))
  for (const target of targetsOf(part.fieldLocations, from, to)) {
    add(part.fields.owner(target))
    add(part.fields.signature(target))
  }
  return found
}

/** What methods name, each once. */
function targetsOf(table: LocationTable, from: number, to: number): ReadonlySet<number> {
  return new Set(table.targets.subarray(table.methodStarts[from]!, table.methodStarts[to]!))
}

/** Classes whose code calls a method of that class, reads its fields, or names it. */
export function classesNaming(parts: readonly CodePart[], descriptor: string): ReadonlySet<string> {
  const found = new Set<string>()
  for (const part of parts) {
    const from = (table: LocationTable, target: number) => {
      for (const index of table.indicesOf(target)) found.add(part.descriptorOf(part.methodClass(table.methodOf(index))))
    }
    const type = part.types.find(descriptor)
    if (type >= 0) from(part.typeLocations, type)
    for (const method of Array.from(part.methods.ownedBy(descriptor))) from(part.calls, method)
    for (const field of Array.from(part.fields.ownedBy(descriptor))) from(part.fieldLocations, field)
  }
  return found
}
