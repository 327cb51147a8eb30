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
  if (wanted.isPrefix) {
    return wanted.name === null
      ? Array.from({ length: references.count }, (_, index) => index)
      : Array.from(references.named(wanted.name))
  }
  const owners = [wanted.owner, ...base.hierarchy.descendants(wanted.owner)]
  if (wanted.name === null) return owners.flatMap((owner) => Array.from(references.ownedBy(owner)))
  // Most classes of the framework are asked for by many names (`<init>` has thousands of owners) and have few heirs, or none.
  if (owners.length > MOST_OWNERS) return Array.from(references.named(wanted.name))
  return owners
    .flatMap((owner) => Array.from(references.ownedBy(owner)).filter((index) => references.name(index) === wanted.name))
    .sort((one, other) => one - other)
}

/** With more heirs than that, the references of one name are fewer. */
const MOST_OWNERS = 4

function meansOwner(base: CodeBase, references: References, index: number, wanted: ReferencePattern): boolean {
  const owner = references.owner(index)
  if (wanted.isPrefix) return owner.startsWith(wanted.owner)
  if (owner === wanted.owner) return true
  if (!base.definitions.has(owner)) return false
  return base.hierarchy.inherits(owner, wanted.owner, references.name(index) + references.signature(index))
}
