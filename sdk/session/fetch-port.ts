import type { HttpCall, HttpReply, SecureRequest, SecureResponse, SessionClient } from './client.ts'

/** The client over `fetch`, as browsers and Node have it. */

/** Redirects are not followed: the path is under the tag of the message. */
export function sendByFetch(fetchOf: () => typeof fetch): (call: HttpCall) => Promise<HttpReply> {
  return async ({ method, url, headers, body, signal }) => {
    const response = await fetchOf()(url, {
      method,
      headers,
      redirect: 'error',
      cache: 'no-store',
      ...(body && { body: body as Uint8Array<ArrayBuffer> }),
      ...(signal && { signal }),
    })
    return {
      status: response.status,
      header: (name) => response.headers.get(name),
      body: new Uint8Array(await response.arrayBuffer()),
    }
  }
}

export type SecureInit = {
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** Whether executing it twice is harmless (SecureRequest). */
  repeatable?: boolean
  signal?: AbortSignal
}

const WITHOUT_BODY = [204, 205, 304]

/** As `fetch(path, init)`, sealed. */
export function fetchBy(client: SessionClient): (path: string, init?: SecureInit) => Promise<Response> {
  return async (path, { method = 'GET', headers = {}, body, ...rest } = {}) => {
    const request: SecureRequest = { path, method: method.toUpperCase(), ...rest }
    const plain = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-type')
    request.headers = Object.fromEntries(plain)
    const [, given] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? []
    const implied = typeof body === 'string' ? 'text/plain;charset=UTF-8' : ''
    request.contentType = given ?? implied
    if (body !== undefined) request.body = typeof body === 'string' ? new TextEncoder().encode(body) : body
    return responseOf(await client.request(request))
  }
}

function responseOf({ status, contentType, body }: SecureResponse): Response {
  const content = WITHOUT_BODY.includes(status) ? null : (body as Uint8Array<ArrayBuffer>)
  return new Response(content, { status, headers: contentType ? { 'content-type': contentType } : {} })
}
