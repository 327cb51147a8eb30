import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { WireEvent } from '#contracts/telemetry/wire.ts'
import type { AccountName } from './support/accounts.ts'
import { expect, expectAccessible, notice, signIn, test } from './support/console.ts'
import { makeSender, type Sender } from './user-analysis-events.ts'

const sha = (digit: string) => digit.repeat(64)
let sender: Sender

test.beforeAll(async () => {
  sender = await makeSender('operator2', '设备样例')
})
test.afterAll(() => sender.remove())

/** A phone of this test alone: hooked eight times, rooted twice, two foreign builds, a crash, and a session the day before. */
async function sendPhone(): Promise<string> {
  const phone = `phone-${randomUUID()}`
  const now = Date.now()
  const event = (minutes: number, more: Partial<WireEvent>): WireEvent => ({
    event_id: randomUUID(),
    type: 'start',
    device_id: phone,
    user_id: `user of ${phone}`,
    occurred_at: now - minutes * 60_000,
    platform: 'android',
    app_version: '5.8.2',
    channel: 'official',
    os: 'Android 14',
    brand: 'Xiaomi',
    model: phone.slice(0, 14),
    client_ip: '203.0.113.77',
    place: { country: 'CN', province: '440000', city: '440300' },
    ...more,
  })
  const risk = (risk_type: 'hook' | 'root') => ({ type: 'risk', risk_type, action: 'report' }) as const
  const build = { type: 'env', package_name: 'com.sample.wallet' } as const
  await sender.send([
    event(5, {}),
    ...[6, 7, 8, 9, 10, 11, 12, 13].map((at) => event(at, risk('hook'))),
    ...[6, 8].map((at) => event(at, risk('root'))),
    event(7, { ...build, signer: sha('b'), channel: 'side-load', detail: { hashes: { 'classes.dex': sha('4') } } }),
    event(9, { ...build, signer: sha('b'), package_name: 'com.sample.wallet.mod' }),
    event(10, { ...build, signer: sha('a') }),
    event(14, { type: 'crash', detail: { reason: 'java.lang.NullPointerException' } }),
    event(26 * 60, {}),
  ])
  return phone.slice(0, 14)
}

/** Signs in at the list of devices; answers the device that is in it. */
async function openDevice(page: Page, model: string, account: AccountName = 'operator2'): Promise<string> {
  const answer = page.waitForResponse(async (one) => {
    // An answer to the page before is gone with it.
    if (!one.url().includes('/api/statistics/query/') || !page.url().includes('/analyzer_system')) return false
    return (await one.text().catch(() => '')).includes('"entities"')
  })
  const at = `/statistics/analyzer_system?range=-24h&f=app:${sender.appid}&f=model:${model}&paused=1`
  await signIn(page, account, { at })
  const lists = await answer
  const { parts } = (await lists.json()) as { parts: { list: { rows: { key: string }[] } } }
  const device = parts.list.rows[0]?.key ?? ''
  expect(device).toMatch(/^[0-9a-f]{32}$/)
  return device
}

test('[STAT-03] a device opens on all of its time: facts, score with reasons that open their rows, sessions, timeline', async ({
  page,
}) => {
  const model = await sendPhone()
  const device = await openDevice(page, model)
  await page.goto(`/statistics/user_check/${device}/`)
  await expect(page.getByRole('heading', { level: 1, name: '设备详情' })).toBeVisible()
  await expect(page.getByRole('heading', { name: `Xiaomi ${model}` })).toBeVisible()
  // Hook 30 + 7 × 3, capped at 45; root 12 + 1.
  await expect(page.getByTestId('device-score')).toHaveText('58')
  await expect(page.getByText('未达可疑')).toBeVisible()
  await expect(page.getByRole('table', { name: '会话' }).getByRole('row')).toHaveCount(3)
  await expectAccessible(page, 'device')

  await page.getByRole('tab', { name: '判定依据' }).click()
  await expect(page.getByTestId('why-sum')).toHaveText('58')
  await page.locator('[data-rule="RT-102"]').getByRole('button', { name: '8' }).click()
  await expect(page.getByTestId('event-count')).toHaveText('8')
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: '时间线' }).click()
  await expect(page.getByTestId('timeline-total')).toHaveAttribute('data-value', '16')
  await page.getByRole('button', { name: '崩溃', exact: true }).click()
  await expect(page.getByTestId('timeline-total')).toHaveAttribute('data-value', '1')
  await page
    .getByRole('list', { name: '时间线' })
    .getByRole('button', { name: /NullPointerException/ })
    .click()
  await expect(page.getByRole('dialog').getByRole('link', { name: '设备详情' })).toBeVisible()
})

test('[STAT-03] addresses are truncated to networks for users without the permission to reveal them', async ({
  page,
}) => {
  const model = await sendPhone()
  const device = await openDevice(page, model)
  await page.goto(`/statistics/user_check/${device}/?tab=places`)
  await expect(page.getByRole('table', { name: '来源地址' })).toContainText('203.0.113.0/24')
  await expect(page.getByText('203.0.113.77')).toHaveCount(0)
  await expect(page.getByRole('button', { name: '显示完整地址' })).toBeDisabled()
})

test('[MSSA-02] a verdict is set with a reason, shows in the record and the drawer, and is undone', async ({
  page,
}) => {
  const model = await sendPhone()
  const device = await openDevice(page, model)
  await page.goto(`/mssa/dub-card/${device}/`)
  await expect(page.getByRole('heading', { level: 1, name: '可疑设备' })).toBeVisible()
  await expect(page.getByRole('tab', { name: '判定依据' })).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('button', { name: '处置' }).click()
  const dialog = page.getByRole('dialog', { name: '处置' })
  await dialog.getByText('封禁').click()
  await dialog.getByLabel('理由').fill('批量领券')
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(page.getByTestId('verdict-now')).toContainText('封禁')
  await expect(page.getByRole('region', { name: '处置记录' })).toContainText('批量领券')
  await page.getByRole('button', { name: '撤销', exact: true }).click()
  await expect(page.getByTestId('verdict-now')).toContainText('未处置')
  await expect(page.getByRole('region', { name: '处置记录' }).getByRole('listitem')).toHaveCount(2)
})

test('[STAT-03] a list of devices shows the verdict, narrows to it, and is exported as narrowed', async ({ page }) => {
  const model = await sendPhone()
  const device = await openDevice(page, model)
  await page.goto(`/mssa/dub-card/${device}/`)
  await page.getByRole('button', { name: '处置' }).click()
  const dialog = page.getByRole('dialog', { name: '处置' })
  await dialog.getByText('封禁').click()
  await dialog.getByLabel('理由').fill('批量领券')
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(page.getByTestId('verdict-now')).toContainText('封禁')

  const list = `/statistics/analyzer_system?range=-24h&f=app:${sender.appid}&f=model:${model}&paused=1`
  await page.goto(`${list}&verdict=none`)
  await expect(page.getByText('没有这样处置的设备')).toBeVisible()
  await page.getByRole('button', { name: '任意处置', exact: true }).last().click()
  await expect(page.getByTestId('entity-total')).toHaveAttribute('data-value', '1')
  await page.goto(`${list}&verdict=banned`)
  await expect(page.getByTestId('entity-total')).toHaveAttribute('data-value', '1')
  await expect(page.getByRole('table', { name: '活跃设备' })).toContainText('封禁')
  await page.getByRole('button', { name: '导出活跃设备' }).click()
  await page.getByRole('menuitem', { name: /CSV/ }).click()
  await expect(notice(page, '活跃设备 已导出')).toBeVisible()
  await expect(notice(page, /^1 行/)).toBeVisible()
})

test('[MSSA-01] a baseline filled in by hand makes returns abnormal: list, narrowing by kind, card beside the baseline', async ({
  page,
}) => {
  const model = await sendPhone()
  const device = await openDevice(page, model)
  const list = `/mssa/abnormal?range=-24h&f=app:${sender.appid}&f=device:${device}&paused=1`
  await page.goto('/mssa/abnormal?tab=baselines')
  await page.getByRole('button', { name: '添加基线' }).click()
  const form = page.getByRole('dialog', { name: '添加基线' })
  await form.getByLabel('应用').click()
  await page.getByRole('option', { name: '设备样例' }).click()
  await form.getByLabel('版本').fill('5.8.2')
  await form.getByLabel('包名').fill('com.sample.wallet')
  await form.getByLabel('签名证书 SHA-256').fill('zz')
  await form.getByRole('button', { name: '保存' }).click()
  await expect(form.getByText('第 1 行不是 64 位十六进制')).toBeVisible()
  await form.getByLabel('签名证书 SHA-256').fill(sha('A'))
  await form.getByLabel('文件摘要').fill(`classes.dex=${sha('9')}`)
  await form.getByLabel('正式渠道').fill('official, huawei')
  await form.getByRole('button', { name: '保存' }).click()
  await expect(form).toBeHidden()

  await page.goto(list)
  await expect(page.getByTestId('abnormal-total')).toHaveAttribute('data-value', '2')
  await page.getByRole('button', { name: /^包名/ }).click()
  await expect(page.getByTestId('abnormal-total')).toHaveAttribute('data-value', '1')
  await page.getByRole('button', { name: /^包名/ }).click()
  await page.getByRole('button', { name: /^文件摘要/ }).click()
  await page.getByRole('table', { name: '异常回传' }).getByRole('row').nth(1).click()
  await expect(page.getByRole('heading', { level: 1, name: '异常回传卡片' })).toBeVisible()
  for (const [item, state] of [
    ['package', 'same'],
    ['signer', 'differs'],
    ['channel', 'differs'],
    ['classes.dex', 'differs'],
  ])
    await expect(page.locator(`[data-item="${item}"]`)).toHaveAttribute('data-state', state as string)
  await expectAccessible(page, 'abnormal return card')
  await page.getByRole('button', { name: '打开设备' }).click()
  // The contradictions count in the score from now on.
  await expect(page.getByTestId('device-score')).toHaveText('86')
  await expect(page.getByText('矛盾：签名、文件摘要、渠道')).toBeVisible()
})

test('[RET-01] deleting a device wants its hash typed, runs as a job, and leaves nothing', async ({ page }) => {
  const model = await sendPhone()
  const device = await openDevice(page, model, 'admin')
  await page.goto(`/statistics/user_check/${device}/?apps=all`)
  await page.getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name: '删除此设备的数据' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question.getByRole('button', { name: '永久删除' })).toBeDisabled()
  await question.getByRole('textbox').fill(device.slice(0, 8))
  await question.getByRole('button', { name: '永久删除' }).click()
  await expect(page.getByText('已删除 16 条')).toBeVisible({ timeout: 20_000 })
  await expect(page.getByText('此范围内没有这台设备的事件')).toBeVisible()
})
