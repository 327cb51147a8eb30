import { ProductError } from '#contracts/errors.ts'
import { beginOidc, finishOidc, oidcSettings, saveOidc, testOidc } from '#contracts/http/oidc.ts'
import { PROVIDER_COOKIE, readCookie, setProviderCookie } from '../../http/cookies.ts'
import type { Module } from '../../http/module.ts'
import { hashOf, makeSessionKeys, newSecretText } from '../../http/session-keys.ts'
import { makeSessions } from '../../http/sessions.ts'
import { changesBetween } from '../../platform/audit/audit-changes.ts'
import { checkSignInAddress } from '../../platform/console-addresses.ts'
import { accountOfIdentity } from '../../platform/external-accounts.ts'
import { beginAttempt, discover, finishAttempt, problemText } from '../../platform/oidc/oidc-provider.ts'
import {
  changedOidcSettings,
  readOidcSettings,
  withoutSecret,
  writeOidcSettings,
} from '../../platform/oidc/oidc-settings.ts'
import { ID_TOKEN_SEAL } from '../../platform/oidc/provider-logout.ts'
import { beginStep, hasSecondFactor } from '../../platform/second-factor.ts'
import { sealText } from '../../platform/secrets.ts'
import { answerSignIn } from '../accounts/answer-sign-in.ts'
import { checkRoles } from '../roles/check-roles.ts'

const ATTEMPT_MS = 600_000

/** Sign-in with an OpenID Connect provider, and its settings. */
export const oidcModule: Module = (mount, deps) => {
  const { config, meta, now, settings: platform } = deps
  const keys = makeSessionKeys(deps)
  const sessions = makeSessions(deps)

  async function activeSettings() {
    const settings = await readOidcSettings(deps)
    if (!settings.enabled) throw new ProductError('login.oidc_off')
    return settings
  }

  mount(beginOidc, async ({ request, reply }) => {
    checkSignInAddress(platform(), request.ip)
    const { url, state, nonce, verifier } = await beginAttempt(await activeSettings(), now())
    const browser = newSecretText()
    await meta.db.deleteFrom('oidc_attempts').where('expires_at', '<', now()).execute()
    await meta.db
      .insertInto('oidc_attempts')
      .values({ id: hashOf(state), browser: hashOf(browser), nonce, verifier, expires_at: now() + ATTEMPT_MS })
      .execute()
    setProviderCookie(reply, config, browser)
    return { url }
  })

  mount(finishOidc, async ({ body, request, reply, audit, auditRole }) => {
    checkSignInAddress(platform(), request.ip)
    const settings = await activeSettings()
    const answer = new URLSearchParams(body.answer)
    const state = answer.get('state') ?? ''
    const browser = readCookie(request, PROVIDER_COOKIE)
    // Used up by any answer, so that no other one can follow.
    const attempt = await meta.db
      .deleteFrom('oidc_attempts')
      .where('id', '=', hashOf(state))
      .returningAll()
      .executeTakeFirst()
    if (!attempt || !browser || attempt.browser !== hashOf(browser) || attempt.expires_at < now())
      throw new ProductError('login.oidc_state')
    const { idToken, isStrong, ...identity } = await finishAttempt(settings, { ...attempt, state }, answer, now())
    audit(identity.username, 'oidc')
    const user = await accountOfIdentity(deps, {
      origin: 'oidc',
      loginName: identity.username,
      address: request.ip,
      ...identity,
    })
    audit(user.username, 'oidc')
    // The provider's second factor counts where it says so; else the own one follows, if there is one.
    if (!isStrong && (await hasSecondFactor(meta, user.id)))
      throw new ProductError(
        'login.second_factor',
        {},
        { ...(await beginStep(meta, user.id, request.ip, now())), username: user.username },
      )
    const begun = await sessions.begin(user.id, {
      address: request.ip,
      agent: String(request.headers['user-agent'] ?? ''),
      strong: isStrong,
      idToken: sealText(deps.secret(ID_TOKEN_SEAL), idToken),
    })
    auditRole(begun.session.user.role)
    return answerSignIn(config, keys, reply, begun)
  })

  mount(oidcSettings, async () => ({ data: withoutSecret(await readOidcSettings(deps)) }))

  mount(saveOidc, async ({ body, caller, audit }) => {
    const before = await readOidcSettings(deps)
    const after = changedOidcSettings(before, body)
    audit('OIDC', '', changesBetween(before, after, { secret: ['client_secret'] }))
    await checkRoles(meta, caller, after.roles, before.roles)
    await writeOidcSettings(deps, after)
    return { data: withoutSecret(after) }
  })

  mount(testOidc, async ({ body, audit }) => {
    audit('OIDC', body.issuer)
    const settings = changedOidcSettings(await readOidcSettings(deps), body)
    if (settings.issuer === '') throw new ProductError('input.invalid', { detail: 'issuer' }, { field: 'issuer' })
    try {
      const found = (await discover(settings, now(), true)).serverMetadata()
      const names = ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'end_session_endpoint'] as const
      const lines = names.map((name) => `${name}: ${found[name] ?? '-'}`)
      return { data: { ok: true, lines: [`issuer: ${found.issuer}`, ...lines] } }
    } catch (error) {
      // Shown to the administrator who asked, as the answer of the test.
      return { data: { ok: false, lines: [problemText(error)] } }
    }
  })
}
