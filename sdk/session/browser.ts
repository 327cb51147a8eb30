import { gmPortable } from '#engines/gm/gm-portable.ts'
import { type SecureRequest, type SecureResponse, SessionClient, type SessionClientOptions } from './client.ts'
import { fetchBy, type SecureInit, sendByFetch } from './fetch-port.ts'

/** The module for browsers: no packages, nothing to load besides. */

export { SecureError } from './client.ts'

export type SecureClient = {
  /** As `fetch(path, init)`. Rejects with SecureError. */
  fetch(path: string, init?: SecureInit): Promise<Response>
  request(request: SecureRequest): Promise<SecureResponse>
  /** Ends the session, for instance when the user signs out. */
  end(): void
}

/** Throws RangeError for a malformed key or origin. */
export function createSecureClient(options: SessionClientOptions): SecureClient {
  const client = new SessionClient(options, {
    gm: gmPortable,
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    now: () => Date.now(),
    send: sendByFetch(() => fetch),
    name: 'browser',
  })
  return {
    fetch: fetchBy(client),
    request: (request) => client.request(request),
    end: () => client.end(),
  }
}
