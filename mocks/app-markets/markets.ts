import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { MarketShape } from './market-page.ts'
import type { MarketHabits } from './market-server.ts'
import { SHAPES, type ShapeName } from './market-shapes.ts'

export interface MarketPlan {
  /** `m07-cards` */
  readonly name: string
  readonly shape: MarketShape
  readonly habits: MarketHabits
}

const CHARSETS = ['utf-8', 'gb18030', 'utf-8', 'big5'] as const
const ROBOTS = [
  '',
  'User-agent: *\nDisallow: /admin/\n',
  'User-agent: *\nAllow: /\nCrawl-delay: 0\nDisallow: /private/\n',
]

/** Plans of so many sound markets: every kind of page in turn, each with other names, encoding, nesting, paging, limit and packing. */
export function planMarkets(count: number): MarketPlan[] {
  const names = Object.keys(SHAPES) as ShapeName[]
  return Array.from({ length: count }, (_, at) => {
    const kind = names[at % names.length]!
    const round = Math.floor(at / names.length)
    // Traditional characters alone have two bytes in Big5: markets with it are asked in Latin.
    const charset = CHARSETS[(at + round) % 3 === 2 ? 0 : (at + round) % 3]!
    const prefix = `${'abcdefghjk'[at % 10]}${round}${kind.replaceAll('-', '')}`
    return {
      name: `m${String(at + 1).padStart(2, '0')}-${kind}`,
      shape: SHAPES[kind]({ prefix, charset, depth: (at * 7 + round) % 5 }),
      habits: {
        pageSize: 2 + ((at * 3) % 7),
        rate: at % 4 === 3 ? 20 : 0,
        robots: ROBOTS[at % ROBOTS.length]!,
        gzip: at % 2 === 1,
      },
    }
  })
}

type Misbehave = (request: IncomingMessage, response: ServerResponse, path: string) => boolean
const isFile = (path: string) => path.startsWith('/file/')

/** Markets that do what no market should; what each does. */
export const HOSTILE: Readonly<Record<string, Misbehave>> = {
  /** Takes the request and never answers. */
  hangs: (_, __, path) => path !== '/robots.txt',
  /** Declares more than it sends, and ends. */
  'lies-about-size': (_, response, path) => {
    if (!isFile(path)) return false
    response.writeHead(200, { 'content-length': 5_000_000 })
    response.write('PK\u0003\u0004 and no more')
    setTimeout(() => response.destroy(), 50)
    return true
  },
  /** Sends without end. */
  'never-ends': (_, response, path) => {
    if (!isFile(path)) return false
    response.writeHead(200, { 'content-type': 'application/octet-stream' })
    const block = Buffer.alloc(64 * 1024, 'PK')
    const more = () => {
      while (!response.destroyed && response.write(block));
    }
    response.on('drain', more)
    more()
    return true
  },
  /** Leads to an address inside of the network of the product. */
  'redirects-inside': (_, response, path) => {
    if (!isFile(path)) return false
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' })
    response.end()
    return true
  },
  'redirects-for-ever': (request, response, path) => {
    if (!isFile(path)) return false
    response.writeHead(302, { location: `${request.url}x`.slice(0, 200) })
    response.end()
    return true
  },
  /** A small answer that becomes 256 MB. */
  'bomb-page': (_, response, path) => {
    if (path === '/robots.txt') return false
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
    response.end(bomb())
    return true
  },
  'closes-at-once': (_, response, path) => {
    if (path === '/robots.txt') return false
    response.destroy()
    return true
  },
  'answers-500': (_, response, path) => {
    if (path === '/robots.txt') return false
    response.writeHead(500)
    response.end('<h1>Server Error</h1>')
    return true
  },
  'always-busy': (_, response, path) => {
    if (path === '/robots.txt') return false
    response.writeHead(429, { 'retry-after': '86400' })
    response.end()
    return true
  },
  'refuses-robots': (_, response, path) => {
    if (path !== '/robots.txt') return false
    response.writeHead(200, { 'content-type': 'text/plain' })
    response.end('User-agent: *\nDisallow: /\n')
    return true
  },
}

let packed: Buffer | undefined
function bomb(): Buffer {
  // Members one after another are one stream (RFC 1952, section 2.2): packing them all takes longer than a page may.
  if (!packed) {
    const member = gzipSync(Buffer.alloc(2 ** 20))
    packed = Buffer.concat(Array.from({ length: 256 }, () => member))
  }
  return packed
}
