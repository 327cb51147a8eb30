import type { GroupRole } from '#contracts/http/ldap.ts'

/** The role of the first entry whose group the account belongs to; undefined: it gets none and may not sign in. */
export function roleOfGroups(
  groups: readonly string[],
  mapping: readonly GroupRole[],
  normal: (group: string) => string = (group) => group,
): string | undefined {
  const own = new Set(groups.map(normal))
  return mapping.find(({ group }) => own.has(normal(group)))?.role
}

/** A distinguished name without regard to case and to spaces around separators (RFC 4514); good for comparing, not for showing. */
export function normalDn(dn: string): string {
  return dn
    .trim()
    .toLowerCase()
    .replace(/(?<!\\)\s*([,=+])\s*/g, '$1')
}
