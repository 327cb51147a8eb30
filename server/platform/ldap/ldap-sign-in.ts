import { ProductError } from '#contracts/errors.ts'
import { isEmailAddress } from '#domain/email-address.ts'
import { log } from '#runtime/log.ts'
import { normalDn, roleOfGroups } from '../group-role.ts'
import { type Directory, LdapProblem, withDirectory } from './ldap-directory.ts'
import type { OpenLdapSettings } from './ldap-settings.ts'

/** For all people of one call of currentLdapRole. */
const RECHECK_MS = 60_000

/** Whom the directory knows under this name and password. */
export type LdapSignIn = { subject: string; username: string; role: string }

/**
 * Checks a name and password against the directory: the entry of the name, a bind as the entry, its groups. Undefined for an unknown name or a
 * wrong or empty password, which are not distinguished. Throws login.no_role for the right password of somebody whose groups have no
 * role, and login.directory_away.
 */
export async function checkLdapPassword(
  settings: OpenLdapSettings,
  username: string,
  password: string,
): Promise<LdapSignIn | undefined> {
  return orAway(() =>
    withDirectory(settings, async (directory) => {
      const person = await directory.find(username)
      // The same work for a name that is unknown, as far as this side can do it.
      if (!person || !(await directory.checkPassword(person.dn, password))) return undefined
      const role = roleOfGroups(await directory.groupsOf(person.dn), settings.roles, normalDn)
      if (role === undefined) throw new ProductError('login.no_role')
      return { subject: person.subject, username: isEmailAddress(person.name) ? person.name : username, role }
    }),
  )
}

/** The role that the directory gives now to the entry of a name; undefined where entry, subject or role is gone. Throws LdapProblem. */
export function currentLdapRole(
  settings: OpenLdapSettings,
  people: readonly { loginName: string; subject: string }[],
): Promise<(string | undefined)[]> {
  const work = async (directory: Directory) => {
    const roles: (string | undefined)[] = []
    for (const { loginName, subject } of people) {
      const person = await directory.find(loginName)
      const groups = person?.subject === subject ? await directory.groupsOf(person.dn) : []
      roles.push(roleOfGroups(groups, settings.roles, normalDn))
    }
    return roles
  }
  return withDirectory(settings, work, { limitMs: RECHECK_MS })
}

async function orAway<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof LdapProblem)) throw error
    log.error({ stage: error.stage }, `the LDAP directory did not answer: ${error.message}`)
    throw new ProductError('login.directory_away')
  }
}
