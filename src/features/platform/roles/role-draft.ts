import type { Role } from '#contracts/http/roles.ts'
import { PERMISSION_GROUPS } from '#contracts/permission-tree.ts'
import { AUDITOR_ONLY, type Authority } from '#contracts/permissions.ts'

/** What is edited of a role. `rev` is that of the role the edit began with; 0 for a new one. */
export type RoleDraft = {
  rev: number
  name: string
  administrator: boolean
  auth: ReadonlySet<string>
}

export type TreeFilter = 'all' | 'granted' | 'different'
export type PermissionRow = { code: Authority; granted: boolean; compared: boolean; reason: Ungrantable | null }
/** Why a row cannot be ticked: the caller lacks the permission, or only the built-in auditor may hold it. */
export type Ungrantable = 'missing' | 'auditor'
export type PermissionRowGroup = {
  key: string
  name: { zh: string; en: string }
  rows: PermissionRow[]
  granted: number
  compared: number
  total: number
}

export function draftOf(role: Role, language: 'zh' | 'en'): RoleDraft {
  return { rev: role.rev, name: role.name[language], administrator: role.administrator, auth: new Set(role.auth) }
}

/** A new role with the permissions of another, as far as the caller may grant them. */
export function copyOf(role: Role, name: string, held: readonly string[], seesAll: boolean): RoleDraft {
  const auth = role.auth.filter((code) => reasonFor(code, held) === null)
  return { rev: 0, name, administrator: role.administrator && seesAll, auth: new Set(auth) }
}

/** Number of differences between a draft and the stored role: name, administrator mark, and each permission. */
export function countChanges(draft: RoleDraft, role: RoleDraft): number {
  const codes = new Set([...draft.auth, ...role.auth])
  const permissions = [...codes].filter((code) => draft.auth.has(code) !== role.auth.has(code)).length
  return permissions + Number(draft.name.trim() !== role.name) + Number(draft.administrator !== role.administrator)
}

/** Why the caller cannot grant this permission; null where they can. `held`: permissions of the caller. */
export function reasonFor(code: string, held: readonly string[]): Ungrantable | null {
  if (AUDITOR_ONLY.some((only) => only === code)) return 'auditor'
  return held.includes(code) ? null : 'missing'
}

/** The permission tree with the groups that have matching rows. `find` matches names of both languages and codes. */
export function permissionRows(
  auth: ReadonlySet<string>,
  compared: ReadonlySet<string>,
  held: readonly string[],
  { find, show, nameOf }: { find: string; show: TreeFilter; nameOf: (code: Authority) => { zh: string; en: string } },
): PermissionRowGroup[] {
  const words = find.trim().toLowerCase()
  return PERMISSION_GROUPS.map(({ key, zh, en, items }) => {
    const all = items.map(
      (code): PermissionRow => ({
        code,
        granted: auth.has(code),
        compared: compared.has(code),
        reason: reasonFor(code, held),
      }),
    )
    const rows = all.filter(({ code, granted, compared }) => {
      if (show === 'granted' && !granted) return false
      if (show === 'different' && granted === compared) return false
      const { zh, en } = nameOf(code)
      return words === '' || [code, zh, en].some((text) => text.toLowerCase().includes(words))
    })
    return {
      key,
      name: { zh, en },
      rows,
      granted: all.filter((row) => row.granted).length,
      compared: all.filter((row) => row.compared).length,
      total: all.length,
    }
  }).filter(({ rows }) => rows.length > 0)
}
