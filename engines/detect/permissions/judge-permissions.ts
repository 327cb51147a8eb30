import { ANDROID_PERMISSIONS, type PermissionRecord } from '../catalogue/permission-data.ts'
import { APPLICATION_TYPE_RULES } from '../catalogue/privacy-data.ts'
import type { InspectedPackage } from '../input/inspected-package.ts'
import { ownerName } from '../result/owner-name.ts'
import type { Location, PermissionResult } from '../result/scan-result.ts'
import type { ApiUse } from './find-uses.ts'
import { judgeUsageKeys } from './judge-usage-keys.ts'
import type { PermissionUses } from './permission-uses.ts'

const RECORDS = new Map(ANDROID_PERMISSIONS.map((one) => [one.name, one]))
/** The permissions that an API may stand for, in the order of the data: the first is the usual one. */
const PERMISSIONS_OF = new Map<string, string[]>()
for (const { name, apis } of ANDROID_PERMISSIONS)
  for (const api of apis) PERMISSIONS_OF.set(api, [...(PERMISSIONS_OF.get(api) ?? []), name])

const USES = 20
const SENSITIVE = new Set(['dangerous', 'special', 'signature'])

/**
 * Each declared permission with what uses it, and those that code uses without declaring them; of iOS the usage descriptions.
 * `types` are the chosen application types: several add up; without one nothing is called excessive.
 */
export function judgePermissions(
  inspected: InspectedPackage,
  uses: PermissionUses,
  types: readonly string[],
): readonly PermissionResult[] {
  if (inspected.ios) return judgeUsageKeys(inspected, types)
  if (!inspected.facts) return []
  const declared = declaredNames(inspected)
  const allowed = allowedPermissions(types)
  const results = [...declared].map((name) => judge(inspected, uses, name, true, allowed))
  for (const record of ANDROID_PERMISSIONS)
    if (!declared.has(record.name) && usedUndeclared(record, uses, declared))
      results.push(judge(inspected, uses, record.name, false, allowed))
  return results
}

function declaredNames(inspected: InspectedPackage): Set<string> {
  const facts = inspected.facts!
  const names = new Set(facts.permissions.map((one) => one.name))
  // Held by the component that is bound to: there the manifest names it.
  for (const { permission } of facts.components) if (permission && isBinding(permission)) names.add(permission)
  return names
}

function isBinding(name: string): boolean {
  return name.startsWith('android.permission.BIND_') && RECORDS.has(name)
}

function allowedPermissions(types: readonly string[]): ReadonlySet<string> | null {
  const rules = types.flatMap((type) => APPLICATION_TYPE_RULES.get(type) ?? [])
  return rules.length ? new Set(rules.flatMap((rule) => rule.permissions)) : null
}

/** Only what Android refuses without a declaration, and only where no declared permission covers the call as well. */
function usedUndeclared(record: PermissionRecord, uses: PermissionUses, declared: ReadonlySet<string>): boolean {
  if ((record.kind !== 'dangerous' && record.kind !== 'special') || isBinding(record.name)) return false
  if (OPTIONAL.has(record.name)) return false
  return undeclaredApis(record, declared).some((api) =>
    uses.byApi.get(api)?.some(({ codeLocation, owner }) => codeLocation && !GENERAL.has(owner.sdk ?? '')),
  )
}

/** Libraries that can do what most applications never ask them to. */
const GENERAL = new Set(['androidx', 'support-lib', 'kotlin', 'gms-base'])
/** Works without, for fewer packages. */
const OPTIONAL = new Set(['android.permission.QUERY_ALL_PACKAGES', 'com.android.permission.GET_INSTALLED_APPS'])

function undeclaredApis(record: PermissionRecord, declared: ReadonlySet<string>): string[] {
  return record.apis.filter((api) => {
    const covering = PERMISSIONS_OF.get(api)!
    return /^L.*->/.test(api) && covering[0] === record.name && !covering.some((name) => declared.has(name))
  })
}

function judge(
  inspected: InspectedPackage,
  uses: PermissionUses,
  name: string,
  declared: boolean,
  allowed: ReadonlySet<string> | null,
): PermissionResult {
  const record = RECORDS.get(name)
  const found = record?.apis.flatMap((api) => uses.byApi.get(api) ?? []) ?? []
  const defined = inspected.facts!.definedPermissions.find((one) => one.name === name)
  const dangerous = record ? record.kind === 'dangerous' : (defined?.protectionLevel.startsWith('dangerous') ?? false)
  const guarded = record ? SENSITIVE.has(record.kind) : dangerous
  return {
    name,
    title: record ? { zh: record.zh, en: record.en } : { zh: name, en: name },
    group: record?.group ?? 'other',
    dangerous,
    state: found.length
      ? declared
        ? 'used'
        : 'undeclared'
      : record?.apis.length && readable(inspected)
        ? 'unused'
        : 'unknown',
    excessive: allowed && declared && guarded && !isBinding(name) && !allowed.has(name),
    personalInfo: record?.info ?? [],
    uses: evidenceOf(found),
  }
}

/** Of a packed or incomplete package the code that is visible is the packer's: what it does not call may be called all the same. */
function readable(inspected: InspectedPackage): boolean {
  return inspected.program !== null && inspected.packer === null && inspected.codeGap === null
}

function evidenceOf(found: readonly ApiUse[]): { owner: string | null; place: Location }[] {
  const ordered = (['own', 'unknown', 'sdk'] as const).flatMap((kind) => found.filter((use) => use.owner.kind === kind))
  return ordered.slice(0, USES).map((use) => ({ owner: ownerName(use.owner), place: use.evidence() }))
}
