import { lookup as resolveName } from 'node:dns'
import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { isIP } from 'node:net'
import { checkedLookup } from './post-json.ts'
import { mayConnect } from './target-check.ts'

const ANSWER_BYTES = 1024 * 1024

export type FetchOptions = {
  method: string
  headers: Record<string, string>
  body?: unknown
  signal?: AbortSignal
}

/**
 * A fetch for addresses that an administrator entered: internal ones are allowed, those that mayConnect never allows are not, redirects are not
 * followed, answers end at 1 MB. `ca`: certificates (PEM) to trust instead of Node's own. Rejects where there is no whole answer.
 */
export function makeCheckedFetch(ca: string): (url: string, options: FetchOptions) => Promise<Response> {
  return (text, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const url = new URL(text)
      const host = url.hostname.replace(/^\[|\]$/g, '')
      if (isIP(host) && !mayConnect(host, true)) return reject(new Error('address refused'))
      const content = body === undefined || body === null ? '' : String(body)
      const send = url.protocol === 'https:' ? overHttps : overHttp
      const request = send(
        url,
        {
          method,
          agent: false,
          ...(signal && { signal }),
          ...(ca !== '' && { ca }),
          minVersion: 'TLSv1.2',
          lookup: checkedLookup(resolveName, true, () => {}),
          headers: {
            ...headers,
            ...(content && { 'content-length': Buffer.byteLength(content) }),
            connection: 'close',
          },
        },
        (response) => {
          const chunks: Buffer[] = []
          let size = 0
          response.on('data', (chunk: Buffer) => {
            size += chunk.length
            if (size > ANSWER_BYTES) response.destroy(new Error('the answer is too long'))
            else chunks.push(chunk)
          })
          response.on('error', reject)
          response.on('end', () => {
            const answer = new Headers()
            for (const [name, value] of Object.entries(response.headers))
              for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) answer.append(name, one)
            const status = response.statusCode ?? 0
            const empty = status === 204 || status === 304
            resolve(new Response(empty ? null : Buffer.concat(chunks), { status, headers: answer }))
          })
        },
      )
      request.on('error', reject)
      request.end(content)
    })
}
