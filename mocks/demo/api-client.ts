import { Readable } from 'node:stream'

/** A file to send, with the fields of its form. */
export type Upload = {
  readonly name: string
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  readonly fields?: Readonly<Record<string, string>>
}

/** Calls of the product's public API with an access token. */
export type Api = {
  get(path: string): Promise<Record<string, unknown>>
  post(path: string, body: object): Promise<Record<string, unknown>>
  /** Sends a file as a form, as it is read. */
  upload(path: string, file: Upload): Promise<Record<string, unknown>>
}

type Body = { readonly type: string; readonly content: string | ReadableStream }

const TIMEOUT_MS = 15_000
const UPLOAD_TIMEOUT_MS = 60_000
const BOUNDARY = 'appwarden-demo-5f0c1f6f2b'

/** Throws Error with the path and what the product said. */
export function apiClient(origin: string, token: string): Api {
  async function call(path: string, body?: Body, timeout = TIMEOUT_MS): Promise<Record<string, unknown>> {
    const answer = await fetch(new URL(path, origin), {
      headers: {
        authorization: `Bearer ${token}`,
        'accept-language': 'en',
        ...(body && { 'content-type': body.type }),
      },
      signal: AbortSignal.timeout(timeout),
      ...(body && { method: 'POST', body: body.content, duplex: 'half' as const }),
    })
    const json = (await answer.json().catch(() => ({}))) as Record<string, unknown>
    if (!answer.ok || json['code'] !== 0)
      throw new Error(`${path} answered ${answer.status} ${String(json['codemsg'] ?? '')}`)
    return json
  }
  return {
    get: (path) => call(path),
    post: (path, body) => call(path, { type: 'application/json', content: JSON.stringify(body) }),
    upload(path, file) {
      const content = Readable.toWeb(Readable.from(formOf(file))) as ReadableStream
      return call(path, { type: `multipart/form-data; boundary=${BOUNDARY}`, content }, UPLOAD_TIMEOUT_MS)
    },
  }
}

/** The form of an upload, read while it is sent: a demo that runs for days does not keep 70 MB of packages. */
async function* formOf({ name, content, fields = {} }: Upload): AsyncGenerator<Uint8Array> {
  const part = (head: string) => Buffer.from(`--${BOUNDARY}\r\ncontent-disposition: form-data; ${head}\r\n\r\n`)
  for (const [field, value] of Object.entries(fields))
    if (value) yield Buffer.concat([part(`name="${field}"`), Buffer.from(`${value}\r\n`)])
  yield part(`name="file"; filename="${name}"`)
  yield* content
  yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
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
