import type { Page } from '@playwright/test'
import { expect, expectAccessible, prepare, signIn, test, travel } from './support/console.ts'
import { LOOKS } from './support/looks.ts'
import { knownEvents, makeSender, type Sender } from './user-analysis-events.ts'

let sender: Sender
test.beforeAll(async () => {
  sender = await makeSender('operator', '可访问性样例')
  await sender.send(knownEvents(Date.now()))
})
test.afterAll(() => sender.remove())

const PATHS = [
  '/about',
  '/platform/logs',
  ...['platform', 'sites', 'keys', 'quarantine', 'tokens', 'walls'].map((tab) => `/platform/settings?tab=${tab}`),
  '/statistics/app_analyzer',
  '/404',
  '/errorpage',
]

/** Goes there; the page before is gone. */
async function turn(page: Page, path: string): Promise<void> {
  const before = await page.title()
  const same = new URL(page.url()).pathname === new URL(path, page.url()).pathname
  await travel(page, path)
  if (!same) await expect(page).not.toHaveTitle(before)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

for (const { language, theme } of LOOKS) {
  test(`[SHELL-01] axe finds nothing serious, ${theme} ${language}`, async ({ page }) => {
    test.setTimeout(240_000)
    await signIn(page, 'admin', { language, theme })
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectAccessible(page, '/home')
    for (const path of PATHS) {
      await turn(page, path)
      await expectAccessible(page, path)
    }
    await turn(page, '/about')
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
    await expectAccessible(page, 'new application')
  })

  test(`[LOGIN-01] axe finds nothing serious at the login page, ${theme} ${language}`, async ({ page }) => {
    await prepare(page, { language, theme })
    await page.goto('/login')
    await expect(page.locator('form')).toBeVisible()
    await expectAccessible(page, 'login')
  })
}
