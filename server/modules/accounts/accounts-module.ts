import { ProductError } from '#contracts/errors.ts'
import {
  changePass,
  isLogin,
  logout,
  PROOF_HEADER,
  pTags,
  signin,
  type UserInfo,
  userGroup,
  verifyImage,
} from '#contracts/http/accounts.ts'
import { toHex } from '#engines/gm/bytes.ts'
import { idleSeconds } from '../../http/authenticate.ts'
import {
  clearSessionCookies,
  PRE_SESSION,
  readCookie,
  sessionCookie,
  setJwtCookie,
  setPreCookie,
} from '../../http/cookies.ts'
import type { HttpModule } from '../../http/http-deps.ts'
import { hashOf, makeSessionKeys, newSecretText } from '../../http/session-keys.ts'
import { makeSessions, type Session } from '../../http/sessions.ts'
import { readOidcSettings } from '../../platform/oidc/oidc-settings.ts'
import { providerLogout } from '../../platform/oidc/provider-logout.ts'
import { logoAddress } from '../../platform/platform-info/own-logo.ts'
import { platformName, readOwnText } from '../../platform/platform-info/own-texts.ts'
import { revokeAccessTokens } from '../tokens/access-tokens.ts'
import { answerSignIn } from './answer-sign-in.ts'
import { changePassword } from './change-password.ts'
import { signIn } from './sign-in.ts'
import { makeDemandProof } from './sign-in-proof.ts'
import { makeVerificationImage } from './verification-image.ts'

const DAY_MS = 86_400_000

/** Sign-in, who is signed in, sign-out, the own password, and what the login page needs to know. */
export const accountsModule: HttpModule = (mount, deps) => {
  const { config, envelopeKeys, meta, now, settings } = deps
  const keys = makeSessionKeys(deps)
  const sessions = makeSessions(deps)
  const demandProof = makeDemandProof(deps)
  const isEncrypted = () => settings().encrypt_requests

  mount(verifyImage, async ({ request, reply }) => {
    const pre = readCookie(request, PRE_SESSION) ?? newSecretText()
    const image = await makeVerificationImage(meta, hashOf(pre), { now: now(), fixed: config.captchaFixed })
    setPreCookie(reply, config, pre)
    reply.type('image/png').header('cache-control', 'no-store')
    return image
  })

  mount(signin, async ({ body, request, reply, audit, auditRole }) => {
    audit(body.username.trim().slice(0, 256))
    const pre = readCookie(request, PRE_SESSION)
    const begun = await signIn(deps, sessions, {
      ...body,
      preSession: pre && hashOf(pre),
      address: request.ip,
      agent: String(request.headers['user-agent'] ?? ''),
      demandProof: () => demandProof(request.ip, request.headers[PROOF_HEADER]),
    })
    auditRole(begun.session.user.role)
    return answerSignIn(config, keys, reply, begun)
  })

  mount(isLogin, async ({ request, reply }) => {
    const cookie = sessionCookie(request, config)
    const from = { idleSeconds: idleSeconds(request), address: request.ip }
    const session = cookie ? await sessions.find(cookie, from).catch(signedOut) : undefined
    if (!cookie || !session) {
      clearSessionCookies(reply, config)
      throw new ProductError('login.not_logged_in')
    }
    const jwt = await keys.issueJwt(session.label)
    setJwtCookie(reply, config, jwt)
    return {
      ...userInfo({ ...session.user, mustEnrol: session.mustEnrol }, isEncrypted(), now()),
      is_login: true as const,
      sig_key: keys.signatureKeyOf(session.id).toString('base64url'),
      token: keys.tokenOf(cookie),
      jwt_token: jwt,
      sid: session.label,
      server_time: Math.floor(now() / 1000),
      idle_seconds: settings().idle_minutes * 60,
    }
  })

  mount(userGroup, async ({ caller }) => {
    const user = await meta.db
      .selectFrom('users')
      .leftJoin('second_factors', 'second_factors.user_id', 'users.id')
      .leftJoin('sessions', (join) =>
        join.onRef('sessions.user_id', '=', 'users.id').on('sessions.id', '=', caller.credential),
      )
      .select(['users.expires_at', 'must_change_password', 'enabled_at', 'origin', 'strong'])
      .where('users.id', '=', caller.userId)
      .executeTakeFirstOrThrow()
    const account = {
      username: caller.username,
      role: caller.role,
      auth: caller.auth,
      expiresAt: user.expires_at,
      mustChangePassword: user.must_change_password,
      origin: user.origin,
      mustEnrol:
        caller.kind === 'session' &&
        user.enabled_at === null &&
        !user.strong &&
        settings().second_factor_roles.includes(caller.role),
    }
    const info = userInfo(account, isEncrypted(), now())
    return { ...info, data: { ...info, code: 0 as const } }
  })

  mount(pTags, async ({ caller }) => {
    const oidc = await readOidcSettings(deps)
    const { force_zh, zone, map_approval, log_days, encrypt_requests } = settings()
    const { kid, publicKey } = envelopeKeys.current()
    const name = platformName(settings(), caller.language)
    return {
      tags: [{ p_tag: name }],
      data: {
        product: name,
        logo: await logoAddress(meta),
        login_text: await readOwnText(meta, 'login', { platform: name }),
        forced_language: force_zh ? ('zh' as const) : null,
        zone,
        version: config.version,
        demo: config.demo,
        demo_accounts: config.demo && config.private ? [...(deps.openDemoAccounts?.() ?? [])] : [],
        envelope_key: { kid, public_key: toHex(publicKey) },
        is_encrypt: encrypt_requests,
        map_approval: map_approval || null,
        log_days,
        oidc: oidc.enabled ? { label: oidc.label } : null,
      },
    }
  })

  mount(logout, async ({ caller, reply, audit }) => {
    audit(caller.username)
    const redirect = caller.kind === 'session' ? await providerLogout(deps, caller.credential) : undefined
    if (caller.kind === 'session') await sessions.end(caller.credential, 'logout')
    clearSessionCookies(reply, config)
    return redirect === undefined ? {} : { redirect }
  })

  mount(changePass, async ({ body, caller, audit }) => {
    audit(caller.username)
    await changePassword(deps, caller.userId, caller.address, body)
    await sessions.endOf(caller.userId, 'password')
    await revokeAccessTokens(deps, caller.userId)
    return {}
  })
}

/** Signed out is an answer of is_login, not an error; a session that another sign-in replaced still says so. */
function signedOut(error: unknown): undefined {
  if (error instanceof ProductError && (error.key === 'session.signed_out' || error.key === 'session.address'))
    return undefined
  throw error
}

function userInfo(
  user: Pick<Session['user'], 'username' | 'role' | 'auth' | 'expiresAt' | 'mustChangePassword' | 'origin'> & {
    mustEnrol: boolean
  },
  isEncrypted: boolean,
  now: number,
): UserInfo {
  return {
    username: user.username,
    role: user.role,
    auth_list: [...user.auth],
    is_encrypt: isEncrypted,
    expire_day: user.expiresAt === null ? null : Math.max(0, Math.ceil((user.expiresAt - now) / DAY_MS)),
    must_change_password: user.mustChangePassword,
    must_enrol: user.mustEnrol,
    origin: user.origin as UserInfo['origin'],
  }
}
