import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  deleteMarkets,
  marketDetail,
  markets,
  saveMarket,
  suggestMarket,
  tryMarket,
} from '#contracts/http/monitoring/markets.ts'
import type { Offer } from '#mocks/app-markets/market-page.ts'
import { type RunningMarket, startMarket } from '#mocks/app-markets/market-server.ts'
import { planMarkets } from '#mocks/app-markets/markets.ts'
import { BUILT_IN } from '#server/modules/monitoring/market-catalogue.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { good } from '#tests/support/detection-bed.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

/** The catalogue of channels, and the editor of their connectors: trial, suggestion, saving. */

const offer = (name: string, id: string, version: string): Offer => ({
  ...{ name, package: id, version, downloads: 500, developer: 'someone', bytes: Buffer.from(name) },
})
const OFFERS = [
  offer('Pocket Bank', 'com.canglan.bank', '1.7'),
  offer('Pocket Bank', 'com.canglan.bank', '1.8'),
  offer('Lantern Game', 'com.lantern.game', '1.0'),
]
let app: HttpApp
let owner: ConsoleClient
let market: RunningMarket

beforeAll(async () => {
  app = await startHttpApp()
  await app.addUser('owner@example.com', 'operator')
  owner = new ConsoleClient(app.url)
  await owner.signIn('owner@example.com', PASSWORD, CODE)
  const [plan] = planMarkets(1)
  market = await startMarket(plan!.name, plan!.shape, { ...plan!.habits, rate: 0 }, OFFERS)
  app.config.marketOrigins.push(market.origin)
}, 120_000)
afterAll(async () => {
  await market?.close()
  await app?.close()
})

test('[MON-01] markets have both names, a kind and an address, each once, and none is said to have been asked', async () => {
  expect(new Set(BUILT_IN.map(({ id }) => id)).size).toBe(BUILT_IN.length)
  const { data, counts } = await good(owner, markets, { query: { limit: 1000 } })
  expect(data).toHaveLength(BUILT_IN.length)
  expect(counts.manual + counts.connector).toBe(counts.all)
  expect(counts.all + counts.closed).toBe(BUILT_IN.length)
  // Not one connector was tried where this was built.
  expect(counts.untried).toBe(counts.connector)
  expect(data.every((one) => one.asked_at === null && one.pirated === null && one.problem === null)).toBe(true)
  const found = await good(owner, markets, { query: { search: '华为', kind: 'store' } })
  expect(found.data.map(({ name }) => name)).toContain('Huawei AppGallery')
})

describe('own markets', () => {
  const body = () => ({
    names: { zh: '测试市场', en: 'Test market' },
    kind: 'download' as const,
    region: 'cn' as const,
    home: '',
    hosts: [],
    interval_ms: 200,
    connector: market.connector as never,
  })

  test('[MON-01] a connector is saved after a trial that found something, and not with another one', async () => {
    const tried = await good(owner, tryMarket, { body: { ...body(), keyword: 'Pocket Bank' } })
    expect(tried.candidates.length).toBeGreaterThan(0)
    const nothing = await good(owner, tryMarket, { body: { ...body(), keyword: 'zzzzzz' } })
    expect(nothing).toMatchObject({ trial: '', problem: '' })
    const without = await owner.call(saveMarket, { body: { id: '', ...body() } })
    expect(without.body['code']).not.toBe(0)
    const other = { ...body(), hosts: ['example.com'] }
    expect((await owner.call(saveMarket, { body: { id: '', ...other, trial: tried.trial } })).body['code']).not.toBe(0)
    const { id } = await good(owner, saveMarket, { body: { id: '', ...body(), trial: tried.trial } })
    expect((await good(owner, marketDetail, { query: { id } })).names.en).toBe('Test market')
    // What was tried once need not be tried again to change its name.
    const renamed = { ...body(), names: { zh: '测试市场', en: 'Renamed' } }
    await good(owner, saveMarket, { body: { id, ...renamed } })
    expect((await good(owner, marketDetail, { query: { id } })).names.en).toBe('Renamed')
    expect((await owner.call(saveMarket, { body: { id, ...renamed, hosts: ['example.com'] } })).body['code']).not.toBe(
      0,
    )
    expect(await good(owner, deleteMarkets, { body: { ids: [id] } })).toEqual(expect.objectContaining({ deleted: 1 }))
  })

  test('[MON-01] the trial refuses addresses inside and says why a market cannot be asked', async () => {
    const connector = {
      ...(market.connector as Record<string, unknown>),
      url: 'http://169.254.169.254/latest?q={keyword}',
    } as never
    expect(await good(owner, tryMarket, { body: { ...body(), connector, keyword: 'x' } })).toMatchObject({
      problem: 'refused-address',
      trial: '',
    })
    const wrong = { ...(market.connector as Record<string, unknown>), items: 'a[[' } as never
    expect(
      (await owner.call(tryMarket, { body: { ...body(), connector: wrong, keyword: 'x' } })).body['code'],
    ).not.toBe(0)
  })

  test('[MON-01] rules are suggested from one page, each with what it reads there, and the first of them is tried and saved', async () => {
    const { url, form, encoding, firstPage, pages } = market.connector as Exclude<
      RunningMarket['connector'],
      { kind: 'manual' }
    >
    const page = { hosts: [], interval_ms: 200, url, form, encoding, firstPage, pages }
    const answer = await good(owner, suggestMarket, { body: { ...page, keyword: 'Pocket Bank' } })
    expect(answer).toMatchObject({ problem: '', detail: '' })
    const [first] = answer.suggestions
    expect(first?.sample).toMatchObject({ name: 'Pocket Bank', version: '1.7' })
    expect(first?.sample.download).not.toBe('')
    const suggested = { ...body(), connector: first!.connector }
    const tried = await good(owner, tryMarket, { body: { ...suggested, keyword: 'Pocket Bank' } })
    expect(tried.candidates.map(({ version }) => version)).toEqual(['1.7', '1.8'])
    const { id } = await good(owner, saveMarket, { body: { id: '', ...suggested, trial: tried.trial } })
    await good(owner, deleteMarkets, { body: { ids: [id] } })
    // Nothing there, and what may not be asked.
    expect(await good(owner, suggestMarket, { body: { ...page, keyword: 'zzzzzz' } })).toMatchObject({
      ...{ problem: '', suggestions: [] },
    })
    for (const [wrong, problem] of [
      ['http://169.254.169.254/?q={keyword}', 'refused-address'],
      [`${market.origin}/nothing/there?q={keyword}`, 'status'],
    ] as const)
      expect(await good(owner, suggestMarket, { body: { ...page, url: wrong, keyword: 'x' } }), wrong).toMatchObject({
        problem,
        suggestions: [],
      })
  })

  test('[MON-01] a channel that ended its service stays closed, whatever is saved of it', async () => {
    const closed = BUILT_IN.find((one) => one.closed)!
    const { names, kind, region, home } = closed
    const saved = { id: closed.id, names: { ...names }, kind, region, home, hosts: [], interval_ms: 3000 }
    await good(owner, saveMarket, { body: { ...saved, connector: { kind: 'manual' } } })
    expect((await good(owner, marketDetail, { query: { id: closed.id } })).data).toMatchObject({
      closed: true,
      built_in: true,
    })
    await good(owner, deleteMarkets, { body: { ids: [closed.id] } })
  })
})
