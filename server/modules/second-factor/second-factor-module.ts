import type { FastifyRequest } from 'fastify'
import { ProductError } from '#contracts/errors.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import {
  beginPasskey,
  beginSecondFactor,
  beginSigninPasskey,
  confirmPasskey,
  confirmSecondFactor,
  removePasskey,
  removeSecondFactor,
  renewRecoveryCodes,
  resetSecondFactor,
  secondFactorState,
  signinPasskey,
  signinSecondFactor,
} from '#contracts/http/second-factor.ts'
import type { Caller, Handler, Module } from '../../http/module.ts'
import { makeSessionKeys } from '../../http/session-keys.ts'
import { makeSessions } from '../../http/sessions.ts'
import { checkSignInAddress } from '../../platform/console-addresses.ts'
import { readLdapSettings } from '../../platform/ldap/ldap-settings.ts'
import { checkLdapPassword } from '../../platform/ldap/ldap-sign-in.ts'
import {
  beginAuthentication,
  beginRegistration,
  checkAuthentication,
  confirmRegistration,
  dropPasskey,
  type PasskeyHost,
  passkeyHost,
  passkeysOf,
} from '../../platform/passkeys.ts'
import { platformName } from '../../platform/platform-info/own-texts.ts'
import {
  accountOfStep,
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

  function productName(): string {
    return platformName(settings(), 'en')
  }
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

  mount(signinSecondFactor, ({ body, request, reply, audit, auditRole }) =>
    endSignIn(
      { step: body.step, request, reply, audit, auditRole },
      (userId) => takeCode(deps, userId, body.code),
      'login.second_wrong',
    ),
  )

  /** The second step of a sign-in: counted before it is checked, ended once. Throws ProductError, `wrong` for a factor that is not right. */
  async function endSignIn(
    call: Pick<Parameters<Handler<typeof signinPasskey>>[0], 'request' | 'reply' | 'audit' | 'auditRole'> & {
      step: string
    },
    isRight: (userId: number) => Promise<boolean>,
    wrong: 'login.second_wrong' | 'passkey.wrong',
  ): Promise<ResponseOf<typeof signinPasskey>> {
    const { step, request, reply, audit, auditRole } = call
    checkSignInAddress(settings(), request.ip)
    const user = await tryStep(meta, step, request.ip, now())
    if (!user) throw new ProductError('login.second_expired')
    audit(user.username)
    const attempt = await beginAttempt(meta, user.username.toLowerCase(), request.ip, now())
    if (!(await isRight(user.id))) throw new ProductError(wrong)
    if (!(await endStep(meta, step))) throw new ProductError('login.second_expired')
    await attempt.succeeded()
    const begun = await sessions.begin(user.id, {
      address: request.ip,
      agent: String(request.headers['user-agent'] ?? ''),
    })
    auditRole(begun.session.user.role)
    return answerSignIn(config, keys, reply, begun)
  }

  mount(secondFactorState, async ({ caller }) => {
    const factor = await meta.db
      .selectFrom('users')
      .leftJoin('second_factors', 'second_factors.user_id', 'users.id')
      .leftJoin('one_time_secrets', 'one_time_secrets.user_id', 'users.id')
      .select(['enabled_at', 'confirmed_at'])
      .where('users.id', '=', caller.userId)
      .executeTakeFirstOrThrow()
    return {
      data: {
        enabled_at: factor.enabled_at,
        one_time: factor.confirmed_at !== null,
        passkeys: await passkeysOf(meta, caller.userId),
        recovery_left: await recoveryLeft(meta, caller.userId),
        required: settings().second_factor_roles.includes(caller.role),
      },
    }
  })

  mount(beginSecondFactor, async ({ body, caller, audit }) => {
    audit(caller.username)
    await checkOwnPassword(caller, body.password)
    return { data: await beginEnrolment(deps, { id: caller.userId, username: caller.username }, productName()) }
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

  function hostOf({ headers }: FastifyRequest): PasskeyHost {
    const host = passkeyHost(headers.host)
    if (!host) throw new ProductError('passkey.host')
    return host
  }

  mount(beginPasskey, async ({ body, caller, request, audit }) => {
    audit(caller.username)
    const host = hostOf(request)
    await checkOwnPassword(caller, body.password)
    const options = await beginRegistration(deps, { id: caller.userId, username: caller.username }, host, productName())
    if (!options) throw new ProductError('quota.reached', { detail: 'passkeys' })
    return { data: { ...options } }
  })

  mount(confirmPasskey, async ({ body, caller, request, audit }) => {
    audit(caller.username, body.name)
    const isFirst = !(await hasSecondFactor(meta, caller.userId))
    const result = await confirmRegistration(deps, caller.userId, hostOf(request), body)
    if (result === 'wrong') throw new ProductError('passkey.wrong')
    if (result === 'known') throw new ProductError('data.conflict')
    await endOthers(caller.userId, caller.credential)
    return { recovery_codes: isFirst ? [...(await newRecoveryCodes(meta, caller.userId))] : [] }
  })

  mount(removePasskey, async ({ body, caller, audit }) => {
    audit(caller.username)
    await checkOwnPassword(caller, body.password)
    const own = await passkeysOf(meta, caller.userId)
    const removed = own.find(({ id }) => id === body.id)
    if (!removed) throw new ProductError('data.missing')
    audit(caller.username, removed.name)
    const { factors } = await meta.db
      .selectFrom('one_time_secrets')
      .select((eb) => eb.fn.countAll<number>().as('factors'))
      .where('user_id', '=', caller.userId)
      .where('confirmed_at', 'is not', null)
      .executeTakeFirstOrThrow()
    const isLast = own.length === 1 && Number(factors) === 0
    if (isLast && settings().second_factor_roles.includes(caller.role)) throw new ProductError('login.must_enrol')
    if (!(await dropPasskey(meta, caller.userId, body.id))) throw new ProductError('data.missing')
    if (isLast) await dropSecondFactor(meta, caller.userId)
    return {}
  })

  mount(beginSigninPasskey, async ({ body, request }) => {
    checkSignInAddress(settings(), request.ip)
    const userId = await accountOfStep(meta, body.step, request.ip, now())
    if (userId === undefined) throw new ProductError('login.second_expired')
    const options = await beginAuthentication(deps, userId, body.step, hostOf(request))
    if (!options) throw new ProductError('passkey.none')
    return { data: { ...options } }
  })

  mount(signinPasskey, ({ body, request, reply, audit, auditRole }) =>
    endSignIn(
      { step: body.step, request, reply, audit, auditRole },
      async (userId) => checkAuthentication(deps, userId, body.step, hostOf(request), body.response),
      'passkey.wrong',
    ),
  )

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
