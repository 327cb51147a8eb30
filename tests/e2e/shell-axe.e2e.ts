import { ACCOUNTS, expect, expectAccessible, fillLogin, prepare, submitLogin, test, travel } from './support/console.ts'
import { knownEvents, makeSender, type Sender } from './user-analysis-events.ts'

let sender: Sender
test.beforeAll(async () => {
  sender = await makeSender('operator', '可访问性样例')
  await sender.send(knownEvents(Date.now()))
})
test.afterAll(() => sender.remove())

for (const theme of ['light', 'dark'] as const)
  for (const language of ['zh', 'en'] as const)
    test(`axe finds nothing serious, ${theme} ${language}`, async ({ page }) => {
      test.setTimeout(180_000)
      await prepare(page, { language, theme })
      await page.goto('/login')
      await expect(page.locator('form')).toBeVisible()
      await expectAccessible(page, 'login')
      await fillLogin(page, ACCOUNTS.admin.username, ACCOUNTS.admin.password)
      await submitLogin(page)
      await expect(page).toHaveURL(/\/home$/)
      const tabs = ['platform', 'sites', 'keys', 'quarantine', 'tokens', 'walls']
      const paths = [
        '/home',
        '/about',
        '/platform/logs',
        ...tabs.map((tab) => `/platform/settings?tab=${tab}`),
        '/statistics/app_analyzer',
        '/404',
        '/errorpage',
      ]
      for (const path of paths) {
        await travel(page, path)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await page.waitForTimeout(300)
        await expectAccessible(page, path)
      }
      await travel(page, '/about')
      await page.getByRole('button', { name: /^(用户菜单|User menu)/ }).click()
      await expect(page.getByRole('menu')).toBeVisible()
      await expectAccessible(page, 'user menu')
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+k')
      await expect(page.getByRole('combobox')).toBeFocused()
      await expectAccessible(page, 'palette')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: /^(切换应用|Choose the application)/ }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectAccessible(page, 'application list')
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^(新建应用|Add application)/ })
        .click()
      await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused()
      await page.waitForTimeout(300)
      await expectAccessible(page, 'new application')
    })
