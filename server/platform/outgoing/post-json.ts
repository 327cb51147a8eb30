import { lookup as resolveName } from 'node:dns'
import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { mayConnect, webhookProblem } from './target-check.ts'

const ANSWER_BYTES = 2048

export type Posted = { status: number | null; answer: string }

/**
 * Posts JSON to an address that somebody entered. The name is looked up once, and the connection goes to an address that was checked;
 * redirects are not followed. Answers the status and the beginning of the answer, or a null status and what went wrong.
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
  if (problem) return { status: null, answer: `address refused: ${problem}` }
  const url = new URL(text)
  const send = url.protocol === 'https:' ? overHttps : overHttp
  return new Promise((resolve) => {
    const fail = (error: Error) => resolve({ status: null, answer: error.message.slice(0, 300) })
    const request = send(
      url,
      {
        method: 'POST',
        agent: false,
        signal: AbortSignal.timeout(timeoutMs),
        lookup: checkedLookup(options.lookup ?? resolveName, internal),
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
          // Enough has been read to tell; the rest is not waited for.
          if (size >= ANSWER_BYTES) response.destroy()
        })
        response.on('error', () => {})
        response.on('close', () =>
          resolve({
            status: response.statusCode ?? null,
            answer: Buffer.concat(chunks).subarray(0, ANSWER_BYTES).toString('utf8').slice(0, 500),
          }),
        )
      },
    )
    request.on('error', fail)
    request.end(body)
  })
}

/** Refuses before anything is connected where the name points to what must not be reached. */
function checkedLookup(lookup: LookupFunction, internal: boolean): LookupFunction {
  return (name, options, done) =>
    lookup(name, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '')
      const all = (Array.isArray(found) ? found : [{ address: found, family: 4 }]) as {
        address: string
        family: number
      }[]
      const good = all.filter(({ address }) => mayConnect(address, internal))
      const [first] = good
      if (!first) return done(new Error('address refused: private'), '')
      if (options.all) done(null, good)
      else done(null, first.address, first.family)
    })
}
