import { ProductError } from '#contracts/errors.ts'
import { LDAP_STAGES, ldapSettings, saveLdap, type TestedStage, testLdap } from '#contracts/http/ldap.ts'
import type { Module } from '../../http/module.ts'
import { changesBetween } from '../../platform/audit/audit-changes.ts'
import { normalDn, roleOfGroups } from '../../platform/group-role.ts'
import { type Directory, LdapProblem, withDirectory } from '../../platform/ldap/ldap-directory.ts'
import {
  changedLdapSettings,
  type OpenLdapSettings,
  readLdapSettings,
  withoutPassword,
  writeLdapSettings,
} from '../../platform/ldap/ldap-settings.ts'
import { checkRoles } from '../roles/check-roles.ts'

/** Settings of the LDAP directory, and a test of them that shows each stage. */
export const ldapModule: Module = (mount, deps) => {
  mount(ldapSettings, async () => ({ data: withoutPassword(await readLdapSettings(deps)) }))

  mount(saveLdap, async ({ body, caller, audit }) => {
    const before = await readLdapSettings(deps)
    const after = changedLdapSettings(before, body)
    audit('LDAP', '', changesBetween(before, after, { secret: ['bind_password'] }))
    await checkRoles(deps.meta, caller, after.roles, before.roles)
    await writeLdapSettings(deps, after)
    return { data: withoutPassword(after) }
  })

  mount(testLdap, async ({ body, audit }) => {
    audit('LDAP', body.username)
    const settings = changedLdapSettings(await readLdapSettings(deps), body.settings)
    if (settings.url === '') throw new ProductError('input.invalid', { detail: 'url' }, { field: 'url' })
    return { data: await tryStages(settings, body.username, body.password) }
  })
}

async function tryStages(settings: OpenLdapSettings, username: string, password: string): Promise<TestedStage[]> {
  const done = new Map<TestedStage['stage'], Omit<TestedStage, 'stage'>>()
  const ok = (stage: TestedStage['stage'], detail: string) => done.set(stage, { state: 'ok', detail })
  const fail = (stage: TestedStage['stage'], detail: string) => done.set(stage, { state: 'failed', detail })
  async function tryPerson(directory: Directory): Promise<void> {
    if (username === '') return
    const person = await directory.find(username)
    if (!person) return void fail('search', `${settings.base_dn} ${settings.user_filter}`)
    ok('search', `${person.dn} · ${settings.name_attribute}: ${person.name}`)
    const groups = await directory.groupsOf(person.dn)
    ok('groups', groups.join('\n'))
    const role = roleOfGroups(groups, settings.roles, normalDn)
    if (role === undefined) fail('role', '')
    else ok('role', role)
    if (password === '') return
    if (await directory.checkPassword(person.dn, password)) ok('password', '')
    else fail('password', '')
  }
  try {
    await withDirectory(settings, tryPerson, { onStage: ok })
  } catch (error) {
    if (!(error instanceof LdapProblem)) throw error
    fail(error.stage, error.message)
  }
  return LDAP_STAGES.map((stage) => ({ stage, ...(done.get(stage) ?? { state: 'skipped', detail: '' }) }))
}
