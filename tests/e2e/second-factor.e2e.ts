import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { ACCOUNTS, expect, expectAccessible, fillLogin, prepare, signIn, submitLogin, test } from './support/console.ts'

const { username, password } = ACCOUNTS.stepper
let secret = ''
let recovery = ''
/** What the app shows one step later: the code of the current step is used up by the set-up. */
const nextCode = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + 30_000 })

async function openDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(用户菜单|User menu)/ }).click()
  await page.getByRole('menuitem', { name: /第二步验证|Second factor/ }).click()
}
/** From the password on: QR code, first code, recovery codes. */
async function setUp(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('当前密码').fill(password)
  await dialog.getByRole('button', { name: '下一步' }).click()
  await expect(dialog.getByRole('img', { name: '身份验证器二维码' })).toBeVisible()
  secret = (await dialog.locator('code').textContent()) ?? ''
  await expectAccessible(page, 'QR code of the second factor')
  await dialog.getByLabel('6 位数字').fill('000000')
  await dialog.getByRole('button', { name: '启用' }).click()
  await expect(dialog.getByText('第二步验证码错误，请重新输入')).toBeVisible()
  await dialog.getByLabel('6 位数字').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate())
  await dialog.getByRole('button', { name: '启用' }).click()
  await expect(dialog.getByRole('listitem')).toHaveCount(10)
  recovery = (await dialog.getByRole('listitem').first().textContent()) ?? ''
  await dialog.getByRole('button', { name: '已保存' }).click()
}

test.describe
  .serial('[LOGIN-02] second factor', () => {
    test('an account sets it up: password, QR code, a first code, recovery codes', async ({ page }) => {
      await signIn(page, 'stepper')
      await openDialog(page)
      await page.getByRole('dialog').getByRole('button', { name: '启用' }).click()
      await setUp(page)
      await openDialog(page)
      await expect(page.getByRole('dialog').getByText('还剩 10 个恢复码。')).toBeVisible()
      await expectAccessible(page, 'state of the second factor')
    })

    test('signing in then takes a code: a wrong one clears the boxes, the right one opens the console without another click', async ({
      page,
    }) => {
      await prepare(page)
      await page.goto('/login')
      await fillLogin(page, username, password)
      await submitLogin(page)
      await expect(page.getByRole('heading', { name: '第二步验证' })).toBeVisible()
      const boxes = page.getByLabel('身份验证器中的 6 位数字')
      await expect(boxes).toBeFocused()
      await expectAccessible(page, 'second step')
      await boxes.pressSequentially('12')
      await expect(page.getByRole('button', { name: '还差 4 位' })).toBeDisabled()
      await boxes.pressSequentially('3456')
      await expect(page.getByRole('alert')).toHaveText('第二步验证码错误，请重新输入')
      await expect(boxes).toHaveValue('')
      await expect(boxes).toBeFocused()
      await boxes.fill(nextCode())
      await expect(page).not.toHaveURL(/\/login/)
    })

    test('a recovery code opens it too, in English and on a phone; another account can be chosen instead', async ({
      page,
    }) => {
      await page.setViewportSize({ width: 390, height: 844 })
      await prepare(page, { language: 'en', theme: 'dark' })
      await page.goto('/login')
      await fillLogin(page, username, password)
      await submitLogin(page)
      await page.getByRole('button', { name: 'Another account' }).click()
      await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible()
      await fillLogin(page, username, password)
      await submitLogin(page)
      await page.getByRole('button', { name: 'Use a recovery code, 10 left' }).click()
      await page.getByLabel('Recovery code').fill(recovery)
      await expectAccessible(page, 'recovery code')
      await page.getByRole('button', { name: 'Log in' }).click()
      await expect(page).not.toHaveURL(/\/login/)
    })

    test('an administrator removes it, requires one for the role, and the open page of the account leads to the set-up', async ({
      page,
      browser,
    }) => {
      await signIn(page, 'admin', { at: `/platform/usermanage?search=${encodeURIComponent(username)}` })
      const row = page.getByRole('row').filter({ hasText: username })
      await row.click()
      await page.getByRole('button', { name: '清除第二步验证' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: '清除第二步验证' }).click()
      await expect(page.getByRole('button', { name: '清除第二步验证' })).toBeHidden()

      const other = await browser.newContext()
      const theirs = await other.newPage()
      await prepare(theirs)
      await theirs.goto(`${new URL(page.url()).origin}/login`)
      await fillLogin(theirs, username, password)
      await submitLogin(theirs)
      await expect(theirs).not.toHaveURL(/\/login/)

      await page.goto('/platform/settings?tab=signin')
      await page.getByRole('group', { name: '必须使用第二步验证的角色' }).getByText('e2e_stepper').click()
      await page.getByRole('button', { name: '保存', exact: true }).click()
      await expect(page.getByText('已保存')).toBeVisible()

      await theirs.reload()
      await expect(theirs).toHaveURL(/\/login/)
      await expect(theirs.getByText('该角色要求第二步验证，请先启用')).toBeVisible()
      await setUp(theirs)
      await expect(theirs).not.toHaveURL(/\/login/)
      await other.close()
    })
  })
