import type { Endpoint } from '#contracts/http/endpoint.ts'
import type { Json } from './json-schema.ts'

/** How a caller says who it is. All schemes named in one requirement are needed together. */
export const SECURITY_SCHEMES: Record<string, Json> = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'aw_at_…',
    description: 'An access token of an account, limited to the permission items that it was made with',
  },
  displayToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'aw_dt_…',
    description: 'A display token: what a wall reads, and nothing else',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-aw_sid',
    description: 'The session of the console (`aw_sid` without TLS on this machine)',
  },
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'signature',
    description: 'HMAC-SM3 over method, target, time, nonce and body; prefix `0.` before sign-in',
  },
  tstamp: { type: 'apiKey', in: 'header', name: 'tstamp', description: 'Unix seconds, at most 60 s off' },
  requestToken: { type: 'apiKey', in: 'header', name: 'X-Token', description: 'Token of the session, from is_login' },
  jwt: { type: 'apiKey', in: 'header', name: 'jwt_token', description: 'JWT of the session, from is_login' },
}

/** What opens an endpoint; an empty list for one that needs nothing. */
export function securityOf({ access, navigation, tokens, enveloped }: Endpoint): Json[] {
  const signed = { signature: [], tstamp: [] }
  if (access === 'public') return enveloped ? [signed] : []
  return [
    ...(tokens?.access === false ? [] : [{ accessToken: [] }]),
    ...(tokens?.display ? [{ displayToken: [] }] : []),
    navigation ? { session: [] } : { session: [], requestToken: [], jwt: [], ...signed },
  ]
}
