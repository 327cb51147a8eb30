import type { InspectedPackage, Owner } from '../inspected-package.ts'
import { descriptorOf } from '../rules/hits.ts'
import type { Place } from '../scan-result.ts'

/** Id or prefix of the SDK that a place belongs to; null for own code, resources and files. */
export function judgedOwner(inspected: Pick<InspectedPackage, 'ownerOf'>, place: Place, known?: Owner): string | null {
  const owner = known ?? (place.class ? inspected.ownerOf(descriptorOf(place.class)) : undefined)
  return owner?.kind === 'sdk' ? (owner.sdk ?? '') : null
}
