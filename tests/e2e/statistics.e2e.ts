import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import type { WireEvent } from '#contracts/telemetry/wire.ts'
import { expect, expectAccessible, signIn, test } from './support/console.ts'
import { KNOWN, knownEvents, makeSender, type Sender } from './user-analysis-events.ts'

const NAME = '统计样例'
const TROUBLE = { crashes: 8, anrs: 4, exceptions: 12 } as const
const WEB = { devtools: 6, longtask: 3, attacks: 5 } as const
let sender: Sender

/** What known events lack: failures of three devices within minutes of each other, and what a page reports. */
function moreEvents(now: number): WireEvent[] {
  const event = (index: number, fields: Partial<WireEvent>): WireEvent => ({
    event_id: randomUUID(),
    type: 'crash',
    device_id: `device-${index % 3}`,
    occurred_at: now - 1_200_000 + index * 1000,
    platform: 'android',
    app_version: '1.0.0',
    os: 'Android 14',
    model: 'Model 1',
    ...fields,
  })
  const some = (count: number, fields: (index: number) => Partial<WireEvent>) =>
    Array.from({ length: count }, (_, index) => event(index, fields(index)))
  const page = { platform: 'web', model: 'Chrome 126', os: 'Windows 10', app_version: '3.0' } as const
  const browser = (index: number) => ({ ...page, device_id: `browser-${index % 4}` })
  return [
    ...some(TROUBLE.crashes, () => ({ type: 'crash', detail: { reason: 'SIGSEGV' } })),
    ...some(TROUBLE.anrs, () => ({ type: 'anr', detail: { reason: 'Input dispatching timed out' } })),
    ...some(TROUBLE.exceptions, () => ({ type: 'exception', detail: { reason: 'java.io.IOException' } })),
    ...some(WEB.devtools, (index) => ({ ...browser(index), type: 'web', detail: { kind: 'devtools', page: '/pay' } })),
    ...some(WEB.longtask, (index) => ({ ...browser(index), type: 'web', detail: { kind: 'longtask', page: '/home' } })),
    ...some(WEB.attacks, (index) => ({
      ...browser(index),
      type: 'risk',
      risk_type: 'automation',
      action: 'report',
      detail: { kind: 'webdriver' },
    })),
  ]
}
const ATTACKS = KNOWN.attacks + WEB.attacks

test.beforeAll(async () => {
  sender = await makeSender('operator2', NAME)
  const now = Date.now()
  await sender.send([...knownEvents(now), ...moreEvents(now)])
})
test.afterAll(() => sender.remove())

const address = (path: string) => `${path}?f=app:${sender.appid}&range=-24h&paused=1`
const kpi = (page: Page, key: string) => page.getByTestId(`kpi-${key}`)
const count = (page: Page) => page.getByTestId('event-count')

test('[STAT-02] application analysis: rates per 1,000 starts, versions side by side, each figure leads to its list', async ({
  page,
}) => {
  await signIn(page, 'operator2', { at: address('/statistics/app_analyzer') })
  await expect(kpi(page, 'starts')).toHaveAttribute('data-value', String(KNOWN.starts))
  await expect(kpi(page, 'crashes')).toHaveAttribute('data-value', String((TROUBLE.crashes * 1000) / KNOWN.starts))
  await expect(kpi(page, 'anrs')).toHaveAttribute('data-value', String((TROUBLE.anrs * 1000) / KNOWN.starts))
  const lines = page.getByRole('table', { name: '质量对比' }).locator('tbody tr')
  await expect(lines.first()).toContainText('1.0.0')
  await expectAccessible(page, 'application analysis')
  await page.getByRole('link', { name: '查看明细' }).click()
  await expect(page.getByRole('heading', { name: '启动统计' })).toBeVisible()
  await expect(kpi(page, 'starts')).toHaveAttribute('data-value', String(KNOWN.starts))
  await page.goBack()
  await page.getByRole('radio', { name: /崩溃率/ }).click()
  const details = page.getByRole('link', { name: '查看明细' })
  await expect(details).toHaveAttribute('href', /app_abnormal/)
  await details.click()
  await expect(page.getByRole('heading', { name: '异常触发统计' })).toBeVisible()
  await expect(kpi(page, 'events')).toHaveAttribute('data-value', String(TROUBLE.crashes))
})

test('[STAT-05] attack analysis: a cell of the heat map opens its events and filters the page', async ({ page }) => {
  await signIn(page, 'operator2', { at: address('/statistics/attack_analyzer') })
  const cells = page.getByRole('group', { name: /^按小时与星期，方向键/ }).locator('[data-cell]:enabled')
  await expect(cells.first()).toBeVisible()
  const values = await cells.evaluateAll((all) => all.map((one) => Number((one as HTMLElement).dataset['value'])))
  expect(values.reduce((a, b) => a + b, 0)).toBe(ATTACKS)
  const first = String(values[0])
  await cells.first().click({ modifiers: ['Shift'] })
  await expect(count(page)).toHaveText(first)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await cells.first().click()
  await expect(page).toHaveURL(/f=weekday/)
  const row = page.getByRole('table', { name: '周期对比' }).locator('tr[data-measure=attacks]')
  await expect(row.locator('td').nth(1)).toHaveText(first)
  await row.locator('td').nth(1).getByRole('button').click()
  await expect(count(page)).toHaveText(first)
})

test('[STAT-05] attack analysis: two periods, what explains the change, values that filter', async ({ page }) => {
  await signIn(page, 'operator2', { at: address('/statistics/attack_analyzer') })
  const versions = page.getByRole('list', { name: '版本' })
  await expect(versions.getByRole('button', { name: /1\.0\.0/ })).toContainText('90')
  await page.getByRole('radio', { name: '变化来源' }).click()
  const causes = page.getByRole('table', { name: '变化来源' })
  await expect(causes.locator('tbody tr', { hasText: '1.0.0' })).toContainText('+90')
  await expectAccessible(page, 'attack analysis')
  await causes.getByRole('button', { name: /1\.0\.0/ }).click()
  await expect(page).toHaveURL(/f=version%3A1\.0\.0|f=version:1\.0\.0/)
  await page.getByRole('radio', { name: '指标' }).click()
  const row = page.getByRole('table', { name: '周期对比' }).locator('tr[data-measure=attackedDevices]')
  // Three of four of the twenty devices have that version; until the filter is answered the row shows all.
  await expect(row.locator('td').nth(1)).toHaveText('15')
  await row.locator('td').nth(1).getByRole('button').click()
  await expect(page.getByTestId('entity-total')).toHaveAttribute('data-value', '15')
})

test('[STAT-03] [STAT-04] the lists behind the figures: risk triggers, abnormal devices, their periods; none is in the menu', async ({
  page,
}) => {
  await signIn(page, 'operator2', { at: address('/statistics/attack_analyzer') })
  await page.getByRole('link', { name: '全部风险触发' }).click()
  const table = page.getByRole('table', { name: '风险触发统计' })
  const hook = table.locator('tbody tr', { hasText: 'Hook' })
  await expect(hook.locator('[data-measure=attacks]')).toHaveAttribute('data-value', '30')
  await hook.locator('[data-measure=observed]').click()
  await expect(count(page)).toHaveText('30')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('navigation', { name: '本组页面' }).getByText('风险触发统计')).toHaveCount(0)

  await page.goto(address('/statistics/app_analyzer'))
  await page.getByRole('link', { name: '异常设备' }).click()
  const devices = page.getByRole('table', { name: '异常设备' }).locator('tbody tr')
  // 20 devices with attacks, of which three fail too, and 4 browsers with attacks.
  await expect(page.getByTestId('entity-total')).toHaveAttribute('data-value', '24')
  await devices.first().getByRole('link', { name: '查看' }).click()
  await expect(page.getByRole('heading', { name: '异常时段' })).toBeVisible()
  const periods = page.getByRole('table', { name: '异常时段' }).locator('tbody tr')
  const events = (await periods.first().locator('td').last().textContent())?.replace(/\D/g, '') ?? ''
  await periods.first().click()
  await expect(count(page)).toHaveText(events)
})

test('[GLOB-01] global view: every permitted application is there, and leads to its analysis', async ({ page }) => {
  await signIn(page, 'operator2', { at: '/global?range=-24h&paused=1' })
  await expect(page.getByTestId(`attacks-${sender.appid}`)).toHaveAttribute('data-value', String(ATTACKS))
  await expectAccessible(page, 'global view')
  await page.getByRole('radio', { name: '表格' }).click()
  await page.getByRole('table', { name: '全局视图' }).locator('tbody tr', { hasText: NAME }).click()
  await expect(page).toHaveURL(/app_analyzer\?.*f=app(%3A|:)\d+/)
  await expect(kpi(page, 'starts')).toHaveAttribute('data-value', String(KNOWN.starts))
})

test('[WEB-01] web security defense: what pages report, by kind, page and browser, down to the event', async ({
  page,
}) => {
  await signIn(page, 'operator2', { at: address('/mssa/web') })
  await expect(kpi(page, 'attacks')).toHaveAttribute('data-value', String(WEB.attacks))
  await page.getByRole('radio', { name: /Web 事件/ }).click()
  const all = WEB.attacks + WEB.devtools + WEB.longtask
  await expect(kpi(page, 'events')).toHaveAttribute('data-value', String(all))
  const kinds = page.getByRole('list', { name: '种类' })
  await expect(kinds.getByRole('button', { name: /devtools/ })).toContainText(String(WEB.devtools))
  await expect(page.getByRole('list', { name: '页面' }).getByRole('button', { name: /\/pay/ })).toContainText('6')
  await expect(page.getByRole('table', { name: '事件' }).locator('tbody tr')).toHaveCount(all)
  await expectAccessible(page, 'web security defense')
  await kinds.getByRole('button', { name: /devtools/ }).click()
  await expect(page.getByRole('table', { name: '事件' }).locator('tbody tr')).toHaveCount(WEB.devtools)
  await page.getByRole('table', { name: '事件' }).locator('tbody tr').first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
})

test('[STAT-05] the whole filtered set comes as an Excel workbook', async ({ page }) => {
  await signIn(page, 'operator2', { at: address('/statistics/attack_analyzer') })
  await page.getByRole('button', { name: '导出', exact: true }).click()
  await page.getByRole('menuitem', { name: /Excel/ }).click()
  const fetch = page.getByRole('button', { name: '下载', exact: true })
  await fetch.waitFor({ timeout: 30_000 })
  const [download] = await Promise.all([page.waitForEvent('download'), fetch.click()])
  expect(download.suggestedFilename()).toMatch(/\.xlsx$/)
  expect(readFileSync(await download.path()).subarray(0, 4)).toEqual(Buffer.from([0x50, 0x4b, 3, 4]))
})
