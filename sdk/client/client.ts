import { OPERATIONS, type Operations } from './api.generated.ts'

/**
 * The client of the AppWarden interface: one method for every operation of the OpenAPI document, typed by it. No dependencies; runs where
 * `fetch`, `Blob` and `FormData` exist (Node 20, browsers of a page that the server allows).
 */

export type OperationName = keyof Operations
export type InputOf<N extends OperationName> = Operations[N]['input']
export type AnswerOf<N extends OperationName> = Operations[N]['answer']
export type ErrorKeyOf<N extends OperationName> = Operations[N]['errors']

/** What the server refused, or `network.*`: no usable answer came. */
export class AppWardenError<K extends string = string> extends Error {
  readonly operation: string
  /** HTTP status; 0 where no answer came. */
  readonly status: number
  /** Number of the error; 0 where the answer was none of AppWarden's. */
  readonly code: number
  /** Name of the error, to compare with. */
  readonly key: K | 'network.failed' | 'network.timeout' | 'network.unreadable'
  /** Milliseconds after which trying again makes sense, where the server says so. */
  readonly retryAfterMs: number | undefined
  /** The whole answer of the server. */
  readonly answer: Readonly<Record<string, unknown>>

  constructor(fields: {
    operation: string
    message: string
    status: number
    code: number
    key: AppWardenError<K>['key']
    retryAfterMs?: number | undefined
    answer?: Readonly<Record<string, unknown>>
    cause?: unknown
  }) {
    super(`${fields.operation}: ${fields.message}`, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.name = 'AppWardenError'
    this.operation = fields.operation
    this.status = fields.status
    this.code = fields.code
    this.key = fields.key
    this.retryAfterMs = fields.retryAfterMs
    this.answer = fields.answer ?? {}
  }

  /** Whether this operation was refused; then `key` is one of its errors. */
  static of<N extends OperationName>(error: unknown, operation: N): error is AppWardenError<ErrorKeyOf<N>> {
    return error instanceof AppWardenError && error.operation === operation
  }
}

export type ClientOptions = {
  /** Address of the server, as https://appwarden.example. */
  url: string
  /** Access token (aw_at_…); for `collectEvents` a server key (aw_sk_…). */
  token?: string
  /** Language of error messages. */
  language?: 'zh' | 'en'
  /** A request that takes longer fails with network.timeout. */
  timeoutMs?: number
  fetch?: typeof fetch
}

/** The parts of an input, as every operation may have them. */
type Parts = {
  params?: Record<string, string>
  query?: Record<string, unknown>
  headers?: Record<string, unknown>
  body?: unknown
  file?: File
  bytes?: Blob
}
type Call<N extends OperationName> =
  Record<never, never> extends InputOf<N> ? [input?: InputOf<N>] : [input: InputOf<N>]

export class AppWardenClient {
  readonly #options: ClientOptions

  constructor(options: ClientOptions) {
    this.#options = { ...options, url: options.url.replace(/\/+$/, '') }
  }

  /** Calls an operation. Throws AppWardenError. */
  async call<N extends OperationName>(name: N, ...[input = {}]: Call<N>): Promise<AnswerOf<N>> {
    const { answer } = await this.send(name, input as Parts)
    return answer as AnswerOf<N>
  }

  /** As `call`, with the headers of the answer: resumable uploads report their state there. */
  async callWithHeaders<N extends OperationName>(
    name: N,
    ...[input = {}]: Call<N>
  ): Promise<{ answer: AnswerOf<N>; headers: Headers }> {
    const { answer, headers } = await this.send(name, input as Parts)
    return { answer: answer as AnswerOf<N>, headers }
  }

  private async send(name: OperationName, parts: Parts): Promise<{ answer: unknown; headers: Headers }> {
    const [method, path, bodyKind, answerKind] = OPERATIONS[name]
    const { url, token, language = 'en', timeoutMs = 15_000 } = this.#options
    const headers = new Headers({
      accept: answerKind === 'file' ? '*/*' : 'application/json',
      'accept-language': language,
    })
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
    for (const [key, value] of Object.entries(parts.headers ?? {}))
      if (value !== undefined) headers.set(key, String(value))
    if (bodyKind === 'json') headers.set('content-type', 'application/json')
    if (bodyKind === 'bytes') headers.set('content-type', 'application/offset+octet-stream')
    const bodies = {
      none: () => undefined,
      json: () => JSON.stringify(parts.body ?? {}),
      form: () => formOf(parts),
      bytes: () => parts.bytes,
    }
    const failed = (key: 'network.failed' | 'network.timeout' | 'network.unreadable', cause: unknown, status = 0) =>
      new AppWardenError({ operation: name, message: key, status, code: 0, key, cause })
    const isTimeout = (error: unknown) => (error as { name?: string } | null)?.name === 'TimeoutError'

    let response: Response
    try {
      response = await (this.#options.fetch ?? fetch)(url + fillPath(path, parts), {
        method,
        headers,
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
        ...(bodyKind !== 'none' && { body: bodies[bodyKind]() ?? null }),
      })
    } catch (error) {
      throw failed(isTimeout(error) ? 'network.timeout' : 'network.failed', error)
    }
    try {
      if (!response.ok) throw refusal(name, response, await response.text())
      if (answerKind === 'none') return { answer: undefined, headers: response.headers }
      return {
        answer: answerKind === 'file' ? await response.blob() : await response.json(),
        headers: response.headers,
      }
    } catch (error) {
      if (error instanceof AppWardenError) throw error
      throw failed(isTimeout(error) ? 'network.timeout' : 'network.unreadable', error, response.status)
    }
  }
}

function refusal(operation: string, { status, headers, statusText }: Response, text: string): AppWardenError {
  const seconds = Number(headers.get('retry-after'))
  const retryAfterMs = seconds > 0 ? seconds * 1000 : undefined
  try {
    const answer = JSON.parse(text) as Record<string, unknown>
    const { code, key, codemsg } = answer
    if (typeof code === 'number' && typeof key === 'string')
      return new AppWardenError({ operation, message: String(codemsg), status, code, key, retryAfterMs, answer })
  } catch {
    // No JSON: an answer of a proxy, or of a HEAD request.
  }
  const message = `HTTP ${status} ${statusText}`.trim()
  return new AppWardenError({ operation, message, status, code: 0, key: 'network.unreadable', retryAfterMs })
}

function fillPath(path: string, { params = {}, query = {} }: Parts): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const fields = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return fields.length === 0 ? filled : `${filled}?${new URLSearchParams(fields)}`
}

function formOf({ body, file }: Parts): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries((body ?? {}) as Record<string, unknown>))
    if (value !== undefined) form.set(name, String(value))
  if (file) form.set('file', file)
  return form
}
