import { ProductError } from '#contracts/errors.ts'
import type { ServerDeps } from '../../http/module.ts'
import type { Session, Sessions } from '../../http/sessions.ts'
import { checkSignInAddress } from '../../platform/console-addresses.ts'
import { accountOfIdentity } from '../../platform/external-accounts.ts'
import { readLdapSettings } from '../../platform/ldap/ldap-settings.ts'
import { checkLdapPassword } from '../../platform/ldap/ldap-sign-in.ts'
import { beginStep, hasSecondFactor } from '../../platform/second-factor.ts'
import { rehash } from './change-password.ts'
import { type Attempt, beginAttempt } from './lock-out.ts'
import { checkPassword } from './password-hash.ts'
import { takeVerificationCode } from './verification-image.ts'

/** A user name is an e-mail address (LOGIN-01); local names of an installation (admin@appwarden.local) are ones too. */
const EMAIL = /^[^\s@]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+$/

/** Of a name or a password, in code units. */
const LONGEST = 256

export type SignIn = {
  username: string
  password: string
  verify_code: string
  /** Value of the pre-session cookie that the verification image set. */
  preSession: string | undefined
  address: string
  agent: string
  /** Throws login.proof where a proof of work is due and missing. */
  demandProof(): Promise<void>
}

/**
 * Checks in this order (LOGIN-02): address, form, (proof of work,) locks, verification code, name and password. An unknown account gets the same text
 * after the same time as a wrong password. An account with a second factor is refused with login.second_factor and a step that
 * signinSecondFactor ends. Throws ProductError; returns the new session and its cookie.
 */
export async function signIn(
  deps: ServerDeps,
  sessions: Sessions,
  given: SignIn,
): Promise<{ cookie: string; session: Session }> {
  const { meta } = deps
  const now = deps.now()
  checkSignInAddress(deps.settings(), given.address)
  const username = given.username.trim()
  if (username === '') throw new ProductError('login.username_empty')
  if (username.length > LONGEST || !EMAIL.test(username)) throw new ProductError('login.email')
  if (given.password === '') throw new ProductError('login.password_empty')
  if (given.verify_code.trim() === '') throw new ProductError('login.code_empty')

  // Before the attempt is counted and the code is used up: the browser sends both again.
  await given.demandProof()

  const account = username.toLowerCase()
  const attempt = await beginAttempt(meta, account, given.address, now)
  if (!given.preSession || !(await takeVerificationCode(meta, given.preSession, given.verify_code, now))) {
    await attempt.countForAddressOnly()
    throw new ProductError('login.code_wrong')
  }
  const user = await meta.db
    .selectFrom('users')
    .selectAll()
    .where((where) => where(where.fn('lower', ['username']), '=', account))
    .executeTakeFirst()
  // No password is longer; cutting here keeps the hashing time the same for every attempt.
  const password = given.password.slice(0, LONGEST)
  const match = await checkPassword(user?.password_hash, password)
  if (!user || user.origin === 'ldap') {
    const external = await byDirectory(deps, { username, password, address: given.address }, attempt)
    return endPasswordStep(deps, sessions, external, attempt, given)
  }
  if (!match || user.disabled) throw new ProductError('login.wrong')
  if (user.must_change_password && user.first_password_until !== null && user.first_password_until < now) {
    await attempt.forget()
    throw new ProductError('login.first_expired')
  }
  if (match === 'raw') await rehash(meta, user, password)
  return endPasswordStep(deps, sessions, user, attempt, given)
}

/** The password was right: the session begins, or the second step does. */
async function endPasswordStep(
  { meta, now }: ServerDeps,
  sessions: Sessions,
  user: { id: number },
  attempt: Attempt,
  { address, agent }: SignIn,
): Promise<{ cookie: string; session: Session }> {
  if (await hasSecondFactor(meta, user.id)) {
    // Earlier failures stay: else a right password would make room for as many codes as one likes.
    await attempt.forget()
    throw new ProductError('login.second_factor', {}, await beginStep(meta, user.id, address, now()))
  }
  await attempt.succeeded()
  return sessions.begin(user.id, { address, agent })
}

/** The account of a name that is not local, if the directory knows it with this password. Throws ProductError. */
async function byDirectory(
  deps: ServerDeps,
  { username, password, address }: { username: string; password: string; address: string },
  attempt: Attempt,
): Promise<{ id: number }> {
  const settings = await readLdapSettings(deps)
  if (!settings.enabled) throw new ProductError('login.wrong')
  try {
    const found = await checkLdapPassword(settings, username, password)
    if (!found) throw new ProductError('login.wrong')
    const identity = { origin: 'ldap' as const, issuer: '', loginName: username, address, ...found }
    return await accountOfIdentity(deps, identity)
  } catch (error) {
    // A directory that is away, and a right password without a role, are no guesses.
    if (error instanceof ProductError && error.key !== 'login.wrong') await attempt.forget()
    throw error
  }
}
