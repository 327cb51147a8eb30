import { uploadFile } from '#contracts/http/assets.ts'
import { saveSettings } from '#contracts/http/settings.ts'
import { openMeta } from './support/accounts.ts'
import {
  ACCOUNTS,
  CODE,
  expect,
  expectSignedOut,
  fillLogin,
  notice,
  prepare,
  signIn,
  submitLogin,
  test,
} from './support/console.ts'
import { packagesOf } from './support/packages.ts'

test.describe('login', () => {
  test('[LOGIN-01] empty and malformed usernames show the exact message, surrounding spaces are trimmed', async ({
    page,
  }) => {
    await prepare(page, { language: 'en' })
    await page.goto('/login')
    await fillLogin(page, '', 'x')
    await submitLogin(page)
    await expect(page.getByText('The user name cannot be empty')).toBeVisible()
    await fillLogin(page, 'no-address', 'x')
    await submitLogin(page)
    await expect(page.getByText('Please enter the correct email address')).toBeVisible()
    const sent = page.waitForRequest((request) => request.url().includes('/accounts/signin/'))
    await fillLogin(page, `  ${ACCOUNTS.admin.username}  `, ACCOUNTS.admin.password)
    await submitLogin(page)
    expect((await sent).postDataJSON().username).toBe(ACCOUNTS.admin.username)
    await expect(page).toHaveURL(/\/home$/)
  })

  test('[LOGIN-02] password and code are needed; a wrong code and a wrong pair each have their message', async ({
    page,
  }) => {
    await prepare(page, { language: 'en' })
    await page.goto('/login')
    await fillLogin(page, ACCOUNTS.operator.username, '', '')
    await submitLogin(page)
    await expect(page.getByText('Please enter the password')).toBeVisible()
    await expect(page.getByText('Please enter the verification code')).toBeVisible()
    await fillLogin(page, ACCOUNTS.operator.username, ACCOUNTS.operator.password, 'wrong')
    await submitLogin(page)
    await expect(page.getByText('Verification code error!')).toBeVisible()
    await fillLogin(page, ACCOUNTS.operator.username, 'Wrong-2026')
    await submitLogin(page)
    await expect(page.getByText('Wrong user name or password')).toBeVisible()
  })

  test('[SHELL-10] the notice of the language switch is in the new language', async ({ page }) => {
    await prepare(page)
    await page.goto('/login')
    await page.getByRole('button', { name: 'English' }).click()
    await expect(notice(page, 'Switch Language Success')).toBeVisible()
    await page.getByRole('button', { name: '中文' }).click()
    await expect(notice(page, '语言切换成功')).toBeVisible()
  })

  test('[VAR-01] the title names the product in the language that is shown', async ({ page }) => {
    const { api } = packagesOf('admin', ['platform.settings'])
    await api(saveSettings, { body: { product: 'security_management' } })
    try {
      await prepare(page)
      await page.goto('/login')
      await expect(page).toHaveTitle('登录 - 移动应用安全管理系统')
      await page.getByRole('button', { name: 'English' }).click()
      await expect(page).toHaveTitle('Log in - Mobile Application Security Management System')
    } finally {
      await api(saveSettings, { body: { product: 'AppWarden' } })
    }
  })

  test('[LOGIN-02] the verification image is a picture that can be renewed', async ({ page }) => {
    await prepare(page)
    await page.goto('/login')
    const image = page.getByAltText('验证码图片')
    await expect(image).toHaveJSProperty('complete', true)
    expect(await image.evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBeGreaterThan(50)
    const before = await image.getAttribute('src')
    const fetched = page.waitForResponse((response) => response.url().includes('verify-image'))
    await page.getByRole('button', { name: '换一张' }).click()
    expect((await fetched).headers()['content-type']).toBe('image/png')
    expect(await image.getAttribute('src')).not.toBe(before)
  })

  test('[LOGIN-05] a signed-in user at /login goes to the root; log off clears the flag and reloads', async ({
    page,
  }) => {
    await signIn(page)
    await page.goto('/login')
    await expect(page).toHaveURL(/\/home$/)
    expect(await page.evaluate(() => localStorage.getItem('isLogin'))).toBe('true')
    await page.evaluate(() => {
      ;(window as unknown as { before: boolean }).before = true
    })
    await page.getByRole('button', { name: /^用户菜单/ }).click()
    await page.getByRole('menuitem', { name: '退出登录' }).click()
    await expectSignedOut(page)
    // The flag goes first, then the page is reloaded.
    await expect(async () => expect(await page.evaluate(() => 'before' in window)).toBe(false)).toPass({
      timeout: 30_000,
    })
    expect((await page.context().cookies()).map((one) => one.name)).not.toContain('appid')
  })

  test('[LOGIN-06] a second login ends the first: a message, then out', async ({ page, browser }) => {
    await signIn(page, 'operator')
    const other = await browser.newContext({ baseURL: page.url() })
    const second = await other.newPage()
    await second.goto('/login')
    await fillLogin(second, ACCOUNTS.operator.username, ACCOUNTS.operator.password)
    // The next request of the first session is refused; one that the page makes by itself may be the next.
    const noticed = expect(notice(page, '此账号重复登录，即将退出！')).toBeVisible({ timeout: 60_000 })
    await submitLogin(second)
    await expect(second).toHaveURL(/\/home$/)
    const clicked = page
      .getByRole('button', { name: /^通知/ })
      .click({ timeout: 10_000 })
      .catch(() => {})
    await noticed
    await page.waitForURL(/\/login/)
    await clicked
    await other.close()
  })

  test('[LOGIN-06] an upload that meets the second login says so and leaves too', async ({ page, browser }) => {
    await signIn(page, 'operator', { at: '/assets/apps' })
    await page.getByRole('main').getByRole('button', { name: '上传', exact: true }).first().click()
    const input = page.getByRole('dialog', { name: '上传文件' }).locator('input[type=file]')
    await expect(input).toBeAttached()
    const other = await browser.newContext({ baseURL: page.url() })
    const second = await other.newPage()
    await second.goto('/login')
    await fillLogin(second, ACCOUNTS.operator.username, ACCOUNTS.operator.password)
    await submitLogin(second)
    await expect(second).toHaveURL(/\/home$/)
    const refused = page.waitForResponse((answer) => answer.url().endsWith(uploadFile.path))
    const file = { name: 'a.apk', mimeType: 'application/octet-stream', buffer: Buffer.from('PK') }
    await input.setInputFiles(file)
    expect((await refused).status()).toBe(403)
    await expect(notice(page, '此账号重复登录，即将退出！')).toBeVisible()
    await expect(page).toHaveURL(/\/login/)
    await other.close()
  })

  test('[LOGIN-07] 401: message, and the page is reloaded at the login page', async ({ page }) => {
    await signIn(page)
    const loaded = page.waitForEvent('load')
    const meta = await openMeta(process.env['E2E_DATA'] ?? '')
    await meta.db.updateTable('sessions').set({ ended_at: Date.now(), end_reason: 'signed_out' }).execute()
    await meta.close()
    // A request that the page makes by itself may meet it first: then there is nothing to click, and the notice does not wait.
    const clicked = page
      .getByRole('button', { name: /^通知/ })
      .click({ timeout: 10_000 })
      .catch(() => {})
    await loaded
    await expect(notice(page, '用户已退出，需重新登录')).toBeVisible()
    await expect(page).toHaveURL(/\/login/)
    await clicked
  })

  test('[LEGAL-01] terms, privacy and how long network logs are kept', async ({ page }) => {
    await prepare(page)
    await page.goto('/login')
    await expect(page.getByText('网络日志至少保存六个月')).toBeVisible()
    await page.getByRole('button', { name: '使用条款' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('网络日志至少保存六个月')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', { name: '使用条款' })).toBeFocused()
  })

  test('[LOGIN-05] after signing in the page that was asked for opens', async ({ page }) => {
    await prepare(page)
    await page.goto('/platform/logs')
    await expect(page).toHaveURL(/\/login\?next=/)
    await fillLogin(page, ACCOUNTS.admin.username, ACCOUNTS.admin.password, CODE)
    await submitLogin(page)
    await expect(page).toHaveURL(/\/platform\/logs$/)
  })

  test('[PASS-02] a first password must be changed before anything else opens', async ({ page }) => {
    await prepare(page)
    await page.goto('/login')
    await fillLogin(page, ACCOUNTS.first.username, ACCOUNTS.first.password)
    await submitLogin(page)
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('首次登录请先修改密码')
    await page.goto('/about')
    await expect(page).toHaveURL(/\/login\?next=%2Fabout$/)
    await expect(dialog).toBeVisible()
    await dialog.getByLabel('旧密码').fill(ACCOUNTS.first.password)
    await dialog.getByLabel('新密码').fill('Changed-2026')
    await dialog.getByLabel('确认密码').fill('Changed-2026')
    await dialog.getByRole('button', { name: '确定' }).click()
    await expect(notice(page, '修改成功')).toBeVisible()
    await page.waitForEvent('load')
    // The same person signs in again, and comes to the page that was asked for.
    await expect(page.locator('input[type=email]')).toHaveValue(ACCOUNTS.first.username)
    await fillLogin(page, ACCOUNTS.first.username, 'Changed-2026')
    await submitLogin(page)
    await expect(page).toHaveURL(/\/about$/)
  })
})
