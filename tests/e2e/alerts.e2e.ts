import { randomUUID } from 'node:crypto'
import type { WireEvent } from '#contracts/telemetry/wire.ts'
import { openMeta } from './support/accounts.ts'
import { expect, expectAccessible, notice, signIn, test } from './support/console.ts'
import { makeSender, type Sender } from './user-analysis-events.ts'

let sender: Sender
test.beforeAll(async () => {
  sender = await makeSender('operator', '告警样例')
})
test.afterAll(async () => {
  await sender.remove()
  const meta = await openMeta(process.env['E2E_DATA'] ?? '')
  await meta.db.deleteFrom('alert_rules').execute()
  await meta.close()
})

const hooks = (count: number): WireEvent[] =>
  Array.from({ length: count }, (_, index) => ({
    event_id: randomUUID(),
    type: 'risk',
    risk_type: 'hook',
    action: 'block',
    device_id: `alert-device-${index % 9}`,
    platform: 'android',
    app_version: '1.0.0',
    place: { country: 'CN', province: '440000', city: index % 3 ? '440300' : '440100' },
  }))

test('[OBS-01] a rule raises an alert from what arrives; it is opened, acknowledged by key, and its rows agree', async ({
  page,
}) => {
  await signIn(page, 'operator', { at: '/awareness/alerts?tab=rules' })
  await page.getByRole('button', { name: '新建规则' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('名称').fill('Hook 框架按省')
  await form.getByRole('button', { name: /应用/ }).click()
  await page.getByRole('option', { name: '告警样例' }).click()
  await form.getByRole('button', { name: /分组/ }).click()
  await page.getByRole('option', { name: '省级地区' }).click()
  await form.getByLabel('阈值').fill('10')
  await form.getByRole('button', { name: '等级', exact: false }).first().click()
  await page.getByRole('option', { name: '严重' }).click()
  await form.getByRole('button', { name: '试算' }).click()
  await expect(form.getByText('最近 7 天会触发 0 条告警')).toBeVisible()
  await form.getByRole('button', { name: '保存' }).click()
  await expect(form).toHaveCount(0)
  await expectAccessible(page, 'rules')

  await page.goto('/awareness/alerts')
  await expect(page.getByText('没有告警')).toBeVisible()
  // The evaluator takes a new rule up in its next round.
  const meta = await openMeta(process.env['E2E_DATA'] ?? '')
  await expect.poll(() => meta.db.selectFrom('alert_progress').select('rule_id').execute()).not.toEqual([])
  await meta.close()
  await sender.send(hooks(12))
  const row = page.getByRole('table', { name: '告警' }).locator('tbody tr').first()
  await expect(row).toContainText('广东')
  await row.click()
  const drawer = page.getByRole('complementary').or(page.getByRole('dialog')).filter({ hasText: '经过' })
  await expect(drawer).toContainText('触发，窗口计数 12')
  await expectAccessible(page, 'alert drawer')
  await page.keyboard.press('a')
  await expect(row).toContainText('已确认')
  await expect(drawer).toContainText('operator@appwarden.local')
  await drawer.getByRole('link', { name: '查看 12 条事件' }).click()
  await expect(page).toHaveURL(/\/realtime/)
  await expect(page.getByRole('table', { name: '事件流' }).locator('tbody tr')).toHaveCount(12)
})

test('[HOME-01][OBS-01] an open alert is on the home page, and the wall shows it without any input', async ({
  page,
}) => {
  await signIn(page, 'operator', { at: '/maps?wall=1' })
  await expect(page.getByTestId('connection')).toContainText('实时')
  const before = page.getByTestId('alert-banner')
  await expect(before).toHaveCount(0)
  const meta = await openMeta(process.env['E2E_DATA'] ?? '')
  await meta.db.deleteFrom('alerts').execute()
  await meta.close()
  await sender.send(hooks(30))
  await expect(before).toContainText('广东')
  await expect(before).toContainText('阈值 10')
  await expect(page.getByTestId('alerts-firing')).toHaveText('1')
  await expect(before.getByRole('button', { name: /确认/ })).toBeVisible()
  await page.keyboard.press('s')
  await expect(before).toContainText('停留中')
  await page.keyboard.press('Escape')
  await expect(before).toHaveCount(0)
  await page.goto('/home')
  const toDo = page.getByRole('listitem').filter({ hasText: 'Hook 框架按省，广东' })
  await expect(toDo).toBeVisible()
  await toDo.getByRole('button', { name: '确认' }).click()
  await expect(toDo).toHaveCount(0)
})

test('[MON-01] a rule about new pirated copies is made in the same form; after a conflict what was written stays and is saved', async ({
  page,
}) => {
  await signIn(page, 'operator', { at: '/awareness/alerts?tab=rules' })
  await page.getByRole('button', { name: '新建规则' }).click()
  const form = page.getByRole('dialog')
  await form.getByText('渠道监测', { exact: true }).click()
  await expect(form.getByRole('button', { name: /分组/ })).toHaveCount(0)
  await form.getByLabel('名称').fill('新盗版')
  await expectAccessible(page, 'a rule about runs')
  await form.getByRole('button', { name: '试算' }).click()
  await expect(form.getByText('最近 7 天会触发 0 条告警')).toBeVisible()
  await form.getByRole('button', { name: '保存' }).click()
  await expect(form).toHaveCount(0)
  const row = page.getByRole('table', { name: '规则' }).locator('tbody tr').filter({ hasText: '新盗版' })
  await expect(row).toContainText('一次监测内新发现的盗版 ≥ 1')

  await row.getByRole('button', { name: '编辑' }).click()
  await form.getByLabel('名称').fill('新盗版，改')
  const meta = await openMeta(process.env['E2E_DATA'] ?? '')
  await meta.db.updateTable('alert_rules').set({ version: 7, severity: 'low' }).where('name', '=', '新盗版').execute()
  await form.getByRole('button', { name: '保存' }).click()
  await expect(notice(page, '数据已被他人修改，请核对最新数据后重试')).toBeVisible()
  await expect(form.getByLabel('名称')).toHaveValue('新盗版，改')
  // Nothing goes over the other change unasked.
  const outdated = form.getByText('编辑期间，其他人已保存了新的内容')
  await expect(outdated).toBeVisible()
  await expect(form.getByRole('button', { name: '保存', exact: true })).toBeDisabled()
  await expectAccessible(page, 'a rule that somebody else saved meanwhile')
  const stored = (name: string) =>
    meta.db.selectFrom('alert_rules').select(['version', 'severity']).where('name', '=', name).execute()
  expect(await stored('新盗版')).toEqual([{ version: 7, severity: 'low' }])
  await form.getByRole('button', { name: '保留我填写的内容' }).click()
  await expect(outdated).toHaveCount(0)
  await form.getByRole('button', { name: '保存', exact: true }).click()
  await expect(form).toHaveCount(0)
  await expect(page.getByRole('table', { name: '规则' })).toContainText('新盗版，改')
  expect(await stored('新盗版，改')).toEqual([{ version: 8, severity: 'high' }])
  await meta.close()
})
