import { descriptorOf } from '../evidence/locations.ts'
import type { InspectedPackage, Owner } from '../input/inspected-package.ts'
import { ownerName } from '../result/owner-name.ts'
import type { Location } from '../result/scan-result.ts'

/** Id or prefix of the SDK that a location belongs to, UNKNOWN_OWNER, or null for own code, resources and files. */
export function judgedOwner(
  inspected: Pick<InspectedPackage, 'ownerOf'>,
  location: Location,
  known?: Owner,
): string | null {
  const owner = known ?? (location.class ? inspected.ownerOf(descriptorOf(location.class)) : undefined)
  return owner ? ownerName(owner) : null
}
