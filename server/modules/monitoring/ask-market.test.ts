import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Connector } from '#engines/listing/connector.ts'
import type { Offer } from '#mocks/app-markets/market-page.ts'
import { type RunningMarket, startMarket } from '#mocks/app-markets/market-server.ts'
import { SHAPES } from '#mocks/app-markets/market-shapes.ts'
import { HOSTILE, planMarkets } from '#mocks/app-markets/markets.ts'
import { selfSigned } from '../../platform/tls/self-signed.ts'
import { askMarket, doubtOf, isNear, type Wanted } from './ask-market.ts'
import { HostPaces } from './host-paces.ts'
import { type FetcherOptions, MARKET_LIMITS, MarketProblem, MarketSession } from './market-fetcher.ts'

const WANTED: Wanted = { keywords: ['掌上银行', 'Pocket Bank'], packages: ['com.canglan.bank'] }
const offer = (name: string, id: string, version: string, text: string): Offer => ({
  name,
  package: id,
  version,
  downloads: 32_000,
  developer: 'someone',
  bytes: Buffer.from(text.repeat(50)),
})
const OFFERS: readonly Offer[] = [
  offer('Pocket Bank', 'com.canglan.bank', '9.4.0', 'genuine'),
  offer('Pocket Bank', 'net.free.tool', '9.4.1', 'clone'),
  offer('Lantern Game', 'com.lantern.game', '1.0', 'game'),
  offer('Pocket Bank Pro', 'com.canglan.bank', '9.3', 'repackaged'),
  ...Array.from({ length: 12 }, (_, at) => offer(`Filler ${at}`, `com.filler.app${at}`, '1.0', `filler ${at}`)),
]

const stop = new AbortController()
const optionsFor = (markets: readonly RunningMarket[], more: Partial<FetcherOptions> = {}): FetcherOptions => ({
  origins: new Set(markets.map(({ origin }) => origin)),
  proxy: '',
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
  now: () => Date.now(),
  ...more,
})
const ask = (market: RunningMarket, more: Partial<FetcherOptions> = {}, interval = 0) =>
  askMarket(
    new MarketSession(optionsFor([market], more), { hosts: [], interval }, stop.signal),
    market.connector,
    WANTED,
  )
const problemWith = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => undefined,
    (one: unknown) => one,
  )
  return error instanceof MarketProblem ? error.problem : String(error)
}

describe('sound markets', () => {
  const plans = planMarkets(60)
  let markets: RunningMarket[] = []
  beforeAll(async () => {
    markets = await Promise.all(
      plans.map(({ name, shape, habits }) => startMarket(name, shape, { ...habits, rate: 0 }, OFFERS)),
    )
  })
  afterAll(() => Promise.all(markets.map((one) => one.close())))

  test('[MON-01] in each of 60 markets the copies are found and other applications are not, whatever its pages look like', async () => {
    for (const market of markets) {
      const { candidates, pages } = await ask(market)
      const names = candidates
        .map(({ download }) => Number(/\/(?:file|go)\/(\d+)/.exec(download)?.[1]))
        .sort((a, b) => a - b)
      expect(names, market.name).toEqual([0, 1, 3])
      expect(pages, market.name).toBeGreaterThan(0)
      expect(
        candidates.every(({ version }) => /^[\d.]+$/.test(version)),
        market.name,
      ).toBe(true)
    }
  })

  test('[MON-01] no two of the 60 connectors are alike but for the address', () => {
    const texts = markets.map(({ connector, origin }) => JSON.stringify(connector).replaceAll(origin, ''))
    expect(new Set(texts).size).toBe(60)
  })

  test('[MON-01] a file is taken once: the next time the market says that it is unchanged', async () => {
    const [market] = markets
    const session = new MarketSession(optionsFor([market!]), { hosts: [], interval: 0 }, stop.signal)
    const kept: Buffer[] = []
    const keep = async (source: AsyncIterable<Uint8Array>) => {
      for await (const chunk of source) kept.push(Buffer.from(chunk))
    }
    const request = { url: `${market!.origin}/file/0`, form: '' }
    const first = await session.file(request, '', keep)
    expect(Buffer.concat(kept).equals(OFFERS[0]!.bytes)).toBe(true)
    expect(first).toMatchObject({ unchanged: false, size: OFFERS[0]!.bytes.length })
    expect(await session.file(request, first.etag, keep)).toMatchObject({ unchanged: true, sha256: '' })
  })

  test('[MON-01] keywords in Chinese reach a market in its own encoding', async () => {
    const plan = planMarkets(12).find(({ shape }) => shape.charset === 'gb18030')!
    const market = await startMarket('gbk', plan.shape, plan.habits, [
      offer('掌上银行', '', '1.0', 'x'),
      offer('别的', '', '1.0', 'y'),
    ])
    const { candidates } = await ask(market)
    expect(candidates.map(({ name }) => name)).toEqual(['掌上银行'])
    await market.close()
  })
})

describe('markets with more than is looked at', () => {
  const many = (count: number, name: string) =>
    Array.from({ length: count }, (_, at) => offer(`${name} ${at}`, `com.a${at}`, '1.0', `${at}`))
  const habits = { pageSize: 50, rate: 0, robots: '', gzip: false }
  const asked = async (kind: 'store-json' | 'sitemap', offers: readonly Offer[]) => {
    const market = await startMarket('many', SHAPES[kind]({ prefix: 'm', charset: 'utf-8', depth: 0 }), habits, offers)
    const { candidates, isPartial } = await ask(market)
    const pages = market.asked.length
    await market.close()
    return { candidates: candidates.length, isPartial, pages }
  }

  test('[MON-01] 100 candidates are taken, and the answer says that there were more', async () => {
    expect(await asked('store-json', many(130, 'Pocket Bank'))).toMatchObject({ candidates: 100, isPartial: true })
    expect(await asked('store-json', many(100, 'Pocket Bank'))).toMatchObject({ candidates: 100, isPartial: false })
  })

  test('[MON-01] 60 pages of items are opened, and the answer says that there were more', async () => {
    const offers = [...many(59, 'Other'), ...OFFERS.slice(0, 1)]
    expect(await asked('sitemap', offers)).toEqual({ candidates: 1, isPartial: false, pages: 62 })
    expect(await asked('sitemap', [...many(60, 'Other'), ...OFFERS.slice(0, 1)])).toEqual({
      candidates: 0,
      isPartial: true,
      pages: 62,
    })
  })
})

describe('markets that misbehave', () => {
  const shape = SHAPES['store-json']({ prefix: 'h', charset: 'utf-8', depth: 0 })
  const limits = { ...MARKET_LIMITS, pageSeconds: 1, fileSeconds: 2, fileBytes: 2 ** 20 }
  const hostile = (name: string) =>
    startMarket(name, shape, { pageSize: 5, rate: 0, robots: '', gzip: false, misbehave: HOSTILE[name]! }, OFFERS)
  const expected: Readonly<Record<string, string>> = {
    hangs: 'time',
    'lies-about-size': 'size',
    'never-ends': 'size',
    'redirects-inside': 'refused-address',
    'redirects-for-ever': 'redirects',
    'bomb-page': 'unpacked',
    'closes-at-once': 'broken',
    'answers-500': 'status',
    'always-busy': 'busy',
    'refuses-robots': 'robots',
  }

  for (const [name, problem] of Object.entries(expected))
    test(`[MON-01] a market that ${name.replaceAll('-', ' ')} is given up with the reason "${problem}"`, async () => {
      const market = await hostile(name)
      const session = new MarketSession(optionsFor([market], { limits }), { hosts: [], interval: 0 }, stop.signal)
      const before = process.memoryUsage().rss
      const work = async () => {
        const { candidates } = await askMarket(session, market.connector, WANTED)
        for (const { download } of candidates)
          await session.file({ url: download, form: '' }, '', async (source) => {
            for await (const _ of source);
          })
      }
      expect(await problemWith(work())).toBe(problem)
      expect(process.memoryUsage().rss - before).toBeLessThan(150 * 2 ** 20)
      await market.close()
    })

  test('[MON-01] an answer that ends before its declared length is broken', async () => {
    const market = await hostile('lies-about-size')
    const session = new MarketSession(optionsFor([market]), { hosts: [], interval: 0 }, stop.signal)
    const taken = session.file({ url: `${market.origin}/file/0`, form: '' }, '', async (source) => {
      for await (const _ of source);
    })
    expect(await problemWith(taken)).toBe('broken')
    await market.close()
  })

  test('[MON-01] a market that ends before its file is read is broken and ends nothing else', async () => {
    const market = await hostile('lies-about-size')
    const session = new MarketSession(optionsFor([market]), { hosts: [], interval: 0 }, stop.signal)
    const taken = session.file({ url: `${market.origin}/file/0`, form: '' }, '', async (source) => {
      // As a run does, which asks the database before the first byte: an error without a listener would be an uncaught one.
      await new Promise((later) => setTimeout(later, 300))
      for await (const _ of source);
    })
    expect(await problemWith(taken)).toBe('broken')
    await market.close()
  })

  test('[MON-01] a redirect to what is no address is broken, of a page as of robots.txt', async () => {
    for (const broken of ['/robots.txt', '/list']) {
      const server = createServer(({ url }, response) =>
        url === broken ? response.writeHead(302, { location: 'http://[' }).end() : response.writeHead(404).end(),
      )
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const options = { ...optionsFor([]), origins: new Set([origin]) }
      const session = new MarketSession(options, { hosts: [], interval: 0 }, stop.signal)
      expect(await problemWith(session.page({ url: `${origin}/list`, form: '' }))).toBe('broken')
      await new Promise((closed) => server.close(closed))
    }
  })

  test('[MON-01] a market with a limit is asked slowly enough, and what it says of robots sets the pace', async () => {
    const limited = await startMarket('limited', shape, { pageSize: 1, rate: 2, robots: '', gzip: false }, OFFERS)
    let waited = 0
    let clock = 1000
    const patient = {
      sleep: async (ms: number) => {
        waited += ms
        clock += ms
      },
      now: () => clock,
    }
    // It says when it wants to be asked again; who does not wait so long is refused.
    expect(await problemWith(ask(limited, patient))).toBe('busy')
    expect((await ask(limited)).candidates).toHaveLength(3)
    waited = 0
    const slow = await startMarket(
      'slow',
      shape,
      { pageSize: 5, rate: 0, robots: 'User-agent: *\nCrawl-delay: 3\n', gzip: false },
      OFFERS,
    )
    await ask(slow, patient, 500)
    expect(waited).toBeGreaterThanOrEqual(3000 * (slow.asked.length - 1))
    await Promise.all([limited.close(), slow.close()])
  })
})

describe('what the channels of one host share', () => {
  const serve = async (answer: (path: string) => [status: number, body: string]) => {
    const asked: string[] = []
    const server = createServer(({ url = '' }, response) => {
      asked.push(url)
      const [status, body] = answer(url)
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    return { asked, origin: `http://127.0.0.1:${port}`, close: () => server.close() }
  }
  const field = (select: string) => ({ select, attribute: '', pattern: '' })
  const connectorAt = (url: string, fields: Record<string, ReturnType<typeof field>>, detail: unknown = null) =>
    ({
      ...{ kind: 'json', url, form: '', encoding: 'utf-8', firstPage: 1, pages: 1, items: 'all', fields, detail },
    }) as Connector
  const list = (all: unknown) => [200, JSON.stringify({ all })] as [number, string]

  test('[MON-01] channels of one host keep one pace and read its robots.txt once, however many are asked at a time', async () => {
    const host = await serve((path) => (path === '/robots.txt' ? [404, ''] : list([{ name: 'Pocket Bank' }])))
    const paces = new HostPaces()
    let clock = 1000
    const times: number[] = []
    const options = {
      ...optionsFor([], {
        paces,
        now: () => clock,
        sleep: async (ms) => {
          clock += ms
          times.push(ms)
        },
      }),
      origins: new Set([host.origin]),
    }
    const ask = (at: number) =>
      askMarket(
        new MarketSession(options, { hosts: [], interval: 4000 }, stop.signal),
        connectorAt(`${host.origin}/${at}`, { name: field('name'), download: field('file') }),
        WANTED,
      )
    await Promise.all([1, 2, 3, 4, 5].map(ask))
    expect(host.asked.filter((path) => path === '/robots.txt')).toHaveLength(1)
    expect(host.asked).toHaveLength(6)
    expect(times).toEqual(Array(5).fill(4000))
    host.close()
  })

  test('[MON-01] a host without a name is looked up once in a run', async () => {
    let lookups = 0
    const paces = new HostPaces()
    const lookup: NonNullable<FetcherOptions['lookup']> = (_name, _options, done) => {
      lookups++
      done(Object.assign(new Error('not there'), { code: 'ENOTFOUND' }), '', 4)
    }
    const ask = () =>
      new MarketSession(optionsFor([], { paces, lookup }), { hosts: ['store.example'], interval: 0 }, stop.signal).page(
        { url: 'https://store.example/search', form: '' },
      )
    const problems = await Promise.all([1, 2, 3].map(() => problemWith(ask())))
    expect(problems).toEqual(['name', 'name', 'name'])
    expect(lookups).toBe(1)
  })

  test('[MON-01] a page of an item that is refused makes the answer partial, and what was found stays', async () => {
    const items = Array.from({ length: 9 }, (_, at) => ({ name: 'Pocket Bank', page: `/item/${at}` }))
    const host = await serve((path) => {
      if (path === '/robots.txt') return [404, '']
      if (path === '/list') return list(items)
      return path === '/item/0' ? [200, JSON.stringify({ file: '/files/0.apk' })] : [403, '']
    })
    const connector = connectorAt(
      `${host.origin}/list`,
      { name: field('name'), page: field('page') },
      { kind: 'json', fields: { download: field('file') } },
    )
    const options = { ...optionsFor([]), origins: new Set([host.origin]) }
    const asked = await askMarket(
      new MarketSession(options, { hosts: [], interval: 0 }, stop.signal),
      connector,
      WANTED,
    )
    expect(asked.candidates.map(({ download }) => download)).toEqual([`${host.origin}/files/0.apk`])
    expect(asked.refusal).toBe(`${host.origin}/item/1: status 403`)
    // After five refusals no more are asked for.
    expect(host.asked.filter((path) => path.startsWith('/item/'))).toHaveLength(6)
    expect(doubtOf(asked, { untried: false, source: '' })).toEqual(['partial', `${host.origin}/item/1: status 403`])
    host.close()
  })

  test('[MON-01] entries without files: people look at those that are not the own ones of the application; an address of another kind is no link', async () => {
    const all = [
      { name: 'Pocket Bank', id: 'com.canglan.bank', page: 'https://apps.example/1' },
      { name: 'Pocket Bank Pro', id: 'com.other.bank', page: 'https://apps.example/2' },
      { name: 'Pocket Bank', id: 'com.evil', page: 'javascript:alert(1)' },
      { name: 'Something else', id: 'com.unlike', page: 'https://apps.example/4' },
    ]
    const host = await serve((path) => (path === '/robots.txt' ? [404, ''] : list(all)))
    const options = { ...optionsFor([]), origins: new Set([host.origin]) }
    const ask = (fields: Record<string, ReturnType<typeof field>>, own: string[]) =>
      askMarket(
        new MarketSession(options, { hosts: [], interval: 0 }, stop.signal),
        connectorAt(`${host.origin}/list`, fields),
        { ...WANTED, own },
      )
    const fields = { name: field('name'), package: field('id'), page: field('page') }
    expect((await ask(fields, ['com.canglan.bank'])).leads).toEqual([
      { name: 'Pocket Bank Pro', page: 'https://apps.example/2' },
      { name: 'Pocket Bank', page: `${host.origin}/list` },
    ])
    expect((await ask(fields, [])).leads).toHaveLength(3)
    // One that should name files, and one that reads no names.
    const wrong = await ask({ ...fields, download: field('nothing') }, [])
    expect([wrong.isWithoutFiles, wrong.leads]).toEqual([true, []])
    expect((await ask({ package: field('id'), download: field('page') }, [])).readsNames).toBe(false)
    host.close()
  })
})

describe('a pace slower than an answer may take', () => {
  test('[MON-01] waiting for the market is no part of the time in which it must answer', async () => {
    const market = await startMarket(
      'slow',
      SHAPES['store-json']({ prefix: 's', charset: 'utf-8', depth: 0 }),
      { pageSize: 50, rate: 0, robots: 'User-agent: *\nCrawl-delay: 1\n', gzip: false },
      OFFERS,
    )
    const limits = { ...MARKET_LIMITS, pageSeconds: 0.5 }
    expect((await ask(market, { limits })).candidates).toHaveLength(3)
    await market.close()
  })
})

describe('a proxy', () => {
  const [servers, sockets] = [new Set<Server>(), new Set<Socket>()]
  const listening = async <T extends Server>(server: T): Promise<number> => {
    servers.add(server)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return (server.address() as AddressInfo).port
  }
  afterAll(async () => {
    for (const socket of sockets) socket.destroy()
    for (const server of servers) await new Promise((closed) => server.close(closed))
  })

  /** A proxy that leads to ports of this machine and refuses everything else; `asked` lists the targets. */
  async function startProxy(targets: Readonly<Record<string, number>>): Promise<{ proxy: string; asked: string[] }> {
    const asked: string[] = []
    const server = createServer((_, response) => response.writeHead(405).end())
    server.on('connect', ({ url = '' }, socket: Socket) => {
      sockets.add(socket)
      asked.push(url)
      const port = targets[url]
      if (port === undefined) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
      const target = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        target.pipe(socket).pipe(target)
      })
      sockets.add(target)
      for (const one of [socket, target]) one.on('error', () => one.destroy())
    })
    return { proxy: `http://127.0.0.1:${await listening(server)}`, asked }
  }
  const through = (proxy: string) =>
    new MarketSession(optionsFor([], { proxy }), { hosts: ['market.example'], interval: 0 }, stop.signal)

  test('[MON-01] a market is asked through the proxy, robots.txt and files too, and never beside it', async () => {
    const port = await listening(
      createServer(({ url, headers }, response) =>
        url === '/robots.txt' ? response.writeHead(404).end() : response.end(`${headers.host} ${url}`),
      ),
    )
    const { proxy, asked } = await startProxy({ 'market.example:80': port })
    const session = through(proxy)
    expect(await session.page({ url: 'http://market.example/a?b=1', form: '' })).toMatchObject({
      text: 'market.example /a?b=1',
    })
    const taken: Uint8Array[] = []
    const file = await session.file({ url: 'http://market.example/f.apk', form: '' }, '', async (source) => {
      for await (const chunk of source) taken.push(chunk)
    })
    expect(Buffer.concat(taken).toString()).toBe('market.example /f.apk')
    expect(file.size).toBe(Buffer.concat(taken).length)
    expect(asked).toEqual(['market.example:80', 'market.example:80', 'market.example:80'])
  })

  test('[MON-01] what is refused without a proxy is refused before the proxy is asked', async () => {
    const { proxy, asked } = await startProxy({})
    for (const [url, problem] of [
      ['http://10.0.0.1/', 'refused-address'],
      ['http://other.example/', 'foreign-host'],
      ['http://market.example:8080/', 'foreign-host'],
    ] as const)
      expect(await problemWith(through(proxy).page({ url, form: '' })), url).toBe(problem)
    expect(asked).toEqual([])
  })

  test('[MON-01] a proxy that refuses or is away is named; a certificate is checked behind it', async () => {
    const { proxy, asked } = await startProxy({})
    const page = { url: 'http://market.example/', form: '' }
    expect(await problemWith(through(proxy).page(page))).toBe('unreachable')
    expect(asked).toEqual(['market.example:80'])
    expect(await problemWith(through('http://127.0.0.1:9').page(page))).toBe('unreachable')
    const tls = createTlsServer(await selfSigned(['market.example'], 30, Date.now()), (_, response) =>
      response.end('x'),
    )
    const port = await listening(tls as unknown as Server)
    const secure = await startProxy({ 'market.example:443': port })
    const asking = through(secure.proxy).page({ url: 'https://market.example/', form: '' })
    await expect(asking).rejects.toMatchObject({
      problem: 'unreachable',
      message: expect.stringMatching(/SELF.SIGNED/i),
    })
    expect(secure.asked).toEqual(['market.example:443'])
  })
})

describe('addresses', () => {
  const session = (more: Partial<FetcherOptions> = {}, hosts = ['market.example', '.cdn.example']) =>
    new MarketSession(optionsFor([], more), { hosts, interval: 0 }, stop.signal)
  const page = (url: string, more: Partial<FetcherOptions> = {}) => problemWith(session(more).page({ url, form: '' }))

  test('[MON-01] only declared hosts, usual ports and public addresses are asked', async () => {
    expect(await page('http://other.example/')).toBe('foreign-host')
    expect(await page('http://market.example:8080/')).toBe('foreign-host')
    expect(await page('ftp://market.example/')).toBe('foreign-host')
    expect(await page('http://user@market.example/')).toBe('foreign-host')
    expect(await page('nothing')).toBe('foreign-host')
    for (const host of [
      '127.0.0.1',
      '10.1.2.3',
      '169.254.169.254',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '0x7f000001',
      '2130706433',
    ])
      expect(await page(`http://${host}/`), host).toBe('refused-address')
  })

  test('[MON-01] a name that resolves to a private address is refused at each connection', async () => {
    let answers = ['10.0.0.1']
    const lookup: FetcherOptions['lookup'] = (_name, _options, done) =>
      done(
        null,
        answers.map((address) => ({ address, family: 4 })),
      )
    expect(await page('http://market.example/', { lookup })).toBe('refused-address')
    expect(await page('http://a.cdn.example/', { lookup })).toBe('refused-address')
    answers = ['127.0.0.1', '192.168.1.1']
    expect(await page('http://market.example/', { lookup })).toBe('refused-address')
    const unknown: FetcherOptions['lookup'] = (_name, _options, done) =>
      done(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), '')
    expect(await page('http://market.example/', { lookup: unknown })).toBe('name')
  })

  test('[MON-01] the port of an admitted market is not that of its neighbour', async () => {
    const plan = planMarkets(1)[0]!
    const market = await startMarket(plan.name, plan.shape, plan.habits, OFFERS)
    const neighbour = `http://127.0.0.1:${Number(new URL(market.origin).port) + 1}/`
    const one = new MarketSession(optionsFor([market]), { hosts: [], interval: 0 }, stop.signal)
    expect(await problemWith(one.page({ url: neighbour, form: '' }))).toBe('refused-address')
    await market.close()
  })

  test('[MON-01] a stopped run is no failure of the market', async () => {
    const market = await startMarket(
      'hangs',
      SHAPES['store-json']({ prefix: 'h', charset: 'utf-8', depth: 0 }),
      { pageSize: 5, rate: 0, robots: '', gzip: false, misbehave: HOSTILE['hangs']! },
      OFFERS,
    )
    const ending = new AbortController()
    const one = new MarketSession(optionsFor([market]), { hosts: [], interval: 0 }, ending.signal)
    const asked = problemWith(askMarket(one, market.connector, WANTED))
    setTimeout(() => ending.abort(), 100)
    expect(await asked).toBe('stopped')
    await market.close()
  })

  test('[MON-01] what is near: the same or nearly the same id, a name that holds a keyword or is written to look like it', () => {
    expect(isNear({ package: 'com.canglan.bank' }, WANTED)).toBe(true)
    expect(isNear({ package: 'com.cang1an.bank' }, WANTED)).toBe(true)
    expect(isNear({ name: '掌上银行 破解版' }, WANTED)).toBe(true)
    expect(isNear({ name: 'P0cket Bаnk' }, WANTED)).toBe(true)
    expect(isNear({ name: 'Lantern', package: 'com.lantern.game' }, WANTED)).toBe(false)
    expect(isNear({}, WANTED)).toBe(false)
  })
})
