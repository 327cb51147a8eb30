import type { Endpoint } from '#contracts/http/endpoint.ts'
import { fromBase64url, utf8 } from '#engines/gm/bytes.ts'
import { gmPortable } from '#engines/gm/gm-portable.ts'
import { signRequest } from '#engines/gm/signature.ts'
import { currentLanguage, translate } from '../i18n/texts.ts'
import { displayToken } from '../session/display-token.ts'
import { ApiError } from './api-error.ts'
import { apiTexts } from './api-texts.ts'
import { credentials, serverSeconds } from './credentials.ts'
import { randomBytes } from './gm-browser.ts'
import { idleSeconds } from './last-input.ts'

const TIMEOUT_MS = 15_000

export type Outgoing = {
  method: Endpoint['method']
  /** Path with query, exactly as it goes out: these bytes are signed. */
  target: string
  /** JSON text of a POST. */
  body?: string | undefined
  /** Signed before anybody is signed in: prefix 0. */
  isPublic: boolean
  /** Nonce of the signature where an envelope shares it (base64url of 16 bytes), with its time. */
  nonce?: Uint8Array
  tstamp?: number
  signal?: AbortSignal | undefined
  /** Further headers; they are not signed. */
  headers?: Record<string, string> | undefined
}

/** Signs and sends. Throws ApiError 'timeout' or 'connection'; the abort of the caller passes through as it is. */
export async function send(out: Outgoing): Promise<Response> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const wall = displayToken()
  try {
    return await fetch(out.target, {
      method: out.method,
      headers: {
        'accept-language': currentLanguage(),
        ...out.headers,
        ...(out.method === 'POST' ? { 'content-type': 'application/json' } : {}),
        ...(wall ? { authorization: `Bearer ${wall}` } : signed(out)),
      },
      credentials: wall ? 'omit' : 'same-origin',
      cache: 'no-store',
      signal: out.signal ? AbortSignal.any([out.signal, timeout]) : timeout,
      ...(out.body === undefined ? {} : { body: out.body }),
    })
  } catch (error) {
    if (out.signal?.aborted) throw error
    if (timeout.aborted) throw new ApiError('timeout', translate(apiTexts, 'timeout'), 0)
    throw new ApiError('connection', translate(apiTexts, 'connection', { status: 0 }), 0)
  }
}

function signed(out: Outgoing): Record<string, string> {
  const who = out.isPublic ? null : credentials()
  const tstamp = String(out.tstamp ?? serverSeconds())
  const request = { method: out.method, target: out.target, tstamp, body: utf8(out.body ?? '') }
  return {
    tstamp,
    signature: signRequest(gmPortable, request, out.nonce ?? randomBytes(16), who?.signatureKey),
    'x-idle': String(idleSeconds()),
    ...(who ? { 'x-token': who.token, jwt_token: who.jwt } : {}),
  }
}

/** The key of the `signature` header, from is_login. */
export function signatureKeyOf(text: string): Uint8Array {
  return fromBase64url(text) ?? new Uint8Array(0)
}

/** Path and query of a call; fields that are undefined are left out. */
export function targetOf(path: string, query: Record<string, unknown> | undefined): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) search.set(name, String(value))
  const text = search.toString()
  return text ? `${path}?${text}` : path
}
