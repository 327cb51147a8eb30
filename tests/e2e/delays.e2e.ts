import type { Page } from '@playwright/test'
import { ACCOUNTS, expect, fillLogin, notice, prepare, signIn, submitLogin, test } from './support/console.ts'

const SETTINGS = 'node_modules/io.appium.settings/apks/settings_apk-debug.apk'

/** From here on timers fire only when `runFor` says so; requests and drawing go on. */
async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt(new Date((await page.evaluate(() => Date.now())) + 1000))
}

test('[SHELL-01] the menu of the header shows 200 ms after the header, not before', async ({ page }) => {
  await signIn(page, 'operator')
  await page.clock.install()
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  await page.goto('/home')
  const menu = page.getByRole('navigation', { name: '主菜单' })
  await expect(menu).toBeAttached()
  await page.clock.runFor(199)
  await expect(menu.getByRole('link')).toHaveCount(0)
  await page.clock.runFor(1)
  await expect(menu.getByRole('link').first()).toBeVisible()
})

test('[APP-04] an uploaded package is kept 600 ms after its success, and can then be confirmed', async ({ page }) => {
  await signIn(page, 'keeper')
  await page.getByRole('button', { name: /^切换应用/ }).click()
  await page.getByRole('dialog', { name: '应用列表' }).getByRole('button', { name: '新建应用' }).click()
  const dialog = page.getByRole('dialog', { name: '新建应用' })
  await dialog.getByText('上传 apk').click()
  await page.clock.install()
  await stopClock(page)
  await dialog.locator('input[type=file]').setInputFiles(SETTINGS)
  await expect(dialog.locator('[data-state=success]')).toContainText('100%')
  const confirm = dialog.getByRole('button', { name: '确定' })
  await page.clock.runFor(599)
  await expect(confirm).toBeDisabled()
  await page.clock.runFor(1)
  await expect(confirm).toBeEnabled()
})

test('[REQ-04] the message about another status shows for 3000 ms', async ({ page }) => {
  await signIn(page, 'admin', { at: '/platform/logs' })
  await page.route('**/api/logs/audit/verify/', (route) => route.fulfill({ status: 502, body: 'bad gateway' }))
  const verify = page.getByRole('button', { name: '核验审计链' })
  await expect(verify).toBeVisible()
  await page.clock.install()
  await stopClock(page)
  await verify.click()
  const message = notice(page, '服务器连接异常-502！')
  await expect(message).toBeVisible()
  await page.clock.runFor(2999)
  await expect(message).toBeVisible()
  await page.clock.runFor(1)
  await expect(message).toHaveCount(0)
})

test('[PASS-02] the session ends 2000 ms after a new password was taken', async ({ page }) => {
  await signIn(page, 'changer2')
  await page.getByRole('button', { name: /^用户菜单/ }).click()
  await page.getByRole('menuitem', { name: '修改密码' }).click()
  const dialog = page.getByRole('dialog', { name: '修改密码' })
  await dialog.getByLabel('旧密码').fill(ACCOUNTS.changer2.password)
  await dialog.getByLabel('新密码').fill('Another-2026')
  await dialog.getByLabel('确认密码').fill('Another-2026')
  await page.clock.install()
  await stopClock(page)
  const changed = page.waitForResponse((answer) => answer.url().endsWith('/change-pass/'))
  await dialog.getByRole('button', { name: '确定' }).click()
  await changed
  await expect(notice(page, '修改成功')).toBeVisible()
  let leaves = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/logout/')) leaves++
  })
  await page.clock.runFor(1999)
  expect(leaves).toBe(0)
  await page.clock.runFor(1)
  await expect.poll(() => leaves).toBe(1)
  await page.clock.resume()
  await expect(page).toHaveURL(/\/login/)
  await prepare(page)
  await fillLogin(page, ACCOUNTS.changer2.username, 'Another-2026')
  await submitLogin(page)
  await expect(page).toHaveURL(/\/home$/)
})
