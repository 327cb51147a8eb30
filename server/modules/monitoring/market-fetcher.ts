import { createHash } from 'node:crypto'
import { lookup as resolveName } from 'node:dns'
import { type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps, type RequestOptions } from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { type Readable, Transform } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { MarketProblemKey } from '#contracts/http/monitoring/markets.ts'
import { decodePage } from '#engines/listing/decode-page.ts'
import { type RobotRules, readRobots, robotsAllow } from '#engines/listing/robots.ts'
import { checkedLookup } from '../../platform/outgoing/post-json.ts'
import { mayConnect } from '../../platform/outgoing/target-check.ts'
import { timedSignal } from '../../platform/timed-signal.ts'
import { HostPaces } from './host-paces.ts'

/** Name under which robots.txt may speak to this product. */
export const MARKET_AGENT = 'AppWardenMonitor'

/** A market with a problem has no counts: nothing, or not all, is known of what it offers. */
export class MarketProblem extends Error {
  readonly problem: MarketProblemKey
  /** Milliseconds after which the market wants to be asked again. */
  readonly retryAfter: number
  constructor(problem: MarketProblemKey, detail: string, retryAfter = 0) {
    super(detail)
    this.problem = problem
    this.retryAfter = retryAfter
  }
}

export interface MarketLimits {
  /** Of a page, packed and unpacked. */
  readonly pageBytes: number
  readonly fileBytes: number
  readonly pageSeconds: number
  readonly fileSeconds: number
  readonly redirects: number
  /** Answers may grow by this when they are unpacked. */
  readonly ratio: number
}

export const MARKET_LIMITS: MarketLimits = {
  pageBytes: 4 * 2 ** 20,
  fileBytes: 512 * 2 ** 20,
  pageSeconds: 20,
  fileSeconds: 900,
  redirects: 5,
  ratio: 100,
}

export interface FetcherOptions {
  /** Exact origins (`http://127.0.0.1:8901`) of simulated markets, which alone may be private addresses; tests and the demo name them. */
  readonly origins: ReadonlySet<string>
  /** `http://proxy:port`, '' without one. A proxy resolves names itself: it must refuse private addresses. */
  readonly proxy: string
  readonly limits?: MarketLimits
  /** Shared by the sessions of one run; without it a session keeps its own. */
  readonly paces?: HostPaces
  readonly lookup?: LookupFunction
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  readonly now: () => number
}

const TLS = { minVersion: 'TLSv1.2' } as const
/** A market that wants to be asked later is waited for so long, so often for one page. */
const PATIENCE_MS = 10_000
const MOST_WAITS = 3

/** What may be asked for one market. */
export interface MarketAccess {
  /** Names of hosts; `.example.com` means all below it. */
  readonly hosts: readonly string[]
  /** Milliseconds between the end of a request and the begin of the next to the same host. */
  readonly interval: number
}

export interface MarketRequest {
  readonly url: string
  /** Body of a form that is posted; '' asks with GET. */
  readonly form: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface MarketPage {
  readonly text: string
  /** After redirects. */
  readonly url: string
  readonly charset: string
}

export interface MarketFile {
  /** `unchanged`: the market says that the file is the one that was taken before. */
  readonly unchanged: boolean
  readonly url: string
  readonly etag: string
  readonly size: number
  readonly sha256: string
}

/**
 * Asks markets: one session for each market and run, which keeps the pace of each host and its robots.txt. Every address is checked after it was resolved,
 * for each redirect again; only declared hosts are asked. Rejects with MarketProblem, whatever a market does.
 */
export class MarketSession {
  private readonly options: FetcherOptions
  private readonly access: MarketAccess
  private readonly signal: AbortSignal
  private readonly limits: MarketLimits
  private readonly paces: HostPaces
  private delay: number

  constructor(options: FetcherOptions, access: MarketAccess, signal: AbortSignal) {
    this.options = options
    this.access = access
    this.signal = signal
    this.limits = options.limits ?? MARKET_LIMITS
    this.paces = options.paces ?? new HostPaces()
    this.delay = access.interval
  }

  async page(asked: MarketRequest): Promise<MarketPage> {
    const { pageBytes, pageSeconds } = this.limits
    const { response, url } = await this.follow(asked, pageSeconds)
    const bytes = await this.guarded(() => gathered(this.unpacked(response, pageBytes), pageBytes))
    const { text, charset } = decodePage(bytes, String(response.headers['content-type'] ?? ''))
    return { text, charset, url }
  }

  /** Streams a file to `keep` and answers its hash. @param known the etag under which it was taken before, '' if never */
  async file(
    asked: MarketRequest,
    known: string,
    keep: (source: AsyncIterable<Uint8Array>) => Promise<void>,
  ): Promise<MarketFile> {
    const { fileBytes, fileSeconds } = this.limits
    const headers: Record<string, string> = known ? { 'if-none-match': known } : {}
    const { response, url } = await this.follow({ ...asked, headers }, fileSeconds)
    const etag = String(response.headers.etag ?? '')
    if (response.statusCode === 304) {
      response.destroy()
      return { unchanged: true, url, etag: known, size: 0, sha256: '' }
    }
    const hash = createHash('sha256')
    let size = 0
    const counted = async function* (source: AsyncIterable<Buffer>) {
      for await (const chunk of source) {
        size += chunk.length
        hash.update(chunk)
        yield chunk
      }
    }
    await this.guarded(() => keep(counted(this.unpacked(response, fileBytes) as AsyncIterable<Buffer>)))
    return { unchanged: false, url, etag, size, sha256: hash.digest('hex') }
  }

  /** The answer behind all redirects, each of which is checked like the first address. */
  private async follow(asked: MarketRequest, seconds: number): Promise<{ response: IncomingMessage; url: string }> {
    let { url: at, form } = asked
    let waits = 0
    for (let redirects = 0; ; redirects++) {
      const url = this.checked(at)
      await this.obeyRobots(url)
      const response = await this.paced(url, () => this.send(url, form, asked.headers ?? {}, seconds))
      const { statusCode: status = 0, headers } = response
      if (status >= 300 && status < 400 && status !== 304 && headers.location) {
        response.destroy()
        if (redirects >= this.limits.redirects) throw new MarketProblem('redirects', `more than ${redirects} redirects`)
        at = redirected(headers.location, url)
        if (status !== 307 && status !== 308) form = ''
        continue
      }
      if (status === 429 || status === 503) {
        response.destroy()
        const wait = retryAfter(headers['retry-after'], this.options.now())
        if (wait === 0 || wait > PATIENCE_MS || waits++ >= MOST_WAITS)
          throw new MarketProblem('busy', `status ${status}`, wait)
        this.paces.close(url.host, wait, this.options.now())
        await this.guarded(() => this.options.sleep(wait, this.signal))
        redirects--
        continue
      }
      if (status !== 304 && (status < 200 || status >= 300)) {
        response.destroy()
        throw new MarketProblem('status', `status ${status}`)
      }
      return { response, url: url.href }
    }
  }

  /** The address, if this market may have it. */
  private checked(text: string): URL {
    if (!URL.canParse(text)) throw new MarketProblem('foreign-host', 'no address')
    const url = new URL(text)
    if (this.options.origins.has(url.origin)) return url
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw new MarketProblem('foreign-host', `scheme ${url.protocol}`)
    if (url.username || url.password) throw new MarketProblem('foreign-host', 'an address with a user')
    const host = hostOf(url)
    if (isIP(host) && !mayConnect(host, false))
      throw new MarketProblem('refused-address', `address ${host} is not public`)
    if (!['', '80', '443'].includes(url.port)) throw new MarketProblem('foreign-host', `port ${url.port}`)
    const declared = this.access.hosts.some((one) =>
      one.startsWith('.') ? host.endsWith(one) || host === one.slice(1) : host === one,
    )
    if (!declared) throw new MarketProblem('foreign-host', `host ${host} is not declared`)
    return url
  }

  /** RFC 9309: rules of an origin count for a run; none at all where it has none, everything refused where it cannot say. */
  private async obeyRobots(url: URL): Promise<void> {
    const rules = await this.paces.turn(`robots.txt ${url.origin}`, () => this.robotsOf(url))
    this.delay = Math.max(this.delay, rules.delay * 1000)
    if (!robotsAllow(rules, `${url.pathname}${url.search}`))
      throw new MarketProblem('robots', `robots.txt of ${url.host} refuses ${url.pathname}`)
  }

  private async robotsOf(url: URL): Promise<RobotRules> {
    const known = this.paces.robots.get(url.origin)
    if (known instanceof Error) throw known
    if (known) return known
    try {
      const rules = await this.readRobotsOf(url)
      this.paces.robots.set(url.origin, rules)
      return rules
    } catch (error) {
      // A host without a name or a way to it has none for the other channels of the run either.
      if (error instanceof MarketProblem && (error.problem === 'name' || error.problem === 'unreachable'))
        this.paces.robots.set(url.origin, error)
      throw error
    }
  }

  private async readRobotsOf(url: URL): Promise<RobotRules> {
    let at = new URL('/robots.txt', url)
    for (let redirects = 0; redirects <= this.limits.redirects; redirects++) {
      const response = await this.paced(at, () => this.send(at, '', {}, this.limits.pageSeconds))
      const { statusCode: status = 0, headers } = response
      if (status >= 200 && status < 300) {
        const { pageBytes } = this.limits
        const bytes = await this.guarded(() => gathered(this.unpacked(response, pageBytes), pageBytes))
        return readRobots(decodePage(bytes, String(headers['content-type'] ?? '')).text, MARKET_AGENT)
      }
      response.destroy()
      if (status >= 300 && status < 400 && headers.location) at = this.checked(redirected(headers.location, at))
      else if (status === 429 || status === 503)
        throw new MarketProblem(
          'busy',
          `status ${status} for robots.txt`,
          retryAfter(headers['retry-after'], this.options.now()),
        )
      else if (status >= 500) throw new MarketProblem('robots', `status ${status} for robots.txt`)
      else break
    }
    return { rules: [], delay: 0 }
  }

  /** Waits until the host may be asked again. */
  private paced<T>({ host }: URL, ask: () => Promise<T>): Promise<T> {
    const { now, sleep } = this.options
    return this.paces.turn(host, async () => {
      const wait = this.paces.wait(host, this.delay, now())
      if (wait > 0) await this.guarded(() => sleep(wait, this.signal))
      try {
        return await this.guarded(ask)
      } finally {
        this.paces.asked(host, now())
      }
    })
  }

  /** @param seconds until the last byte of the answer; waiting for the market's pace comes before and does not count */
  private async send(
    url: URL,
    form: string,
    headers: Readonly<Record<string, string>>,
    seconds: number,
  ): Promise<IncomingMessage> {
    const signal = timedSignal(this.signal, seconds * 1000)
    const admitted = this.options.origins.has(url.origin)
    const isSecure = url.protocol === 'https:'
    const options: RequestOptions = {
      method: form ? 'POST' : 'GET',
      agent: false,
      signal,
      ...TLS,
      lookup: checkedLookup(this.options.lookup ?? resolveName, admitted, () => {}),
      headers: {
        'user-agent': MARKET_AGENT,
        accept: '*/*',
        'accept-encoding': 'gzip, br',
        ...headers,
        ...(form && {
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': String(Buffer.byteLength(form)),
        }),
        connection: 'close',
      },
    }
    if (this.options.proxy && !admitted) {
      const socket = await tunnel(this.options.proxy, url, signal)
      // An agent would make a connection of its own; without one nothing says which port goes without saying.
      delete options.agent
      options.defaultPort = isSecure ? 443 : 80
      options.createConnection = () =>
        isSecure
          ? connectTls({ socket, host: hostOf(url), servername: isIP(hostOf(url)) ? '' : hostOf(url), ...TLS })
          : socket
    }
    return new Promise((resolve, reject) => {
      const request = (isSecure ? overHttps : overHttp)(url, options, resolve)
      request.on('error', reject)
      request.end(form)
    })
  }

  /** The content of an answer, unpacked, never more than `most` bytes. */
  private unpacked(response: IncomingMessage, most: number): AsyncIterable<Buffer> {
    const declared = Number(response.headers['content-length'] ?? 0)
    if (declared > most) {
      response.destroy()
      throw new MarketProblem('size', `${declared} bytes are declared, ${most} are taken`)
    }
    const packed = counting(most, () => new MarketProblem('size', `more than ${most} bytes`))
    const encoding = String(response.headers['content-encoding'] ?? 'identity').toLowerCase()
    const unpack = UNPACK[encoding]
    if (!unpack) {
      response.destroy()
      throw new MarketProblem('broken', `encoding ${encoding}`)
    }
    const first = pass(response, packed)
    const stream = unpack()
    if (!stream) return first
    // Small answers may be as dense as they like.
    const bound = () => Math.min(most, Math.max(64 * 1024, packed.bytes * this.limits.ratio))
    const plain = counting(most, () => new MarketProblem('unpacked', `more than ${bound()} bytes when unpacked`), bound)
    return pass(pass(first, stream), plain)
  }

  /** Whatever a market does becomes a MarketProblem; the run's own end stays what it is. */
  private async guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw problemOf(error, this.signal)
    }
  }
}

/** A failure of the network as a problem of the market. */
export function problemOf(error: unknown, stop: AbortSignal): Error {
  if (error instanceof MarketProblem) return error
  if (stop.aborted) return new MarketProblem('stopped', 'stopped')
  const { name, code = '', message } = error as NodeJS.ErrnoException
  if (
    name === 'TimeoutError' ||
    (error as Error & { cause?: Error }).cause?.name === 'TimeoutError' ||
    code === 'ABORT_ERR'
  )
    return new MarketProblem('time', 'no whole answer in time')
  if (code === 'ENOSPC') return new MarketProblem('space', 'the disk is full')
  if (message.startsWith('address refused')) return new MarketProblem('refused-address', message)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new MarketProblem('name', `the name cannot be resolved (${code})`)
  if (/^(?:ECONN|EHOST|ENET|EPIPE|ETIMEDOUT|ERR_TLS|ERR_SSL|CERT_|DEPTH_|SELF_|UNABLE_)/.test(code))
    return new MarketProblem(code === 'ECONNRESET' ? 'broken' : 'unreachable', `${code} ${message}`.slice(0, 300))
  if (/^(?:HPE_|Z_|ERR__?Z|ERR_BROTLI|ERR__ERROR|ERR_STREAM)/.test(code) || message === 'aborted')
    return new MarketProblem('broken', message.slice(0, 300))
  return error as Error
}

const UNPACK: Readonly<Record<string, () => Transform | null>> = {
  identity: () => null,
  '': () => null,
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
}

class Counting extends Transform {
  bytes = 0
}

function counting(most: number, refuse: () => Error, bound = () => most): Counting {
  const stream: Counting = new Counting({
    transform(chunk: Buffer, _encoding, done) {
      stream.bytes += chunk.length
      if (stream.bytes > bound()) done(refuse())
      else done(null, chunk)
    },
  })
  return stream
}

/** Like pipe, with the errors of the source handed on and the source ended with the target. */
function pass<T extends Transform>(source: Readable, target: T): T {
  source.on('error', (error) => target.destroy(error))
  // A market may end before anybody reads the target, which keeps the error for its reader; an event without a listener would end the process.
  target.on('error', () => {})
  target.on('close', () => source.destroy())
  source.on('close', () => {
    if (!source.readableEnded) target.destroy(new MarketProblem('broken', 'the answer ended early'))
  })
  return source.pipe(target)
}

async function gathered(source: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    if (size > most) throw new MarketProblem('size', `more than ${most} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** A way through a proxy (RFC 9110, CONNECT). */
function tunnel(proxy: string, url: URL, signal: AbortSignal): Promise<Socket> {
  const target = `${url.hostname}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`
  return new Promise((resolve, reject) => {
    const request = overHttp(proxy, {
      method: 'CONNECT',
      path: target,
      agent: false,
      signal,
      headers: { host: target },
    })
    request.on('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) resolve(socket)
      else {
        socket.destroy()
        reject(new MarketProblem('unreachable', `the proxy answers ${statusCode}`))
      }
    })
    request.on('response', (response) => {
      response.destroy()
      reject(new MarketProblem('unreachable', `the proxy answers ${response.statusCode}`))
    })
    request.on('error', reject)
    request.end()
  })
}

function redirected(location: string, from: URL): string {
  if (!URL.canParse(location, from)) throw new MarketProblem('broken', 'a redirect to no address')
  return new URL(location, from).href
}

const hostOf = (url: URL): string =>
  url.hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()

function retryAfter(text: string | undefined, now: number): number {
  if (!text) return 0
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isFinite(ms) && ms > 0 ? ms : 0
}
