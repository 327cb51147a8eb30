import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { pipeline } from 'node:stream'

/** Headers that describe one connection (RFC 9110, 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
/** What a client could forge about itself; the gateway says it. */
const ABOUT_CLIENT = /^(?:forwarded|x-forwarded-.*|x-real-ip|x-request-id|expect|aw-.*)$/

export type UpstreamAnswer = { status: number; headers: [name: string, value: string][]; body: Buffer }
export type UpstreamFault = 'away' | 'slow' | 'too_large' | 'busy'
export class UpstreamError extends Error {
  readonly fault: UpstreamFault
  constructor(fault: UpstreamFault, options?: ErrorOptions) {
    super(`upstream: ${fault}`, options)
    this.name = 'UpstreamError'
    this.fault = fault
  }
}

export type Upstream = {
  /** Sends a whole request and answers the whole response; `take` reserves memory for bytes that arrive. Throws UpstreamError. */
  send(request: {
    method: string
    target: string
    headers: [name: string, value: string][]
    body: Uint8Array
    take(bytes: number): boolean
  }): Promise<UpstreamAnswer>
  /** Streams a request that is not sealed; resolves when it is over. */
  stream(request: IncomingMessage, response: ServerResponse, added: [name: string, value: string][]): Promise<void>
  close(): void
}

/** The server behind the gateway. `timeoutMs`: from the request to the whole answer. */
export function makeUpstream(options: {
  url: URL
  timeoutMs: number
  maxAnswerBytes: number
  connections: number
}): Upstream {
  const { url, timeoutMs, maxAnswerBytes, connections } = options
  const isTls = url.protocol === 'https:'
  const settings = { keepAlive: true, maxSockets: connections, maxFreeSockets: 32 }
  const agent = isTls ? new HttpsAgent(settings) : new HttpAgent(settings)
  const base = url.pathname.replace(/\/$/, '')

  const start = (method: string, target: string, headers: readonly [string, string][]) =>
    (isTls ? httpsRequest : httpRequest)({
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port || (isTls ? 443 : 80),
      agent,
      method,
      path: base + target,
      headers: Object.fromEntries(grouped(headers)),
    })

  return {
    send({ method, target, headers, body, take }) {
      return new Promise((resolve, reject) => {
        const call = start(method, target, [...headers, ['content-length', String(body.length)]])
        const timer = setTimeout(() => call.destroy(new UpstreamError('slow')), timeoutMs)
        const fail = (error: Error) => {
          clearTimeout(timer)
          reject(error instanceof UpstreamError ? error : new UpstreamError('away', { cause: error }))
        }
        call.on('error', fail)
        call.on('response', (answer) => {
          const chunks: Buffer[] = []
          let size = 0
          answer.on('data', (chunk: Buffer) => {
            size += chunk.length
            if (size > maxAnswerBytes) call.destroy(new UpstreamError('too_large'))
            else if (!take(chunk.length)) call.destroy(new UpstreamError('busy'))
            else chunks.push(chunk)
          })
          answer.on('error', fail)
          answer.on('end', () => {
            clearTimeout(timer)
            resolve({
              status: answer.statusCode ?? 502,
              headers: endToEnd(answer.rawHeaders),
              body: Buffer.concat(chunks),
            })
          })
        })
        call.end(body)
      })
    },
    stream(request, response, added) {
      return new Promise((resolve, reject) => {
        const call = start(request.method ?? 'GET', request.url ?? '/', [
          ...forwardedHeaders(request.rawHeaders),
          ...added,
          ...(request.headers['transfer-encoding'] === undefined
            ? []
            : [['transfer-encoding', 'chunked'] as [string, string]]),
        ])
        // Of the beginning of the answer: a long download may take longer.
        const timer = setTimeout(() => call.destroy(new UpstreamError('slow')), timeoutMs)
        const fail = (error: Error) => {
          clearTimeout(timer)
          request.unpipe(call)
          reject(error instanceof UpstreamError ? error : new UpstreamError('away', { cause: error }))
        }
        call.on('error', fail)
        response.on('close', () => {
          if (!response.writableFinished) call.destroy()
        })
        call.on('response', (answer) => {
          clearTimeout(timer)
          answer.setTimeout(timeoutMs, () => call.destroy(new UpstreamError('slow')))
          response.writeHead(answer.statusCode ?? 502, endToEnd(answer.rawHeaders).flat())
          pipeline(answer, response, (error) => (error ? fail(error) : resolve()))
        })
        request.pipe(call)
      })
    },
    close: () => agent.destroy(),
  }
}

/** The end-to-end headers of a client without what it may not say of itself; not those of the body, which the caller frames. */
export function forwardedHeaders(raw: readonly string[], dropped: readonly string[] = []): [string, string][] {
  return endToEnd(raw).filter(([name]) => {
    const lower = name.toLowerCase()
    return !ABOUT_CLIENT.test(lower) && !dropped.includes(lower)
  })
}

export function endToEnd(raw: readonly string[]): [string, string][] {
  const pairs: [string, string][] = []
  for (let at = 0; at + 1 < raw.length; at += 2) pairs.push([raw[at] as string, raw[at + 1] as string])
  const named = new Set(
    pairs
      .filter(([name]) => name.toLowerCase() === 'connection')
      .flatMap(([, value]) => value.split(',').map((one) => one.trim().toLowerCase())),
  )
  return pairs.filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase()) && !named.has(name.toLowerCase()))
}

/** Values of a name together, as http.request takes them. */
function grouped(headers: readonly [string, string][]): Map<string, string | string[]> {
  const all = new Map<string, string | string[]>()
  for (const [name, value] of headers) {
    const key = name.toLowerCase()
    const before = all.get(key)
    all.set(
      key,
      before === undefined ? value : key === 'host' ? before : [...(Array.isArray(before) ? before : [before]), value],
    )
  }
  return all
}
