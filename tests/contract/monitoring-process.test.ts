import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApplication } from '#contracts/http/applications.ts'
import { createMonitorTask, monitorCopies, monitorDetail } from '#contracts/http/monitoring/tasks.ts'
import type { Offer } from '#mocks/app-markets/market-page.ts'
import { type RunningMarket, startMarket } from '#mocks/app-markets/market-server.ts'
import { planMarkets } from '#mocks/app-markets/markets.ts'
import { OPTIONS } from '#runtime/start-process.ts'
import { startProgram } from '#server/programs.ts'
import { Random } from '#tests/fuzz/mutate-input.ts'
import { makeCopy, makeKeys, published } from '#tests/monitoring-report/make-copies.ts'
import { type AssetBed, assetBed } from '#tests/support/asset-bed.ts'
import { good } from '#tests/support/detection-bed.ts'
import { madeApplication } from '#tests/support/made-application.ts'
import { waitFor } from '#tests/support/running-server.ts'

/** The process of all jobs, killed while it asks markets. */
const KEYS = makeKeys()
const BANK = published(madeApplication(1, 'com.canglan.bank', 'Pocket Bank'), KEYS)
const offerOf = (bytes: Uint8Array): Offer => ({
  ...{ name: 'Pocket Bank', package: 'com.canglan.bank', version: '1.7', downloads: 500, developer: 'someone' },
  bytes,
})
const OFFERS = [offerOf(BANK), offerOf(makeCopy('signed again', BANK, BANK, KEYS, new Random(7))!)]

let bed: AssetBed
const markets: RunningMarket[] = []
const children = new Set<ChildProcess>()
beforeAll(async () => {
  bed = await assetBed()
}, 120_000)
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  for (const one of markets) await one.close()
  await bed?.app.close()
})

function startJobs(): ChildProcess {
  const { config, database } = bed.app
  const child = startProgram('jobs-process', [], {
    silent: true,
    env: {
      ...process.env,
      APPWARDEN_DATA: config.dataFolder,
      APPWARDEN_MARKET_ORIGINS: markets.map(({ origin }) => origin).join(),
      [OPTIONS]: JSON.stringify({ database }),
    },
  })
  children.add(child)
  return child
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
  children.delete(child)
}

test('[MON-01] a run whose process was killed goes on in the next one, which asks only the markets that have not answered', {
  timeout: 150_000,
}, async () => {
  const made = await good(bed.owner, createApplication, { body: { name: 'Pocket Bank', mimetype_list: [1] } })
  const appid = made.object_list[0]!.id
  expect((await bed.upload(BANK, 'bank.apk', { appid })).body['code']).toBe(0)
  let isHeld = true
  for (const [at, { name, shape, habits }] of planMarkets(5).entries()) {
    const holds = at >= 3
    const misbehave = (_: unknown, __: unknown, path: string) => holds && isHeld && path !== '/robots.txt'
    const market = await startMarket(name, shape, { ...habits, rate: 0, misbehave }, OFFERS)
    markets.push(market)
    await bed.app.meta.db
      .insertInto('monitor_markets')
      .values({
        ...{
          id: `own-${name}`,
          built_in: false,
          name_zh: name,
          name_en: name,
          kind: 'download',
          region: 'cn',
          home: '',
        },
        ...{ hosts: [], interval_ms: 200, enabled: true, by_user: null, updated_at: 0 },
        connector: JSON.stringify(market.connector),
      })
      .execute()
  }
  const ids = markets.map(({ name }) => `own-${name}`)
  const task = (await good(bed.owner, createMonitorTask, { body: { appid, markets: ids } })).data.id
  const detail = () => good(bed.owner, monitorDetail, { query: { id: task } })

  const first = startJobs()
  await waitFor(async () => (await detail()).data.asked === 3, 60_000, 'three markets')
  // They were asked, and hold their answers.
  await waitFor(() => markets.slice(3).every(({ asked }) => asked.length > 1), 15_000, 'the held requests')
  await end(first, 'SIGKILL')
  expect((await detail()).data).toMatchObject({ state: 'monitoring', run: 1, asked: 3, unasked: 0 })

  isHeld = false
  const before = markets.slice(0, 3).map(({ asked }) => asked.length)
  const second = startJobs()
  await waitFor(async () => (await detail()).data.state !== 'monitoring', 90_000, 'the end of the run')
  expect((await detail()).data).toMatchObject({
    state: 'monitored',
    run: 1,
    asked: 5,
    unasked: 0,
    pirated: 1,
    genuine: 1,
  })
  expect(markets.slice(0, 3).map(({ asked }) => asked.length)).toEqual(before)
  const { data } = await good(bed.owner, monitorCopies, { query: { id: task } })
  expect(data.map(({ markets: count, offer }) => [count, offer])).toEqual([
    [5, 'offered'],
    [5, 'offered'],
  ])
  const row = await bed.app.meta.db
    .selectFrom('monitor_tasks')
    .select('starts')
    .where('id', '=', task)
    .executeTakeFirstOrThrow()
  expect(row.starts).toBe(2)
  await end(second, 'SIGTERM')
})
