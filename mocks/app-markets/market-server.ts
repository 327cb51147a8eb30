import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Connector } from '#engines/listing/connector.ts'
import type { ListingCharset } from '#engines/listing/encode-text.ts'
import type { MarketAnswer, MarketShape, Offer, Shown } from './market-page.ts'

/** How a market treats those who ask, beside its pages. */
export interface MarketHabits {
  readonly pageSize: number
  /** Requests in a second above which it answers 429; 0 for none. */
  readonly rate: number
  readonly robots: string
  readonly gzip: boolean
  /** Answers before everything else: true where it has answered. */
  readonly misbehave?: (request: IncomingMessage, response: ServerResponse, path: string) => boolean
}

export interface RunningMarket {
  readonly name: string
  readonly origin: string
  readonly connector: Connector
  /** Paths that were asked for, in their order. */
  readonly asked: string[]
  offers: readonly Offer[]
  close(): Promise<void>
}

/** A market on a port of loopback that shows what it offers in pages of its shape. */
export async function startMarket(
  name: string,
  shape: MarketShape,
  habits: MarketHabits,
  offers: readonly Offer[],
  port = 0,
): Promise<RunningMarket> {
  const asked: string[] = []
  let times: number[] = []
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const market: RunningMarket = {
    name,
    origin,
    connector: shape.connector(origin),
    asked,
    offers,
    close: () => closed(server),
  }
  return market

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = request.method === 'POST' ? await bodyOf(request) : ''
    const [path = '/', query = ''] = (request.url ?? '/').split('?')
    asked.push(request.url ?? '/')
    if (habits.misbehave?.(request, response, path)) return
    if (path === '/robots.txt')
      return send(response, { type: 'text/plain', body: habits.robots, status: habits.robots ? 200 : 404 })
    const now = performance.now()
    times = [...times.filter((one) => now - one < 1000), now]
    if (habits.rate && times.length > habits.rate)
      return send(response, { status: 429, type: 'text/plain', body: 'slow down', headers: { 'retry-after': '1' } })
    const [, kind, id = ''] = /^\/(file|go)\/(\d+)$/.exec(path) ?? []
    const offer = market.offers[Number(id)]
    if (kind && !offer) return send(response, { status: 404, type: 'text/plain', body: 'gone' })
    if (kind === 'go')
      return send(response, { status: 302, type: 'text/plain', body: '', headers: { location: `/file/${id}` } })
    if (offer && kind === 'file') {
      const etag = `"${id}-${offer.bytes.length}"`
      if (request.headers['if-none-match'] === etag)
        return send(response, { status: 304, type: 'text/plain', body: '' })
      return send(response, { type: 'application/vnd.android.package-archive', body: offer.bytes, headers: { etag } })
    }
    const page = shape.answer(path, parametersOf(body || query, shape.charset), shown, origin)
    send(response, page ?? { status: 404, type: 'text/plain', body: 'no such page' })
  }

  /** Page 0 is everything. */
  function shown(keyword: string, page: number): Shown {
    const all = market.offers
      .map((offer, id) => ({ id, offer }))
      .filter(({ offer }) => `${offer.name} ${offer.package}`.toLowerCase().includes(keyword.toLowerCase()))
    const pages = Math.ceil(all.length / habits.pageSize)
    return { offers: page === 0 ? all : all.slice((page - 1) * habits.pageSize, page * habits.pageSize), page, pages }
  }

  function send(response: ServerResponse, { status = 200, type, body, headers = {} }: MarketAnswer): void {
    const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body)
    const packs = habits.gzip && bytes.length > 200 && !type.includes('package-archive')
    const content = packs ? gzipSync(bytes) : bytes
    response.writeHead(status, {
      'content-type': type,
      ...(status !== 304 && { 'content-length': content.length }),
      ...(packs && { 'content-encoding': 'gzip' }),
      ...headers,
    })
    response.end(status === 304 ? undefined : content)
  }
}

/** Names and values in the market's encoding. */
function parametersOf(text: string, charset: ListingCharset): URLSearchParams {
  const decoder = new TextDecoder(charset)
  const decoded = (part: string) => {
    const bytes: number[] = []
    for (const { 0: whole, 1: hex } of part.replaceAll('+', ' ').matchAll(/%([\da-f]{2})|[\s\S]/gi))
      bytes.push(hex ? Number.parseInt(hex, 16) : whole.charCodeAt(0))
    return decoder.decode(Uint8Array.from(bytes))
  }
  const parameters = new URLSearchParams()
  for (const pair of text.split('&')) {
    const [name = '', value = ''] = pair.split('=')
    if (name) parameters.append(decoded(name), decoded(value))
  }
  return parameters
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('latin1')
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
