import { ProductError } from '#contracts/errors.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  resetSecondFactor,
  secondFactorState,
  signinSecondFactor,
} from '#contracts/http/second-factor.ts'
import { PRODUCTS } from '#contracts/product-names.ts'
import type { Caller, Module } from '../../http/module.ts'
import { makeSessionKeys } from '../../http/session-keys.ts'
import { makeSessions } from '../../http/sessions.ts'
import { checkSignInAddress } from '../../platform/console-addresses.ts'
import { readLdapSettings } from '../../platform/ldap/ldap-settings.ts'
import { checkLdapPassword } from '../../platform/ldap/ldap-sign-in.ts'
import {
  beginEnrolment,
  confirmEnrolment,
  dropSecondFactor,
  endStep,
  hasSecondFactor,
  newRecoveryCodes,
  recoveryLeft,
  takeCode,
  tryStep,
} from '../../platform/second-factor.ts'
import { answerSignIn } from '../accounts/answer-sign-in.ts'
import { beginAttempt } from '../accounts/lock-out.ts'
import { checkPassword } from '../accounts/password-hash.ts'
import { revokeAccessTokens } from '../tokens/access-tokens.ts'
import { manageableUsers } from '../users/manageable-users.ts'

const FRESH_MS = 600_000

/** The second factor: end of a sign-in, own set-up, recovery codes, and its removal by an administrator. */
export const secondFactorModule: Module = (mount, deps) => {
  const { config, meta, now, settings } = deps
  const keys = makeSessionKeys(deps)
  const sessions = makeSessions(deps)

  /** Counts like a sign-in: a stolen session shall not guess the password. */
  async function checkOwnPassword(caller: Caller, password: string): Promise<void> {
    const attempt = await beginAttempt(meta, caller.username.toLowerCase(), caller.address, now())
    const user = await meta.db
      .selectFrom('users')
      .select(['password_hash', 'origin'])
      .where('id', '=', caller.userId)
      .executeTakeFirstOrThrow()
    if (!(await isOwnPassword(caller, user, password))) throw new ProductError('password.old_wrong')
    await attempt.succeeded()
  }
  async function isOwnPassword(
    caller: Caller,
    user: { password_hash: string; origin: string },
    password: string,
  ): Promise<boolean> {
    if (user.origin === 'oidc') {
      // There is no password to ask for: a sign-in with the provider that is minutes old takes its place.
      const own = await meta.db
        .selectFrom('sessions')
        .select('created_at')
        .where('id', '=', caller.credential)
        .executeTakeFirst()
      if (!own || Math.abs(now() - own.created_at) > FRESH_MS) throw new ProductError('login.again')
      return true
    }
    if (user.origin !== 'ldap') return (await checkPassword(user.password_hash, password)) !== false
    const { subject, login_name } = await meta.db
      .selectFrom('external_identities')
      .select(['subject', 'login_name'])
      .where('user_id', '=', caller.userId)
      .executeTakeFirstOrThrow()
    return (await checkLdapPassword(await readLdapSettings(deps), login_name, password))?.subject === subject
  }
  async function endOthers(userId: number, ownSession?: string): Promise<void> {
    if (ownSession === undefined) await sessions.endOf(userId, 'password')
    await revokeAccessTokens(deps, userId)
  }

  mount(signinSecondFactor, async ({ body, request, reply, audit }) => {
    checkSignInAddress(settings(), request.ip)
    const user = await tryStep(meta, body.step, request.ip, now())
    if (!user) throw new ProductError('login.second_expired')
    audit(user.username)
    const attempt = await beginAttempt(meta, user.username.toLowerCase(), request.ip, now())
    if (!(await takeCode(deps, user.id, body.code))) throw new ProductError('login.second_wrong')
    if (!(await endStep(meta, body.step))) throw new ProductError('login.second_expired')
    await attempt.succeeded()
    const begun = await sessions.begin(user.id, {
      address: request.ip,
      agent: String(request.headers['user-agent'] ?? ''),
    })
    return answerSignIn(config, keys, reply, begun)
  })

  mount(secondFactorState, async ({ caller }) => {
    const row = await meta.db
      .selectFrom('one_time_secrets')
      .select('confirmed_at')
      .where('user_id', '=', caller.userId)
      .executeTakeFirst()
    return {
      data: {
        enabled_at: row?.confirmed_at ?? null,
        recovery_left: await recoveryLeft(meta, caller.userId),
        required: settings().second_factor_roles.includes(caller.role),
      },
    }
  })

  mount(beginSecondFactor, async ({ body, caller, audit }) => {
    audit(caller.username)
    await checkOwnPassword(caller, body.password)
    const { product, product_name } = settings()
    const issuer = product_name || PRODUCTS[product].en
    return { data: await beginEnrolment(deps, { id: caller.userId, username: caller.username }, issuer) }
  })

  mount(confirmSecondFactor, async ({ body, caller, audit }) => {
    audit(caller.username)
    const attempt = await beginAttempt(meta, caller.username.toLowerCase(), caller.address, now())
    const codes = await confirmEnrolment(deps, caller.userId, body.code)
    if (codes === 'missing') {
      await attempt.forget()
      throw new ProductError('second_factor.none')
    }
    if (codes === 'wrong') throw new ProductError('login.second_wrong')
    await attempt.succeeded()
    await endOthers(caller.userId, caller.credential)
    return { recovery_codes: [...codes] }
  })

  mount(renewRecoveryCodes, async ({ body, caller, audit }) => {
    audit(caller.username)
    await checkOwnPassword(caller, body.password)
    if (!(await hasSecondFactor(meta, caller.userId))) throw new ProductError('second_factor.none')
    return { recovery_codes: [...(await newRecoveryCodes(meta, caller.userId))] }
  })

  mount(removeSecondFactor, async ({ body, caller, audit }) => {
    audit(caller.username)
    await checkOwnPassword(caller, body.password)
    if (settings().second_factor_roles.includes(caller.role)) throw new ProductError('login.must_enrol')
    if (!(await dropSecondFactor(meta, caller.userId))) throw new ProductError('second_factor.none')
    return {}
  })

  mount(resetSecondFactor, async ({ body, caller, audit }) => {
    const [row] = await manageableUsers(meta.db, caller, [body.id])
    audit(row?.username ?? '')
    if (!(await dropSecondFactor(meta, body.id))) throw new ProductError('second_factor.none')
    await endOthers(body.id)
    return {}
  })
}
