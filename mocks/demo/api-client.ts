/** Calls of the product's public API with an access token. */
export type Api = {
  get(path: string): Promise<Record<string, unknown>>
  post(path: string, body: object): Promise<Record<string, unknown>>
}

const TIMEOUT_MS = 15_000

/** Throws Error with the path and what the product said. */
export function apiClient(origin: string, token: string): Api {
  async function call(method: 'GET' | 'POST', path: string, body?: object): Promise<Record<string, unknown>> {
    const answer = await fetch(new URL(path, origin), {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'accept-language': 'en',
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const json = (await answer.json().catch(() => ({}))) as Record<string, unknown>
    if (!answer.ok || json['code'] !== 0)
      throw new Error(`${path} answered ${answer.status} ${String(json['codemsg'] ?? '')}`)
    return json
  }
  return { get: (path) => call('GET', path), post: (path, body) => call('POST', path, body) }
}

/** Resolves once the product answers that it is there. */
export async function untilHealthy(origin: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const healthy = await fetch(new URL('/healthz', origin), { signal: AbortSignal.timeout(2000) }).then(
      (answer) => answer.ok,
      () => false,
    )
    if (healthy) return
    await new Promise((wake) => setTimeout(wake, 150))
  }
}
