import { AUDITOR_ONLY, AUDITOR_ROLE } from '#contracts/permissions.ts'
import type { Caller } from '../../http/module.ts'

type GrantedRole = { key: string; auth: readonly string[]; sees_all: boolean }

/** What a role grants that the caller lacks: session roles, permission items, `administrator` for the sight of all applications. */
export function missingFor(caller: Pick<Caller, 'auth' | 'scope'>, role: GrantedRole): string[] {
  // Administrators appoint auditors without holding what is the auditor's alone.
  const appointed = role.key === AUDITOR_ROLE
  const missing = role.auth.filter(
    (one) => !caller.auth.includes(one) && !(appointed && AUDITOR_ONLY.some((item) => item === one)),
  )
  return role.sees_all && caller.scope.apps !== 'all' ? [...missing, 'administrator'] : missing
}

/** Whether a role grants nothing that the caller lacks: a caller cannot grant, take over or reset more than they have. */
export function isGrantable(caller: Pick<Caller, 'auth' | 'scope'>, role: GrantedRole): boolean {
  return missingFor(caller, role).length === 0
}
