import { afterAll, beforeAll, expect, test } from 'vitest'
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

test('[MON-01] in at least 50 of 60 markets the first suggestion finds what the connector of the market finds', async () => {
  const wrong: string[] = []
  let right = 0
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
    if (JSON.stringify(mine) === JSON.stringify(theirs)) right++
    else wrong.push(`${market.name}: ${JSON.stringify(mine)} ${JSON.stringify(first?.connector ?? null)}`)
  }
  expect(right, wrong.join('\n')).toBeGreaterThanOrEqual(50)
})
