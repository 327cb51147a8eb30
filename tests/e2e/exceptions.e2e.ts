import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { WireEvent } from '#contracts/telemetry/wire.ts'
import { expect, expectAccessible, notice, signIn, test } from './support/console.ts'
import { makeSender, type Sender } from './user-analysis-events.ts'

const HOUR = 3_600_000
const frames = (...lines: string[]) => lines.map((line) => `\n\tat ${line}`).join('')
const PAY = `java.lang.IllegalStateException: no bill${frames('androidx.fragment.app.Fragment.requireActivity(Fragment.java:1011)', 'com.e2e.pay.PayFragment.onBill(PayFragment.kt:214)', 'com.e2e.pay.BillRepo.load(BillRepo.kt:88)', 'android.os.Handler.dispatch(Handler.java:9)', 'android.os.Looper.loop(Looper.java:294)')}\nCaused by: java.io.IOException: closed${frames('com.e2e.net.Api.call(Api.kt:7)')}\n\t... 4 more`
const FEED = `java.lang.NullPointerException: x${frames('com.e2e.home.Feed.size(Feed.java:9)', 'android.os.Looper.loop(Looper.java:294)')}`
const SHRUNK = `java.lang.NullPointerException: x${frames('a.b.a(SourceFile:1)', 'android.os.Looper.loop(Looper.java:294)')}`
const MAPPING = 'com.e2e.home.Feed -> a.b:\n# {"id":"sourceFile","fileName":"Feed.java"}\n    1:1:int size():9:9 -> a\n'

let sender: Sender
const crashes = (count: number, stack: string, version: string, hoursAgo: number): WireEvent[] =>
  Array.from({ length: count }, (_, index) => ({
    event_id: randomUUID(),
    type: 'crash',
    device_id: `e2e-crash-${index}`,
    user_id: `u${index % 2}`,
    platform: 'android',
    app_version: version,
    os: index % 2 ? 'Android 14' : 'Android 15',
    model: `P${index % 3}`,
    occurred_at: Date.now() - hoursAgo * HOUR + index * 1000,
    detail: {
      reason: 'java.lang.IllegalStateException',
      message: `bill ${index}`,
      thread: 'main',
      stack,
      breadcrumbs: [{ at: Date.now() - hoursAgo * HOUR - 2000, kind: 'tap', text: '确认支付' }],
    },
  }))

test.beforeAll(async () => {
  sender = await makeSender('operator2', '异常样例')
  await sender.send([
    ...crashes(6, PAY, '5.8.0', 30),
    ...crashes(3, FEED, '5.8.0', 20),
    ...crashes(2, SHRUNK, '5.8.1', 10),
  ])
})
test.afterAll(() => sender.remove())

const address = (search = '') => `/exceptions/crash?appid=${sender.appid}&f=app:${sender.appid}&range=-7d${search}`
const total = (page: Page) => page.getByTestId('group-total')

test('[EXC-01] groups are listed, found, resolved in bulk and taken back', async ({ page }) => {
  await signIn(page, 'operator2', { at: address() })
  await expect(total(page)).toHaveAttribute('data-value', '3')
  const rows = page.getByRole('table', { name: '分组' }).locator('tbody tr')
  await expect(rows.first()).toContainText('IOException')
  await expect(rows.first()).toContainText('com.e2e.net.Api.call')
  await page.getByRole('searchbox', { name: '异常类型或方法' }).fill('home.Feed')
  await page.keyboard.press('Enter')
  await expect(total(page)).toHaveAttribute('data-value', '1')
  await page.goBack()
  await expect(total(page)).toHaveAttribute('data-value', '3')
  await rows.nth(0).getByRole('checkbox').click()
  await rows.nth(1).getByRole('checkbox').click()
  await page.getByRole('button', { name: '标为已解决' }).click()
  await expect(notice(page, '已更改 2 组')).toBeVisible()
  await page.getByRole('radio', { name: /^已解决/ }).click()
  await expect(total(page)).toHaveAttribute('data-value', '2')
  await page.getByRole('button', { name: '撤销' }).click()
  await expect(total(page)).toHaveAttribute('data-value', '0')
  await expectAccessible(page, 'groups')
})

test('[EXC-02] a group: figures, stack with causes, navigator within the filter, tags, note', async ({ page }) => {
  await signIn(page, 'operator2', { at: address() })
  await page.getByRole('link', { name: 'IOException' }).click()
  await expect(page.getByRole('heading', { name: '崩溃分组' })).toBeVisible()
  await expect(page.getByTestId('group-events')).toHaveAttribute('data-value', '6')
  await expect(page.getByTestId('group-devices')).toHaveAttribute('data-value', '6')
  await expect(page.getByText('由以下引起')).toBeVisible()
  await expect(page.getByText('2 个库帧')).toBeVisible()
  const position = page.getByTestId('event-position')
  await expect(position).toHaveAttribute('data-value', '6')
  await page.getByRole('button', { name: '上一条' }).click()
  await expect(position).toHaveAttribute('data-value', '5')
  await page.getByRole('button', { name: '最早' }).click()
  await expect(position).toHaveAttribute('data-value', '1')
  await expect(page.getByText('bill 0')).toBeVisible()
  await page
    .getByRole('list', { name: '系统' })
    .getByRole('button', { name: /Android 14/ })
    .click()
  await expect(page.getByTestId('group-events')).toHaveAttribute('data-value', '3')
  await page.getByRole('button', { name: '写备注' }).click()
  await page.getByRole('textbox', { name: '备注' }).fill('先看日志')
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await expect(page.getByText('“先看日志”')).toBeVisible()
  await expectAccessible(page, 'one group')
})

test('[EXC-02] a mapping gives names back and joins the groups of both builds', async ({ page }) => {
  await signIn(page, 'operator2', { at: address() })
  await expect(page.getByText('名称已混淆')).toBeVisible()
  await page.getByRole('button', { name: '符号文件' }).click()
  await page.getByRole('textbox', { name: '版本' }).fill('5.8.1')
  await page
    .getByLabel('文件', { exact: true })
    .setInputFiles({ name: 'mapping.txt', mimeType: 'text/plain', buffer: Buffer.from(MAPPING) })
  await expect(notice(page, '已上传，分组已重新计算')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(total(page)).toHaveAttribute('data-value', '2')
  await expect(page.getByText('名称已混淆')).toHaveCount(0)
  await page.getByRole('link', { name: 'NullPointerException' }).click()
  await expect(page.getByTestId('group-events')).toHaveAttribute('data-value', '5')
  await expect(page.getByText('Feed.java:9')).toBeVisible()
  await page.getByRole('radio', { name: '原样' }).click()
  await expect(page.getByText('a.b.', { exact: false }).first()).toBeVisible()
})

test('[EXC-01] devices with exceptions are counted by kind and lead to their page', async ({ page }) => {
  await signIn(page, 'operator2', { at: `/exceptions/device?appid=${sender.appid}&f=app:${sender.appid}&range=-7d` })
  await expect(page.getByTestId('entity-total')).toHaveAttribute('data-value', '6')
  const first = page.getByRole('table').locator('tbody tr').first()
  await expect(first.getByRole('link').first()).toHaveAttribute('href', /\/exceptions\/device\/[0-9a-f]{32}\//)
})
