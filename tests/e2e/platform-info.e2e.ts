import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { platformInfo, setTool } from '#contracts/http/platform-info.ts'
import { saveSettings } from '#contracts/http/settings.ts'
import { expect, expectAccessible, notice, prepare, signIn, test } from './support/console.ts'
import { packagesOf } from './support/packages.ts'

const SHOTS = process.env['E2E_SHOTS']
const shot = async (page: Page, name: string) => {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/platform-info-${name}.png` })
}
const NAME = '某某银行安全平台'
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="40"><rect width="160" height="40" rx="8" fill="#0b6b5d"/><circle cx="20" cy="20" r="10" fill="#ffd24a"/><rect x="40" y="14" width="100" height="12" fill="#fff"/></svg>'
const text = (name: string, content: string) => ({ name, mimeType: 'text/markdown', buffer: Buffer.from(content) })
const FILES = [
  text('foreword.md', '# 关于本报告\n本报告由 {{platform}} 对 {{subject}} 生成。'),
  text('login.md', '本系统仅供授权人员使用，\n操作全程审计。\n\n- 请勿共用账号\n- 遇到问题请联系安全运营中心'),
  text('about.md', '# {{platform}}\n由安全运营中心运行，7x24 小时值守。'),
]

async function openDialog(page: Page, name = '自定义平台信息') {
  await page.getByRole('button', { name: /^(用户菜单|User menu)/ }).click()
  await page.getByRole('menuitem', { name }).click()
  return page.getByRole('dialog', { name })
}

test.describe
  .serial('platform information', () => {
    // Other files use this server too: at least one template file stays, and none of the login page.
    test.afterAll(async () => {
      const { api } = packagesOf('admin', ['platform.settings'])
      await api(saveSettings, { body: { force_zh: false } })
      const { files } = (await api(platformInfo)).data
      const about = files.filter(({ use }) => use === 'about').map(({ id }) => ({ id, use: 'about' as const }))
      if (about.length > 0) await api(setTool, { body: { product: 'AppWarden', name: '', logo: null, files: about } })
    })

    test('[INFO-01] a form without a file is refused; name, logo and files are saved and every page shows them', async ({
      page,
    }) => {
      await signIn(page)
      const dialog = await openDialog(page)
      await dialog.getByLabel('显示名称').fill(NAME)
      await dialog.getByRole('button', { name: '保存' }).click()
      await expect(dialog.getByRole('alert')).toHaveText('请至少上传一个文件！')
      await expectAccessible(page, 'platform information')
      await shot(page, 'empty-zh-light')
      const files = dialog.getByLabel('模板文件').locator('input[type=file]')
      await files.setInputFiles(text('large.md', 'x'.repeat(40_000)))
      await expect(dialog.getByRole('alert')).toHaveText('上传包超过限制')
      await files.setInputFiles(Array.from({ length: 6 }, (_, at) => text(`${at}.md`, 'x')))
      await expect(dialog.getByRole('alert')).toHaveText('最多上传 5 个文件！')
      await files.setInputFiles({ name: 'a.md', mimeType: 'text/markdown', buffer: Buffer.from([0xff, 0xfe, 0]) })
      await expect(dialog.getByRole('alert')).toContainText('UTF-8')
      await files.setInputFiles(FILES)
      await expect(dialog.getByTitle('about.md', { exact: true })).toBeVisible()
      await dialog.getByRole('button', { name: /login\.md 的用途/ }).click()
      await page.getByRole('option', { name: '登录页公告' }).click()
      await dialog.getByRole('button', { name: /about\.md 的用途/ }).click()
      await page.getByRole('option', { name: '关于我们' }).click()
      await dialog
        .locator('input[type=file][accept*=svg]')
        .setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(LOGO) })
      await shot(page, 'filled-zh-light')
      await dialog.getByRole('button', { name: '保存' }).click()
      await expect(notice(page, '已保存')).toBeVisible()
      await expect(page.getByRole('banner').getByText(NAME)).toBeVisible()
      await expect(page.getByRole('banner').locator('img[src^="/api/platform/logo/"]')).toBeVisible()
      await expect(page).toHaveTitle(new RegExp(`- ${NAME}$`))
      await page.goto('/about')
      await expect(page.getByText('由安全运营中心运行')).toBeVisible()
      await expect(page.getByRole('heading', { name: NAME })).toBeVisible()
      await expectAccessible(page, 'about with an own text')
      await shot(page, 'about-zh-light')
      const again = await openDialog(page)
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        again.getByRole('link', { name: '下载 about.md' }).click(),
      ])
      expect(readFileSync(await download.path(), 'utf8')).toContain('{{platform}}')
    })

    test('[INFO-01] the login page has name, logo and notice', async ({ page }) => {
      await prepare(page)
      await page.goto('/login')
      await expect(page.getByText(NAME)).toBeVisible()
      await expect(page.getByRole('region', { name: '公告' })).toContainText('请勿共用账号')
      const logo = page.locator('img[src^="/api/platform/logo/"]')
      expect(await logo.evaluate((one: HTMLImageElement) => one.complete && one.naturalWidth > 0)).toBe(true)
      await expectAccessible(page, 'login page with a notice')
      await shot(page, 'login-zh-light')
      await page.setViewportSize({ width: 390, height: 844 })
      await shot(page, 'login-390-zh-light')
    })

    test('[INFO-01] who may not save sees name, logo and files, and why', async ({ page }) => {
      await signIn(page, 'auditor', { language: 'en', theme: 'dark' })
      const dialog = await openDialog(page, 'Customize platform information')
      await expect(dialog.getByText('platform.settings')).toBeVisible()
      await expect(dialog.getByRole('textbox')).toHaveValue(NAME)
      await expect(dialog.getByTitle('foreword.md', { exact: true })).toBeVisible()
      await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
      await expect(dialog.getByRole('button', { name: 'Upload files' })).toHaveCount(0)
      await expectAccessible(page, 'platform information without the permission')
      await shot(page, 'readonly-en-dark')
      await page.setViewportSize({ width: 390, height: 844 })
      await shot(page, 'readonly-390-en-dark')
    })

    test('[VAR-01] a variant that forces Chinese switches an English browser back and offers no other language', async ({
      page,
    }) => {
      await packagesOf('admin', ['platform.settings']).api(saveSettings, {
        body: { product: 'security_management', product_name: '', force_zh: true },
      })
      await prepare(page, { language: 'en' })
      await page.goto('/login')
      await expect(page.getByRole('button', { name: '登录' })).toBeVisible()
      await expect(page).toHaveTitle(/移动应用安全管理系统$/)
      await expect(page.getByRole('group', { name: /语言|Language/ })).toHaveCount(0)
      expect(await page.evaluate(() => [localStorage.getItem('language'), document.documentElement.lang])).toEqual([
        'zh',
        'zh-CN',
      ])
      await signIn(page, 'admin', { language: 'en' })
      await page.getByRole('button', { name: /^用户菜单/ }).click()
      await expect(page.getByRole('menuitem', { name: '关于我们' })).toBeVisible()
      await expect(page.getByRole('menuitem', { name: 'English' })).toHaveCount(0)
    })
  })
