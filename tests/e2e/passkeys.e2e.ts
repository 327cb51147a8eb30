import type { Page } from '@playwright/test'
import {
  ACCOUNTS,
  expect,
  expectAccessible,
  fillLogin,
  prepare,
  submitLogin,
  test,
  URL_OF_SERVER,
} from './support/console.ts'

const { username, password } = ACCOUNTS.keyholder
/** Passkeys need a host name. */
const LOCALHOST = URL_OF_SERVER.replace('127.0.0.1', 'localhost')

/** A security key of the browser itself: it confirms every request. */
async function virtualKey(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { session, authenticatorId }
}
async function openDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^用户菜单/ }).click()
  await page.getByRole('menuitem', { name: '第二步验证' }).click()
}
async function passwordStep(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/login`)
  await fillLogin(page, username, password)
  await submitLogin(page)
}

test.describe
  .serial('[LOGIN-02] passkeys', () => {
    test('under an IP address the dialog says that passkeys need a host name', async ({ page }) => {
      await prepare(page)
      await passwordStep(page, URL_OF_SERVER)
      await expect(page.getByRole('main')).toBeVisible()
      await openDialog(page)
      await expect(page.getByRole('dialog').getByText(/通行密钥需要主机名/)).toBeVisible()
      await expect(page.getByRole('dialog').getByRole('button', { name: '添加通行密钥' })).toHaveCount(0)
    })

    test('an account adds a passkey, signs in with it by one button, and deletes it', async ({ page, complaints }) => {
      await prepare(page)
      const { session, authenticatorId } = await virtualKey(page)
      await passwordStep(page, LOCALHOST)
      await expect(page.getByRole('main')).toBeVisible()
      await openDialog(page)
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: '添加通行密钥' }).click()
      await dialog.getByLabel('当前密码').fill(password)
      await dialog.getByLabel('名称').fill('办公室笔记本')
      await expectAccessible(page, 'new passkey')
      await dialog.getByRole('button', { name: '下一步' }).click()
      await expect(dialog.getByRole('listitem')).toHaveCount(10)
      await dialog.getByRole('button', { name: '已保存' }).click()
      await openDialog(page)
      await expect(dialog.getByText('办公室笔记本')).toBeVisible()
      await expectAccessible(page, 'list of passkeys')
      await dialog.getByRole('button', { name: '关闭' }).last().click()
      await page.getByRole('button', { name: /^用户菜单/ }).click()
      await page.getByRole('menuitem', { name: '退出登录' }).click()
      await expect(page).toHaveURL(/\/login/)

      const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
      expect(credentials).toHaveLength(1)
      await passwordStep(page, LOCALHOST)
      await expect(page.getByRole('heading', { name: '第二步验证' })).toBeVisible()
      await expectAccessible(page, 'second step with a passkey')
      await page.getByRole('button', { name: '使用通行密钥' }).click()
      await expect(page.getByRole('main')).toBeVisible()
      await expect(page).not.toHaveURL(/\/login/)

      await openDialog(page)
      await expect(dialog.getByText(/最近使用/)).toBeVisible()
      await dialog.getByRole('button', { name: '删除 办公室笔记本' }).click()
      await dialog.getByLabel('当前密码').fill(password)
      await dialog.getByRole('button', { name: '下一步' }).click()
      await expect(page.getByText('删除成功!')).toBeVisible()
      await expect(dialog.getByText(/指纹、面容、安全密钥/)).toBeVisible()
      // This test opens the console under localhost.
      expect(complaints.filter((one) => !one.startsWith(`foreign request: ${LOCALHOST}`))).toEqual([])
      complaints.length = 0
    })
  })
