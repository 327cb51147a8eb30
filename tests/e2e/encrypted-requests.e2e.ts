import type { Page, Request } from '@playwright/test'
import { saveSettings } from '#contracts/http/settings.ts'
import { ACCOUNTS, expect, expectAccessible, fillLogin, prepare, signIn, submitLogin, test } from './support/console.ts'
import { packagesOf } from './support/packages.ts'

/** Calls that stay plain: system info before sign-in, and what the browser fetches by itself. */
const PLAIN = /^\/api\/(accounts\/(p-tags|verify-image\/)|media\/)/
const PAGES = ['/home', '/statistics/user_analyzer', '/maps', '/assets/apps', '/platform/usermanage', '/platform/logs']

/** Calls of the page that were not sealed, or not answered sealed: `METHOD path`. */
function watch(page: Page): { sealed: number; plain: string[]; bodies: string[] } {
  const seen = { sealed: 0, plain: [] as string[], bodies: [] as string[] }
  const isSealed = (text: string | null) => text !== null && /^\{"encrypt_data":"[\w-]+"\}$/.test(text)
  const isSealedRequest = (request: Request) => {
    const { search } = new URL(request.url())
    return request.method() === 'POST' ? isSealed(request.postData()) : /^\?encrypt_data=[\w-]+$/.test(search)
  }
  page.on('response', async (response) => {
    const request = response.request()
    const { pathname } = new URL(request.url())
    if (!pathname.startsWith('/api/') || PLAIN.test(pathname)) return
    seen.bodies.push(`${request.url()} ${request.postData() ?? ''}`)
    const answer = await response.text().catch(() => null)
    if (answer === null) return // the page was left meanwhile
    if (isSealedRequest(request) && isSealed(answer)) seen.sealed++
    else seen.plain.push(`${request.method()} ${pathname} ${response.status()}`)
  })
  return seen
}

test.describe
  .serial('[REQ-02] encrypted requests', () => {
    const encrypt = (encrypt_requests: boolean) =>
      packagesOf('admin', ['platform.settings']).api(saveSettings, { body: { encrypt_requests } })
    test.afterAll(() => encrypt(false))

    test('switched on in the settings, the open page goes on working and its calls are sealed', async ({ page }) => {
      await encrypt(false)
      await signIn(page, 'admin', { at: '/platform/settings?tab=platform' })
      await page.getByText('加密控制台的请求与应答').click()
      await page.getByRole('button', { name: '保存' }).click()
      await expect(page.getByText('已保存')).toBeVisible()
      const seen = watch(page)
      await page.getByRole('button', { name: '更换密钥' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: '更换密钥' }).click()
      await expect(page.getByText('已更换密钥')).toBeVisible()
      await expect(page.getByRole('table').last()).toContainText('前仍可解密')
      await expectAccessible(page, 'keys of encrypted requests')
      expect(seen.sealed).toBeGreaterThan(0)
    })

    test('every page works sealed: no call of theirs is plain, none is refused', async ({ page }) => {
      await encrypt(true)
      await signIn(page, 'admin')
      const seen = watch(page)
      for (const path of PAGES) {
        await page.goto(path)
        await expect(page.getByRole('main')).toBeVisible()
        const { sealed } = seen
        await expect.poll(() => seen.sealed).toBeGreaterThan(sealed)
        await expect(page.getByText(/非法响应|服务器连接异常/)).toHaveCount(0)
      }
      expect(seen.plain).toEqual([])
      expect(seen.sealed).toBeGreaterThan(PAGES.length)
    })

    test('the password of a sign-in is in no request', async ({ page }) => {
      await encrypt(true)
      await prepare(page)
      await page.goto('/login')
      const seen = watch(page)
      const { username, password } = ACCOUNTS.admin
      await fillLogin(page, username, password)
      await submitLogin(page)
      await expect(page).not.toHaveURL(/\/login/)
      await expect(page.getByRole('main')).toBeVisible()
      expect(seen.plain).toEqual([])
      expect(seen.bodies.filter((text) => text.includes(password) || text.includes(username))).toEqual([])
    })
  })
