import { ANDROID_PERMISSIONS, FREE_INFORMATION } from '../catalogue/permission-data.ts'
import type { InspectedPackage } from '../input/inspected-package.ts'
import { type ApiReference, readApiReference } from './api-reference.ts'
import { type ApiUse, findUses, indexUses } from './find-uses.ts'

/** Where code and manifest use the APIs of the permission data; found once for permissions, SDKs and privacy. */
export interface PermissionUses {
  /** Line of the data -> its uses; lines without uses are left out. */
  readonly byApi: ReadonlyMap<string, readonly ApiUse[]>
}

/** Compatibility layers call what every application could call; that says nothing about this one. */
const WRAPPERS = ['Landroidx/core/', 'Landroidx/appcompat/', 'Landroid/support/v4/', 'Landroid/support/v7/']

let references: ReadonlyMap<string, ApiReference> | undefined

/** Looks for each API of the permission data. */
export function findPermissionUses(inspected: InspectedPackage): PermissionUses {
  references ??= new Map(
    [...ANDROID_PERMISSIONS, ...FREE_INFORMATION]
      .flatMap((one) => one.apis)
      .map((line) => [line, readApiReference(line)] as const),
  )
  const byApi = new Map<string, ApiUse[]>()
  const index = indexUses(inspected, [...references.values()])
  for (const [line, reference] of references) {
    const uses = findUses(inspected, index, reference).filter((use) => !isWrapper(use))
    if (uses.length) byApi.set(line, uses)
  }
  return { byApi }
}

/** Of renamed classes it is not known which part of AndroidX they are. */
export function isWrapper({ owner, codeLocation }: Pick<ApiUse, 'owner' | 'codeLocation'>): boolean {
  if (!codeLocation) return false
  const { owner: descriptor } = codeLocation.method
  return (
    WRAPPERS.some((prefix) => descriptor.startsWith(prefix)) ||
    (COMPATIBILITY.has(owner.sdk ?? '') && !/^Landroid(?:x|\/support)\//.test(descriptor))
  )
}
const COMPATIBILITY = new Set(['androidx', 'support-lib'])
