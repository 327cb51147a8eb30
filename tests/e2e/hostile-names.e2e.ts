import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { saveAlertRule } from '#contracts/http/alerts.ts'
import { saveBaseline } from '#contracts/http/baselines.ts'
import { exportEvents, exportList } from '#contracts/http/exports.ts'
import { createIngestKey } from '#contracts/http/ingest.ts'
import { saveCase } from '#contracts/http/investigation.ts'
import { downloadJob, jobs } from '#contracts/http/jobs.ts'
import { createPolicy } from '#contracts/http/policies.ts'
import { createRole, deleteRole } from '#contracts/http/roles.ts'
import { saveView } from '#contracts/http/saved-views.ts'
import { deleteWordGroup, saveWordGroup } from '#contracts/http/sensitive-words.ts'
import { deleteSite, saveSite } from '#contracts/http/sites.ts'
import { PAGES } from '#contracts/pages.ts'
import type { WireEvent } from '#contracts/telemetry/wire.ts'
import { type Api, apiWith } from '../support/api.ts'
import { waitFor } from '../support/running-server.ts'
import { expect, signIn, test, URL_OF_SERVER } from './support/console.ts'
import { tokenOf } from './support/packages.ts'
import { makeSender, type Sender } from './user-analysis-events.ts'

/** Runs where it becomes markup, is a formula where a table takes it for one, and closes whatever quotes it is put into. */
const HOSTILE = `=1+1"'><img src=x onerror=hit=1>`
/** What every view shows of it, wherever it is cut. */
const SHOWN = `=1+1"'>`

let sender: Sender
let api: Api
let token: string
const undo: (() => Promise<unknown>)[] = []

function hostileEvents(now: number): WireEvent[] {
  const texts = {
    app_version: HOSTILE,
    channel: HOSTILE,
    os: HOSTILE,
    model: HOSTILE,
    brand: HOSTILE,
    network: HOSTILE,
  }
  const event = (index: number): WireEvent => ({
    ...texts,
    event_id: randomUUID(),
    device_id: `hostile-${index % 4}`,
    user_id: `user-${index % 4}`,
    occurred_at: now - index * 60_000,
    platform: 'android',
    package_name: HOSTILE,
    session_id: HOSTILE,
    type: 'start',
  })
  const failure = {
    reason: HOSTILE,
    message: HOSTILE,
    stack: `${HOSTILE}\n\tat ${HOSTILE}(${HOSTILE}:1)`,
    thread: HOSTILE,
  }
  return Array.from({ length: 40 }, (_, index): WireEvent => {
    if (index % 4 === 0) return event(index)
    if (index % 4 === 1) return { ...event(index), type: 'crash', detail: failure }
    if (index % 4 === 2) return { ...event(index), type: 'exception', detail: failure }
    const place = { country: 'CN', province: '440000', city: '440300' }
    return { ...event(index), type: 'risk', risk_type: 'hook', action: 'block', place, detail: { [HOSTILE]: HOSTILE } }
  })
}

test.beforeAll(async () => {
  sender = await makeSender('operator', HOSTILE)
  await sender.send(hostileEvents(Date.now()))
  token = tokenOf('admin', ['all'])
  api = apiWith(URL_OF_SERVER, token)
  const { appid } = sender
  const { data: role } = await api(createRole, { body: { name: HOSTILE, administrator: false, auth: ['maps'] } })
  const { data: site } = await api(saveSite, { body: { name: HOSTILE, name_en: HOSTILE, longitude: 0, latitude: 0 } })
  undo.push(() => api(deleteRole, { body: { key: role.key } }))
  undo.push(() => api(deleteSite, { body: { id: site.id } }))
  await api(createPolicy, { body: { appid, name: HOSTILE } })
  await api(saveCase, { body: { title: HOSTILE } })
  await api(saveView, { body: { page: 'realtime', name: HOSTILE, shared: true, search: '?range=-24h' } })
  const { data: words } = await api(saveWordGroup, { body: { name: HOSTILE, note: HOSTILE } })
  undo.push(() => api(deleteWordGroup, { body: { id: words.id } }))
  await api(saveBaseline, {
    body: { appid, version: HOSTILE, package_name: HOSTILE, channels: [HOSTILE], note: HOSTILE },
  })
  await api(createIngestKey, { body: { appid, kind: 'server', name: HOSTILE, scopes: ['events'] } })
  await api(saveAlertRule, {
    body: {
      rule: {
        name: HOSTILE,
        measure: 'attacks',
        filters: [{ field: 'app', op: 'is', values: [appid] }],
        by: 'version',
        window: '1m',
        condition: { kind: 'threshold', op: 'at_least', value: 1 },
        severity: 'low',
        cooldown_minutes: 0,
        enabled: true,
        channels: [],
      },
    },
  })
  await sender.send(hostileEvents(Date.now()))
})
test.afterAll(async () => {
  for (const one of undo) await one()
  await sender.remove()
})

/** What a name became in the page: nothing but text. */
async function expectText(page: Page, path: string): Promise<void> {
  const found = await page.evaluate(() => ({
    ran: 'hit' in window,
    elements: document.querySelectorAll('img[src="x"], [onerror]').length,
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  }))
  expect({ path, ...found }).toMatchObject({ path, ran: false, elements: 0 })
  expect(found.overflow, `${path} is wider than its window`).toBeLessThanOrEqual(0)
}

/** Pages that show the name in their first view. */
const SHOWING = [
  '/home',
  '/realtime',
  '/awareness/alerts',
  '/global',
  '/mssa/abnormal',
  '/mssa/web',
  '/statistics/user_analyzer',
  '/statistics/app_analyzer',
  '/statistics/attack_analyzer',
  '/statistics/analyzer_system',
  '/statistics/app_start',
  '/exceptions/crash',
  '/exceptions/exception',
  '/exceptions/device',
  '/detection/sensitive_words',
  '/protect/sdk',
  '/config/policies',
  '/construction/index',
  '/platform/roles',
  '/platform/logs',
  '/platform/settings?tab=sites',
  '/platform/settings?tab=keys',
]

test('[STAT-01] a name that attacks is text on every page', async ({ page }) => {
  test.setTimeout(300_000)
  // What others sent to the same server is not beside it.
  await page.addInitScript((appid) => localStorage.setItem('appid', appid), sender.appid)
  await signIn(page, 'admin', { at: '/home' })
  const paths = Object.values(PAGES)
    .filter(({ built, bare, path }) => built && !bare && !/[:*]/.test(path))
    .map(({ path }) => path)
  for (const path of new Set([...paths, ...SHOWING])) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    if (SHOWING.includes(path)) await expect(page.getByRole('main'), path).toContainText(SHOWN)
    await page.waitForLoadState('networkidle', { timeout: 8000 }).catch(() => {}) // pages that ask again and again never rest
    await expectText(page, path)
  }
})

test('[STAT-02] a name that begins like a formula is text in every exported table', async () => {
  const query = {
    range: '-24h',
    timeBasis: 'received' as const,
    filters: [{ field: 'app' as const, op: 'is' as const, values: [sender.appid] }],
  }
  const asked = [
    await api(exportEvents, { body: { query, part: { kind: 'rows' }, format: 'csv', title: HOSTILE } }),
    await api(exportList, { body: { list: { of: 'alerts' }, format: 'csv', title: HOSTILE } }),
  ]
  for (const { job } of asked) {
    await waitFor(async () => (await api(jobs)).data.find(({ id }) => id === job.id)?.state === 'done', 70_000)
    const answer = await fetch(`${URL_OF_SERVER}${downloadJob.path}?id=${job.id}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(answer.headers.get('content-disposition')).not.toContain('<img')
    const text = await answer.text()
    expect(text).toContain('onerror')
    // In quotes, with an apostrophe before the sign that makes a formula of a cell.
    expect(text).not.toMatch(/(^|[,\n])"?=1\+1/)
    expect(text).toContain(`'=1+1""'>`)
  }
})
