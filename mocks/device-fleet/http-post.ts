import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'

/** The collector's answer; status 0 when none came. */
export type PostAnswer = {
  status: number
  /** Parsed body, {} when it is not JSON. */
  json: Record<string, unknown>
  /** From Retry-After, ms. */
  retryAfterMs: number | undefined
  milliseconds: number
}
export type Post = (path: string, body: Uint8Array | string, headers: Record<string, string>) => Promise<PostAnswer>

const TIMEOUT_MS = 30_000

/** Posts below one origin over a few kept connections. Never rejects. */
export function makePost(origin: string, connections: number): Post & { close(): void } {
  const secure = origin.startsWith('https:')
  const agent = new (secure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: connections })
  const post: Post = (path, body, headers) =>
    new Promise((resolve) => {
      const started = performance.now()
      const done = (status: number, text = '', retryAfter?: string) =>
        resolve({
          status,
          json: parse(text),
          retryAfterMs: seconds(retryAfter),
          milliseconds: performance.now() - started,
        })
      const options = {
        method: 'POST',
        agent,
        timeout: TIMEOUT_MS,
        headers: { 'content-length': Buffer.byteLength(body), ...headers },
      }
      const onAnswer = (answer: IncomingMessage) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (part: string) => {
          text += part
        })
        answer.on('end', () => done(answer.statusCode ?? 0, text, answer.headers['retry-after']))
        answer.on('error', () => done(0))
      }
      const request = (secure ? httpsRequest : httpRequest)(new URL(path, origin), options, onAnswer)
      request.on('timeout', () => request.destroy())
      request.on('error', () => done(0))
      request.end(body)
    })
  return Object.assign(post, { close: () => agent.destroy() })
}

function parse(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>
  } catch {
    return {}
  }
}

function seconds(text: string | undefined): number | undefined {
  const value = Number(text)
  return text !== undefined && Number.isFinite(value) ? value * 1000 : undefined
}
