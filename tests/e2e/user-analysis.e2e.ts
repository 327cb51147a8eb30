import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, signIn, test } from './support/console.ts'
import { LOOKS } from './support/looks.ts'
import { KNOWN, knownEvents, makeSender, type Sender } from './user-analysis-events.ts'

const PAGE = '/statistics/user_analyzer'
let sender: Sender

test.beforeAll(async () => {
  sender = await makeSender('operator2', '用户分析样例')
  await sender.send(knownEvents(Date.now()))
})
test.afterAll(() => sender.remove())

const numberIn = async (place: Locator) => Number(((await place.textContent()) ?? '').replace(/[^\d]/g, ''))
const kpi = (page: Page, key: string) => page.getByTestId(`kpi-${key}`)
const count = (page: Page) => page.getByTestId('event-count')
const address = (search = '') => `${PAGE}?appid=${sender.appid}&f=app:${sender.appid}&paused=1${search}`

test('[STAT-02] the six figures say what was sent, and the parts of attacks add up to them', async ({ page }) => {
  await signIn(page, 'operator2', { at: address() })
  await expect(kpi(page, 'attacks')).toHaveAttribute('data-value', String(KNOWN.attacks))
  await expect(kpi(page, 'starts')).toHaveAttribute('data-value', String(KNOWN.starts))
  await expect(kpi(page, 'users')).toHaveAttribute('data-value', String(KNOWN.users))
  await expect(kpi(page, 'attackedUsers')).toHaveAttribute('data-value', String(KNOWN.attackedUsers))
  await expect(kpi(page, 'devices')).toHaveAttribute('data-value', '20')
  await expect(page.getByTestId('entity-total')).toHaveAttribute('data-value', String(KNOWN.attackedUsers))
  const versions = page.getByRole('list', { name: '版本' })
  await expect(versions.getByRole('button', { name: /1\.0\.0/ })).toContainText('90')
  const origins = page.getByRole('list', { name: '攻击来源' })
  await expect(origins.getByRole('button', { name: /^广东/ })).toContainText('30')
  await expect(origins.getByRole('button', { name: /^境外/ })).toContainText('30')
  await expect(origins.getByRole('button', { name: /^无位置/ })).toContainText('30')
})

test('[STAT-02] each figure opens exactly its rows: attacks, a level, a user, a device', async ({ page }) => {
  await signIn(page, 'operator2', { at: address() })
  await expect(kpi(page, 'attacks')).toBeVisible()
  await page.getByRole('button', { name: /^查看 120 条事件/ }).click()
  await expect(count(page)).toHaveText(String(KNOWN.attacks))
  const rows = page.getByRole('dialog').getByRole('list', { name: '事件' })
  await rows.getByRole('listitem').nth(1).getByRole('button').click()
  await expect(page.getByRole('heading', { name: /攻击事件/ })).toBeVisible()
  await expect(page.getByText('2 / 120')).toBeVisible()
  await page.keyboard.press('j')
  await expect(page.getByText('3 / 120')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('3 / 120')).toBeHidden()
  // The keys go to the list again once it has the focus back.
  await expect(page.locator('[role=dialog]:focus-within')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.locator('button:visible', { has: page.locator('[data-level=critical]') }).click()
  await expect(kpi(page, 'attacks')).toHaveAttribute('data-value', String(KNOWN.critical))
  await page.getByRole('button', { name: /^查看 30 条事件/ }).click()
  await expect(count(page)).toHaveText(String(KNOWN.critical))
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+z')
  await expect(kpi(page, 'attacks')).toHaveAttribute('data-value', String(KNOWN.attacks))

  for (const [list, column] of [
    ['受攻击用户', 3],
    ['活跃设备', 4],
  ] as const) {
    await page.getByRole('radiogroup', { name: '列表' }).getByRole('radio', { name: list }).click()
    const row = page.getByRole('table', { name: list }).locator('tbody tr').first()
    const said = await numberIn(row.locator('td').nth(column))
    expect(said).toBeGreaterThan(0)
    await row.click()
    await expect(count(page)).toHaveText(String(said))
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})

test('[STAT-05] facets filter and exclude, chips take it back, an empty page says which filter did it', async ({
  page,
}) => {
  await signIn(page, 'operator2', { at: address() })
  const attacks = kpi(page, 'attacks')
  await expect(attacks).toHaveAttribute('data-value', '120')
  const newer = page.getByRole('list', { name: '版本' }).getByRole('button', { name: /2\.0\.0/ })
  await newer.click()
  await expect(attacks).toHaveAttribute('data-value', '30')
  await page.getByRole('button', { name: /去掉 应用版本：2\.0\.0/ }).click()
  await expect(attacks).toHaveAttribute('data-value', '120')
  await newer.click({ modifiers: ['Shift'] })
  await expect(attacks).toHaveAttribute('data-value', '90')
  await expect(page).toHaveURL(/f=%21version/)
  await page.goto(address('&f=version:9.9'))
  await expect(page.getByText('1 个条件排除了全部 120 条').first()).toBeVisible()
  await page.getByRole('button', { name: '去掉这一条' }).first().click()
  await expect(attacks).toHaveAttribute('data-value', '120')
})

test('[STAT-02] choosing a figure switches the chart, which reads by keyboard and has a table twin', async ({
  page,
}) => {
  await signIn(page, 'operator2', { at: address() })
  await page.getByRole('radio', { name: /启动次数/ }).click()
  await expect(page).toHaveURL(/kpi=starts/)
  const chart = page.getByRole('group', { name: /^启动次数，方向键/ })
  await expect(chart).toBeVisible()
  await chart.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  await expect(chart.locator('[aria-live=polite]')).toContainText('启动次数')
  await page.getByRole('button', { name: '用表格看' }).click()
  const cells = page.getByRole('table', { name: '启动次数' }).locator('tbody tr td:nth-child(2)')
  const sum = async () =>
    (await cells.allTextContents()).reduce((total, text) => total + Number(text.replaceAll(',', '')), 0)
  await expect.poll(sum).toBe(KNOWN.starts)
})

test('[STAT-02] dragging over the chart sets the range; the picture is saved', async ({ page }) => {
  await signIn(page, 'operator2', { at: address('&range=-3h') })
  const chart = page.getByRole('group', { name: /^攻击次数，按等级，方向键/ })
  await expect(chart.locator('canvas')).toBeVisible()
  const [picture] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '保存为图片' }).click(),
  ])
  expect(picture.suggestedFilename()).toMatch(/^attacks-.*\.png$/)
  expect(
    readFileSync(await picture.path())
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG')
  const box = await chart.boundingBox()
  if (!box) throw new Error('no chart')
  await page.mouse.move(box.x + 200, box.y + 80)
  await page.mouse.down()
  await page.mouse.move(box.x + 420, box.y + 90, { steps: 4 })
  await page.mouse.up()
  await expect(page).toHaveURL(/range=\d+%7E\d+/)
})

test('[STAT-05] ranges are typed, shifted and kept in a link; going back undoes', async ({ page }) => {
  await signIn(page, 'operator2', { at: address() })
  await expect(kpi(page, 'attacks')).toHaveAttribute('data-value', '120')
  await page.keyboard.press('t')
  const typed = page.getByPlaceholder(/过去 3 小时/)
  await typed.fill('过去 7 天')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/range=-7d/)
  await expect(typed).toBeHidden()
  // The address is ahead of the page: a key acts on what the page shows.
  const week = page.getByText('最近 7 天', { exact: true }).first()
  await expect(week).toBeVisible()
  await page.keyboard.press('[')
  await expect(page).toHaveURL(/range=\d+%7E\d+/)
  await expect(kpi(page, 'attacks')).toHaveAttribute('data-value', '0')
  await page.goBack()
  await expect(page).toHaveURL(/range=-7d/)
  await expect(week).toBeVisible()
  await page.getByRole('button', { name: '复制链接' }).click()
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toContain('range=')
  const link = await copied()
  expect(new URL(link).searchParams.getAll('f')).toEqual([`app:${sender.appid}`])
  expect(new URL(link).searchParams.get('range')).toBe('-7d')
})

test('[STAT-02] an export has as many lines as the figure says', async ({ page }) => {
  await signIn(page, 'operator2', { at: address() })
  await expect(kpi(page, 'attacks')).toHaveAttribute('data-value', '120')
  for (const [button, lines] of [
    ['导出', KNOWN.attacks],
    ['导出受攻击用户', KNOWN.attackedUsers],
  ] as const) {
    await page.getByRole('button', { name: button, exact: true }).click()
    await page.getByRole('menuitem', { name: 'CSV 文件' }).click()
    const fetch = page.getByRole('button', { name: '下载', exact: true })
    await fetch.waitFor({ timeout: 30_000 })
    const [download] = await Promise.all([page.waitForEvent('download'), fetch.click()])
    const text = readFileSync(await download.path(), 'utf8')
    expect(text.startsWith('﻿')).toBe(true)
    expect(text.trim().split('\n')).toHaveLength(lines + 1)
  }
})

test('[STAT-03] [STAT-04] the full lists hold as many lines as the figures they come from', async ({ page }) => {
  await signIn(page, 'operator2')
  for (const [path, name, total] of [
    ['/statistics/user_num', '受攻击用户', KNOWN.attackedUsers],
    ['/statistics/analyzer_system', '活跃设备', 20],
  ] as const) {
    await page.goto(`${path}?f=app:${sender.appid}`)
    await expect(page.getByTestId('entity-total')).toHaveAttribute('data-value', String(total))
    await expect(page.getByRole('table', { name }).locator('tbody tr')).toHaveCount(total)
  }
})

test('[STAT-02] a view is saved, opened again and deleted', async ({ page }) => {
  await signIn(page, 'operator2', { at: address('&kpi=starts') })
  await page.getByRole('button', { name: '保存视图' }).click()
  await page.getByRole('menuitem', { name: '另存为新视图' }).click()
  await page.getByRole('textbox', { name: '名称' }).fill('启动样例')
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await expect(page).toHaveURL(/view=/)
  await page.goto(PAGE)
  await page.getByRole('button', { name: '保存视图' }).click()
  await page.getByRole('menuitem', { name: /启动样例/ }).click()
  await expect(page).toHaveURL(/kpi=starts/)
  await expect(kpi(page, 'starts')).toHaveAttribute('data-value', String(KNOWN.starts))
  await page.getByRole('button', { name: '启动样例' }).click()
  await page.getByRole('menuitem', { name: '删除视图' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: '删除视图' }).click()
  await expect(page.getByText('删除成功!')).toBeVisible()
})

test('[STAT-02] a card that fails says so and the others still show', async ({ page }) => {
  await page.route('**/api/statistics/query/', async (route) => {
    const answer = await route.fetch()
    const body = await answer.json()
    if (body.parts?.levels) body.parts.levels = { kind: 'error', code: 500119, codemsg: '统计存储暂不可用，正在恢复' }
    await route.fulfill({ response: answer, json: body })
  })
  await signIn(page, 'operator2', { at: address() })
  await expect(page.getByText('统计存储正在恢复')).toBeVisible()
  await expect(kpi(page, 'attacks')).toHaveAttribute('data-value', '120')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

for (const { language, theme } of LOOKS)
  test(`[STAT-02] user analysis, its lists and drawers are accessible (${language}, ${theme})`, async ({ page }) => {
    await signIn(page, 'operator2', { language, theme, at: address() })
    await expect(kpi(page, 'attacks')).toHaveAttribute('data-value', '120')
    await expect(page.locator('canvas').first()).toBeVisible()
    await expectAccessible(page, 'user analysis')
    await page.locator('tbody tr').first().click()
    await expect(count(page)).toBeVisible()
    await page.getByRole('dialog').getByRole('listitem').first().getByRole('button').click()
    await expect(page.getByRole('dialog')).toHaveCount(2)
    await expectAccessible(page, 'event drawer')
    await page.goto(`/statistics/user_num?f=app:${sender.appid}`)
    await expect(page.locator('tbody tr').first()).toBeVisible()
    await expectAccessible(page, 'attacked users')
  })
