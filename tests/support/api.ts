import type { BodyInputOf, Endpoint, QueryOf, ResponseOf } from '#contracts/http/endpoint.ts'

/** Calls the product's API with an access token, as a script of a customer would. Throws on any code but 0. */
export function apiWith(url: string, token: string, timeoutMs = 15_000) {
  return async function call<E extends Endpoint>(
    endpoint: E,
    input: { query?: QueryOf<E>; body?: BodyInputOf<E> } = {},
  ): Promise<ResponseOf<E>> {
    const search = input.query ? `?${new URLSearchParams(input.query as Record<string, string>)}` : ''
    const answer = await fetch(`${url}${endpoint.path}${search}`, {
      method: endpoint.method,
      // A connection that is kept may be closed by the server in the moment it is used again.
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
      ...(endpoint.method === 'POST' && { body: JSON.stringify(input.body ?? {}) }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const body = (await answer.json()) as { code?: number; codemsg?: string }
    if (!answer.ok || body.code) throw new Error(`${endpoint.path}: ${answer.status} ${body.code} ${body.codemsg}`)
    return body as ResponseOf<E>
  }
}
export type Api = ReturnType<typeof apiWith>
