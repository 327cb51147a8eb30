import type { CodeBase } from './code-base.ts'
import type { References } from './code-part.ts'
import type { LocationTable } from './location-table.ts'
import { type ReferencePattern, referencePattern } from './reference-pattern.ts'

/** Numbers of the references of one part that a pattern means and that code uses. */
export function searchReferences(
  base: CodeBase,
  references: References,
  table: LocationTable,
  pattern: string,
): number[] {
  const wanted = referencePattern(pattern)
  return candidates(base, references, wanted).filter(
    (index) =>
      table.isNamed(index) &&
      references.signature(index).startsWith(wanted.signature) &&
      meansOwner(base, references, index, wanted),
  )
}

function candidates(base: CodeBase, references: References, wanted: ReferencePattern): number[] {
  if (wanted.name !== null) return Array.from(references.named(wanted.name))
  if (wanted.isPrefix) return Array.from({ length: references.count }, (_, index) => index)
  return [wanted.owner, ...base.hierarchy.descendants(wanted.owner)].flatMap((owner) =>
    Array.from(references.ownedBy(owner)),
  )
}

function meansOwner(base: CodeBase, references: References, index: number, wanted: ReferencePattern): boolean {
  const owner = references.owner(index)
  if (wanted.isPrefix) return owner.startsWith(wanted.owner)
  if (owner === wanted.owner) return true
  if (!base.definitions.has(owner)) return false
  return base.hierarchy.inherits(owner, wanted.owner, references.name(index) + references.signature(index))
}
