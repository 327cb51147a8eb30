import { lookup as resolveName } from 'node:dns'
import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { mayConnect, webhookProblem } from './target-check.ts'

const ANSWER_BYTES = 2048

/**
 * `internal`: the target is an address that is refused by default (private, loopback), or its name could not be resolved while
 * internal targets are allowed. What such a target answered, and how fast, would show which ports are open: see deliver-notification.ts.
 */
export type Posted = { status: number | null; answer: string; internal: boolean }

/**
 * Posts JSON to an address that a user entered. The name is looked up once, and the connection goes to an address that was checked;
 * redirects are not followed. Returns the status and the beginning of the answer, or a null status and the reason of the failure.
 */
export async function postJson(options: {
  url: string
  body: string
  headers: Readonly<Record<string, string>>
  /** Internal targets are allowed (setting). */
  internal: boolean
  timeoutMs: number
  lookup?: LookupFunction
}): Promise<Posted> {
  const { url: text, body, headers, internal, timeoutMs } = options
  const problem = webhookProblem(text, internal)
  if (problem) return { status: null, answer: `address refused: ${problem}`, internal: false }
  const url = new URL(text)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // An address literal is never looked up; a name counts as internal until it resolved to public addresses only.
  let connectsInside = isIP(host) ? !mayConnect(host, false) : internal
  const send = url.protocol === 'https:' ? overHttps : overHttp
  return new Promise((resolve) => {
    const fail = (error: Error) =>
      resolve({ status: null, answer: error.message.slice(0, 300), internal: connectsInside })
    const request = send(
      url,
      {
        method: 'POST',
        agent: false,
        signal: AbortSignal.timeout(timeoutMs),
        lookup: checkedLookup(options.lookup ?? resolveName, internal, (inside) => {
          connectsInside = inside
        }),
        headers: {
          ...headers,
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(body),
          connection: 'close',
        },
      },
      (response) => {
        const chunks: Buffer[] = []
        let size = 0
        response.on('data', (chunk: Buffer) => {
          size += chunk.length
          chunks.push(chunk)
          // The beginning is all that is shown; do not wait for the rest.
          if (size >= ANSWER_BYTES) response.destroy()
        })
        response.on('error', () => {})
        response.on('close', () =>
          resolve({
            status: response.statusCode ?? null,
            answer: Buffer.concat(chunks).subarray(0, ANSWER_BYTES).toString('utf8').slice(0, 500),
            internal: connectsInside,
          }),
        )
      },
    )
    request.on('error', fail)
    request.end(body)
  })
}

/** Refuses a name that resolves to addresses which must not be reached, before any connection is made. */
export function checkedLookup(
  lookup: LookupFunction,
  internal: boolean,
  onResolved: (inside: boolean) => void,
): LookupFunction {
  return (name, options, done) =>
    lookup(name, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '')
      const all = (Array.isArray(found) ? found : [{ address: found, family: 4 }]) as {
        address: string
        family: number
      }[]
      const good = all.filter(({ address }) => mayConnect(address, internal))
      const [first] = good
      onResolved(first !== undefined && good.some(({ address }) => !mayConnect(address, false)))
      if (!first) return done(new Error('address refused: private'), '')
      if (options.all) done(null, good)
      else done(null, first.address, first.family)
    })
}
