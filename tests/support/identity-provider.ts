import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, importJWK, type JWTPayload, SignJWT } from 'jose'
import Provider from 'oidc-provider'

export const CLIENT = { id: 'appwarden', secret: 'a-secret-of-the-client-0123456789' }
const SCOPES = ['openid', 'email', 'groups', 'profile']

export type Person = { email: string; email_verified?: boolean; groups: readonly string[] }

export type IdentityProvider = {
  issuer: string
  people: Record<string, Person>
  /** Changes the claims of the ID tokens that it hands out; they are signed again. */
  tamper: ((claims: JWTPayload) => JWTPayload) | undefined
  /** Signs changed tokens with a key that is not its own. */
  isForged: boolean
  /** Answers 503 to everything. */
  isAway: boolean
  close(): Promise<void>
}

/** A real OpenID Connect provider (the npm package oidc-provider) with one client, whose login form asks for a name and nothing else. */
export async function startIdentityProvider(
  consoleUrl: string,
  people: Record<string, Person>,
  host = '127.0.0.1',
): Promise<IdentityProvider> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const key = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'one' }
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${consoleUrl}/auth-redirect`],
        post_logout_redirect_uris: [`${consoleUrl}/login`],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: ['cookies of a test'] },
    scopes: SCOPES,
    claims: {
      openid: ['sub', 'amr', 'acr'],
      email: ['email', 'email_verified'],
      groups: ['groups'],
      profile: ['name'],
    },
    findAccount: (_ctx, sub) => ({
      accountId: sub,
      claims: () => ({ sub, ...one.people[sub], groups: [...(one.people[sub]?.groups ?? [])] }),
    }),
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        // The package's own page loads fonts from the network.
        logoutSource: async (ctx, form) => {
          ctx.type = 'html'
          ctx.body = `<!doctype html><html lang="en"><title>Provider</title><main><h1>Provider</h1>${form}
<button form="op.logoutForm" name="logout" value="yes">Sign out</button></main></html>`
        },
      },
    },
  })
  provider.use(async (ctx, next) => {
    if (one.isAway) {
      ctx.status = 503
      return
    }
    if (ctx.path.startsWith('/interaction/')) {
      if (ctx.method === 'GET') {
        ctx.type = 'html'
        ctx.body =
          '<!doctype html><html lang="en"><title>Provider</title><main><h1>Provider</h1><form method="post">' +
          '<label>Name <input name="login"></label><label><input type="checkbox" name="mfa"> Second factor</label>' +
          '<button>Sign in</button></form></main></html>'
        return
      }
      const chunks: Buffer[] = []
      for await (const chunk of ctx.req) chunks.push(chunk as Buffer)
      const form = new URLSearchParams(Buffer.concat(chunks).toString())
      const accountId = form.get('login') ?? ''
      if (accountId === 'refuse') {
        const refusal = { error: 'access_denied', error_description: 'refused' }
        return provider.interactionFinished(ctx.req, ctx.res, refusal, { mergeWithLastSubmission: false })
      }
      const grant = new provider.Grant({ accountId, clientId: CLIENT.id })
      grant.addOIDCScope(SCOPES.join(' '))
      const login = { accountId, amr: form.get('mfa') ? ['pwd', 'mfa'] : ['pwd'] }
      const result = { login, consent: { grantId: await grant.save() } }
      return provider.interactionFinished(ctx.req, ctx.res, result, { mergeWithLastSubmission: false })
    }
    await next()
    const body = ctx.body as { id_token?: string } | undefined
    if (ctx.path === '/token' && one.tamper && body?.id_token) {
      const claims = JSON.parse(
        Buffer.from(body.id_token.split('.')[1] as string, 'base64url').toString(),
      ) as JWTPayload
      const changed = new SignJWT(one.tamper(claims)).setProtectedHeader({ alg: 'RS256', kid: 'one' })
      body.id_token = await changed.sign(
        one.isForged ? (await generateKeyPair('RS256')).privateKey : await importJWK(key, 'RS256'),
      )
    }
  })
  server.on('request', provider.callback())
  const one: IdentityProvider = {
    issuer,
    people,
    tamper: undefined,
    isForged: false,
    isAway: false,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
  return one
}

/** Walks through the provider as a browser does, signing in as `login`; answers the address that it sends the browser back to. */
export async function signInAtProvider(url: string, login: string, form: Record<string, string> = {}): Promise<URL> {
  const { origin } = new URL(url)
  const cookies = new Map<string, string>()
  let next = new URL(url)
  let body: URLSearchParams | undefined
  for (let steps = 0; steps < 12; steps++) {
    if (next.origin !== origin) return next
    const answer = await fetch(next, {
      method: body ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(body && { body }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = answer.headers.get('location')
    body = location === null ? new URLSearchParams({ login, ...form }) : undefined
    if (location !== null) next = new URL(location, next)
    else if (!next.pathname.startsWith('/interaction/')) throw new Error(`${next.pathname}: ${await answer.text()}`)
  }
  throw new Error('the provider does not send the browser back')
}
