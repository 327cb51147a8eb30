import type { Page } from '@playwright/test'
import type { NotificationKind, NotificationState } from '#domain/notifications.ts'
import { notify } from '#server/platform/notify.ts'
import { ACCOUNTS, openMeta } from './support/accounts.ts'
import { expect, expectAccessible, signIn, test, travel } from './support/console.ts'
import { knownEvents, makeSender, type Sender } from './user-analysis-events.ts'

let sender: Sender
test.beforeAll(async () => {
  sender = await makeSender('operator', '首页样例')
  await sender.send(knownEvents(Date.now()))
})
test.afterAll(() => sender.remove())

const HOUR = 3_600_000
const LINES: [NotificationKind, NotificationState, string, string, string, string, number][] = [
  ['detection', 'good', '检测完成', 'Detection done', '掌上银行 9.4.0，91 分', '/detection/tasks', 1],
  ['job', 'bad', '导出失败', 'Export failed', '攻击明细，磁盘空间不足', '', 2],
  ['alert', 'bad', '严重告警', 'Critical alert', 'Hook 激增：攻击次数 168', '/awareness/alerts', 3],
  ['licence', 'warn', '平台将在 24 天后到期', 'platform expires in 24 days', '', '/platform/authorization', 26],
  ['update', 'info', '有新版本 1.6.0', 'Version 1.6.0 is there', '可在维护窗口更新', '', 60],
]

/** Replaces what the account was notified of. */
async function fill(): Promise<void> {
  const meta = await openMeta(process.env['E2E_DATA'] ?? '')
  await meta.db.deleteFrom('notifications').execute()
  const user = await meta.db
    .selectFrom('users')
    .select('id')
    .where('username', '=', ACCOUNTS.admin.username)
    .executeTakeFirstOrThrow()
  for (const [kind, state, zh, en, note, path, hours] of LINES.toReversed())
    await notify(
      meta,
      {
        ...{ to: { users: [user.id] }, kind, key: `e2e:${kind}`, state, path },
        ...{ title: { zh, en }, note: { zh: note, en: note } },
      },
      Date.now() - hours * HOUR,
    )
  await meta.close()
}
const picture = async (page: Page, name: string) => {
  const folder = process.env['E2E_PICTURES']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}

test('[HOME-01] the notification centre lists by day, marks as read, filters by kind; the bell counts and opens it', async ({
  page,
}) => {
  await fill()
  await signIn(page, 'admin', { at: '/notifications' })
  const main = page.getByRole('main')
  await expect(main.getByText('5 条未读')).toBeVisible()
  await main.getByRole('button', { name: /严重告警/ }).click()
  await expect(main.getByText('4 条未读')).toBeVisible()
  await expect(main.getByRole('article')).toContainText('Hook 激增')
  await picture(page, 'notifications-1440')
  await expectAccessible(page, 'notifications')
  await main.getByRole('radio', { name: /^授权/ }).click()
  await expect(main.getByRole('button', { name: /检测完成/ })).toBeHidden()
  await main.getByRole('radio', { name: '全部' }).click()
  // The bell is read a moment after the page.
  await page.getByRole('button', { name: /^通知 · 4 条未读/ }).click()
  const panel = page.getByRole('dialog', { name: '通知' })
  await expect(panel.getByText('检测完成')).toBeVisible()
  await picture(page, 'bell')
  await expectAccessible(page, 'the bell')
  await panel.getByRole('button', { name: '全部标为已读' }).click()
  await expect(main.getByText('0 条未读')).toBeVisible()
  await panel.press('Escape')
  await page.getByRole('button', { name: '通知设置' }).click()
  const dialog = page.getByRole('dialog', { name: '通知设置' })
  await dialog.getByText(/每天把未读通知发送到/).click()
  await picture(page, 'notification-settings')
  await expectAccessible(page, 'notification settings')
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(main.getByText('邮件摘要每天 18:00')).toBeVisible()
  // What comes now is there without a reload.
  await fill()
  await expect(main.getByText('5 条未读')).toBeVisible()
  await travel(page, '/home')
  await expect(page.getByRole('heading', { name: '各模块状态' })).toBeVisible()
  await expect(page.getByText('天剩余')).toBeVisible()
  await picture(page, 'home-1440')
  await page.setViewportSize({ width: 390, height: 844 })
  await picture(page, 'home-390')
  await travel(page, '/notifications')
  await main.getByRole('button', { name: /检测完成/ }).click()
  await picture(page, 'notifications-390')
  await expectAccessible(page, 'notifications at 390')
})

test('[HOME-01] notifications and home are accessible in English and dark', async ({ page }) => {
  await fill()
  await page.setViewportSize({ width: 1920, height: 1000 })
  await signIn(page, 'admin', { at: '/notifications', language: 'en', theme: 'dark' })
  await page.getByRole('button', { name: /Critical alert/ }).click()
  await expectAccessible(page, 'notifications, dark')
  await picture(page, 'notifications-1920-dark-en')
  await travel(page, '/home')
  await expect(page.getByRole('heading', { name: 'State of the modules' })).toBeVisible()
  await expect(page.getByText('days left', { exact: true })).toBeVisible()
  await picture(page, 'home-1920-dark-en')
  await expectAccessible(page, 'home, dark')
  await page.setViewportSize({ width: 1366, height: 768 })
  await picture(page, 'home-1366-dark-en')
})
