import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { SETTLED_MS } from '#src/app/shell/settled.ts'
import { expect, prepare, signIn, test } from './support/console.ts'
import { knownEvents, makeSender, type Sender } from './user-analysis-events.ts'

/**
 * First loads in kB of gzip, as decisions name them; what the browser really fetched counts, worker and map data apart, and the live
 * connection, which every page of a signed-in user opens after its first load.
 */
const BUDGETS = {
  login: 200,
  shell: 320,
  mapOwn: 620,
  mapsFirstLoad: 1150,
  chart: 280,
  live: 20,
  worker: 160,
  geo: 110,
}
const LIVE = /\/live-connection-/

/** Without events no chart is drawn, and the library that draws it is not loaded. */
let sender: Sender
test.beforeAll(async () => {
  sender = await makeSender('admin', '体积测量')
  await sender.send(knownEvents(Date.now()))
})
test.afterAll(() => sender.remove())

test('[LOGIN-01] [SHELL-01] [STAT-02] [OBS-01] scripts of login, shell, chart page and observatory stay within their budgets', async ({
  page,
}) => {
  test.setTimeout(120_000)
  // What is loaded ahead of its use is no part of a first load: those timers never end here, however slow the machine is.
  await page.addInitScript((settled) => {
    const start = window.setTimeout.bind(window)
    const set = (work: TimerHandler, ms?: number, ...more: unknown[]) => (ms === settled ? 0 : start(work, ms, ...more))
    Object.defineProperty(window, 'setTimeout', { value: set })
  }, SETTLED_MS)
  const fetched = watch(page)
  await prepare(page)
  await page.goto('/login')
  await expect(page.locator('form')).toBeVisible()
  await fetched.still()
  const login = await fetched.scripts()
  await signIn(page)
  await fetched.still() // what home still fetches is not the shell's
  fetched.forget()
  const about = await page.goto('/about') // a page with little of its own: what loads is the shell
  const html = (await about?.text()) ?? ''
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // The page itself names what it loads: none is found out only when another one runs.
  expect([...(await fetched.scripts()).keys()].filter((path) => !html.includes(path))).toEqual([])
  // On a busy machine the network is idle for half a second between two files of the shell.
  await fetched.still()
  const shell = await fetched.scripts()
  await page.goto(`/statistics/user_analyzer?appid=${sender.appid}`)
  await expect(page.locator('canvas').first()).toBeVisible()
  await fetched.still()
  const chart = await fetched.scripts()
  fetched.forget()
  await page.goto('/maps')
  await expect(page.getByTestId('attacks-today')).toHaveText(/\d/)
  await fetched.still()
  const maps = await fetched.scripts()
  const own = new Map([...maps].filter(([path]) => !shell.has(path) && !/echarts/.test(path)))

  const loads = {
    login,
    shell: new Map([...shell].filter(([path]) => !LIVE.test(path))),
    chart: new Map([...chart].filter(([path]) => !shell.has(path) && !LIVE.test(path))),
    live: new Map([...chart].filter(([path]) => LIVE.test(path))),
    mapOwn: own,
    mapsFirstLoad: maps,
    worker: await fetched.ofKind('worker'),
    geo: await fetched.ofKind('geo'),
  }
  const sizes = Object.fromEntries(Object.entries(loads).map(([name, files]) => [name, total(files)]))
  console.log(`gzip kB: ${JSON.stringify(sizes)}`)
  for (const [name, limit] of Object.entries(BUDGETS) as [keyof typeof loads, number][])
    expect(total(loads[name]), `${name}: ${largest(loads[name])}`).toBeLessThanOrEqual(limit)
  expect(total(loads.chart), 'the chart was loaded').toBeGreaterThan(200)
  expect(total(loads.mapOwn), 'the map was loaded').toBeGreaterThan(200)
})

function total(files: Map<string, number>): number {
  return Math.round([...files.values()].reduce((sum, bytes) => sum + bytes, 0) / 1000)
}

/** Files by size, so that a failure names what is too much. */
function largest(files: Map<string, number>): string {
  const sorted = [...files].sort(([, a], [, b]) => b - a).slice(0, 40)
  return sorted.map(([path, bytes]) => `${path.split('/').at(-1)} ${(bytes / 1000).toFixed(1)}`).join(', ')
}

/** Sizes of what the page fetched, once a path; read as it comes, since a later navigation throws bodies away. */
function watch(page: Page) {
  let sizes = new Map<string, Promise<number>>()
  let last = Date.now()
  page.on('response', (response) => {
    last = Date.now()
    const path = new URL(response.url()).pathname
    if (!response.ok() || !/\.m?js$|^\/geo\//.test(path) || sizes.has(path)) return
    sizes.set(
      path,
      response.body().then(
        (body) => gzipSync(body, { level: 9 }).length,
        () => 0, // gone with the page that asked for it
      ),
    )
  })
  const isWorker = (path: string) => /worker/.test(path)
  async function take(matches: (path: string) => boolean): Promise<Map<string, number>> {
    const found = await Promise.all([...sizes].map(async ([path, size]) => [path, await size] as const))
    return new Map(found.filter(([path]) => matches(path)))
  }
  return {
    scripts: () => take((path) => /\.m?js$/.test(path) && !isWorker(path)),
    ofKind: (kind: 'worker' | 'geo') => take((path) => (kind === 'worker' ? isWorker(path) : path.startsWith('/geo/'))),
    /** Nothing more comes. */
    still: () => expect.poll(() => Date.now() - last, { timeout: 60_000 }).toBeGreaterThan(3000),
    forget: () => {
      sizes = new Map()
    },
  }
}
