import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { suggestRules } from '#engines/listing/suggest-rules.ts'
import type { Offer } from '#mocks/app-markets/market-page.ts'
import { type RunningMarket, startMarket } from '#mocks/app-markets/market-server.ts'
import { planMarkets } from '#mocks/app-markets/markets.ts'
import { askMarket } from './ask-market.ts'
import { MarketSession } from './market-fetcher.ts'
import { suggestConnectors } from './suggest-connector.ts'

const offer = (name: string, id: string, version: string, text: string): Offer => ({
  ...{ name, package: id, version, downloads: 32_000, developer: 'someone', bytes: Buffer.from(text.repeat(50)) },
})
const OFFERS: readonly Offer[] = [
  offer('Pocket Bank', 'com.canglan.bank', '9.4.0', 'genuine'),
  offer('Pocket Bank', 'net.free.tool', '9.4.1', 'clone'),
  offer('Lantern Game', 'com.lantern.game', '1.0', 'game'),
  offer('Pocket Bank Pro', 'com.canglan.bank', '9.3', 'repackaged'),
  ...Array.from({ length: 12 }, (_, at) => offer(`Filler ${at}`, `com.filler.app${at}`, '1.0', `filler ${at}`)),
]
const WANTED = { keywords: ['Pocket Bank'], packages: ['com.canglan.bank'] }

const stop = new AbortController()
let markets: RunningMarket[] = []
beforeAll(async () => {
  markets = await Promise.all(
    planMarkets(60).map(({ name, shape, habits }) => startMarket(name, shape, { ...habits, rate: 0 }, OFFERS)),
  )
})
afterAll(() => Promise.all(markets.map((one) => one.close())))

const session = ({ origin }: RunningMarket) =>
  new MarketSession(
    { origins: new Set([origin]), proxy: '', sleep: async () => {}, now: () => Date.now() },
    { hosts: [], interval: 0 },
    stop.signal,
  )

test('[MON-01] in each of 60 markets the first suggestion finds what the connector of the market finds', async () => {
  const wrong: string[] = []
  for (const market of markets) {
    const { connector } = market
    if (connector.kind === 'manual') throw new Error(market.name)
    const { url, form, encoding, firstPage, pages } = connector
    const [first] = await suggestConnectors(session(market), { url, form, encoding, firstPage, pages }, 'Pocket Bank')
    const files = async (asked: typeof connector) =>
      (await askMarket(session(market), asked, WANTED)).candidates
        .map(({ download, version }) => `${/\/(?:file|go)\/(\d+)/.exec(download)?.[1]} ${version}`)
        .sort()
    const [mine, theirs] = [first ? await files(first.connector) : [], await files(connector)]
    expect(theirs, market.name).toHaveLength(3)
    if (JSON.stringify(mine) !== JSON.stringify(theirs))
      wrong.push(`${market.name}: ${JSON.stringify(mine)} ${JSON.stringify(first?.connector ?? null)}`)
  }
  expect(wrong).toEqual([])
})

test('[MON-01] one page of an item that is refused does not hide what was suggested from others, and is named where nothing was', async () => {
  const entry = (kind: string, page: string, name: string) =>
    `<${kind} class="${kind}-one"><a href="${page}">${name}</a></${kind}>`
  let isRefused = (path: string): boolean => path === '/bad'
  const server = createServer(({ url = '' }, response) => {
    const path = url.split('?')[0]!
    if (path === '/robots.txt' || isRefused(path)) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(
      path === '/search'
        ? `<div id="a">${entry('li', '/bad', 'Pocket Bank').repeat(4)}</div><div id="b">${entry('article', '/good', 'Pocket Bank').repeat(2)}</div>`
        : '<h1>Pocket Bank</h1><a class="get" href="/files/bank.apk">Get</a>',
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const request = { url: `${origin}/search?q={keyword}`, form: '', encoding: 'utf-8' as const, firstPage: 1, pages: 1 }
  const ask = () =>
    suggestConnectors(
      new MarketSession(
        { origins: new Set([origin]), proxy: '', sleep: async () => {}, now: () => Date.now() },
        { hosts: [], interval: 0 },
        stop.signal,
      ),
      request,
      'Pocket Bank',
    )
  const found = await ask()
  expect(found.map(({ sample }) => sample.download)).toContain('/files/bank.apk')
  isRefused = (path) => path !== '/search'
  await expect(ask()).rejects.toMatchObject({ problem: 'status' })
  server.close()
})

test('[MON-01] the selectors that are tried on a page are bounded, however many names it has', () => {
  const one = (at: number) =>
    `<div class="c${at}"><p class="n${at}">Pocket Bank ${at}</p><a href="/files/${at}.apk">1.${at}</a></div>`
  const page = `<html><body>${Array.from({ length: 40 }, (_, at) => one(at)).join('')}</body></html>`
  const found = (most?: number) => suggestRules(page, 'Pocket Bank', most).map(({ items }) => items)
  expect(found()).toHaveLength(6)
  expect(found(0)).toEqual([])
  // Enough for the first entries.
  const some = found(12)
  expect(some.length).toBeGreaterThan(0)
  expect(some.length).toBeLessThan(6)
  expect(found()).toEqual(expect.arrayContaining(some))
})
