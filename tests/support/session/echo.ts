import type { IncomingMessage, ServerResponse } from 'node:http'
import { concat, utf8 } from '#engines/gm/bytes.ts'
import type { SecureRequest, SecureResponse } from '#sdk/session/client.ts'

/** Random requests and the server that answers with what it got; SessionRig.java has the same in Java. */

/** Status by the length of the body; method, path and query in a line, and the body. */
export function echo(request: IncomingMessage, response: ServerResponse): void {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const body = Buffer.concat(parts)
    const [path, query = ''] = (request.url ?? '').split(/\?(.*)/s)
    response.statusCode = 200 + (body.length % 4)
    response.setHeader('content-type', request.headers['content-type'] ?? 'text/x-none')
    response.write(`${request.method} ${path}?${query}\n`)
    response.end(body)
  })
}

/** The generator of Mulberry32: a number below 2^32 for each call. */
export function seededNumbers(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** Sends so many requests one after another; throws for the first whose echo is not its own. */
export async function sendRandom(
  client: { request(request: SecureRequest): Promise<SecureResponse> },
  count: number,
  seed: number,
): Promise<number> {
  const below = seededNumbers(seed)
  const word = (limit: number) =>
    Array.from({ length: below(limit) }, () =>
      below(4) === 0 ? `%${below(256).toString(16).toUpperCase().padStart(2, '0')}` : 'abcXYZ019-_~'.charAt(below(12)),
    ).join('')
  for (let at = 0; at < count; at++) {
    const method = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'][below(5)] as string
    const path = `/${word(40)}`
    const query = below(3) === 0 ? '' : word(60)
    const length = method === 'GET' ? 0 : below(at % 50 === 0 ? 20_000 : 1_500)
    const body = Uint8Array.from({ length }, () => below(256))
    const contentType = length === 0 ? '' : 'application/octet-stream'
    const got = await client.request({ method, path: query ? `${path}?${query}` : path, contentType, body })
    // A path of dots is shortened by every URL parser before it is sent: there are none in these words.
    const expected = concat(utf8(`${method} ${path}?${query}\n`), body)
    const isSame =
      got.status === 200 + (length % 4) &&
      got.contentType === (contentType || 'text/x-none') &&
      got.body.length === expected.length &&
      got.body.every((byte, index) => byte === expected[index])
    if (!isSame) throw new Error(`message ${at} of seed ${seed} came back changed`)
  }
  return count
}
