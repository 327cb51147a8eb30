import type { Page } from '@playwright/test'
import { CLIENT, type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts'
import { expect, expectAccessible, prepare, signIn, test, URL_OF_SERVER } from './support/console.ts'

let provider: IdentityProvider
test.beforeAll(async () => {
  // Another site than the console's 127.0.0.1, as providers are.
  const people = { ann: { email: 'ann@provider.example', email_verified: true, groups: ['analysts'] } }
  provider = await startIdentityProvider(URL_OF_SERVER, people, 'localhost')
})
test.afterAll(() => provider.close())

const form = (page: Page, title: string | RegExp) =>
  page.locator('form').filter({ has: page.getByRole('heading', { name: title }) })

test.describe
  .serial('[LOGIN-02] sign-in with an OpenID Connect provider', () => {
    test('an administrator fills in the provider, tests it, maps a group and saves; the secret is not shown again', async ({
      page,
    }) => {
      await signIn(page, 'admin', { at: '/platform/settings?tab=signin' })
      const section = form(page, '统一认证（OIDC）')
      await section.getByText('允许用统一认证登录').click()
      await section.getByLabel('按钮上的名称').fill('示例认证')
      await section.getByLabel('提供方地址（Issuer）').fill(provider.issuer)
      await section.getByLabel('客户端 ID').fill(CLIENT.id)
      await section.getByLabel('客户端密钥').fill(CLIENT.secret)
      await section.getByLabel('范围（scope）').fill('openid email groups')
      await section.getByRole('button', { name: '添加组' }).click()
      await section.getByLabel('第 1 组', { exact: true }).fill('analysts')
      await section.getByRole('button', { name: /第 1 组的角色/ }).click()
      await page.getByRole('option').nth(1).click()
      await section.getByRole('button', { name: '测试' }).click()
      await expect(section.getByText('测试通过')).toBeVisible()
      await expectAccessible(page, 'settings of sign-in')
      await section.getByRole('button', { name: '保存' }).click()
      await expect(page.getByText('已保存', { exact: true }).first()).toBeVisible()
      await page.reload()
      await expect(section.getByLabel('客户端密钥')).toHaveValue('')
      await expect(section.getByText('已保存，不再显示；留空则不变')).toBeVisible()
    })

    test('the button of the login page leads to the provider and back into the console; signing out ends both', async ({
      page,
      complaints,
    }) => {
      await prepare(page)
      await page.goto('/login')
      await expectAccessible(page, 'login page with a provider')
      await page.getByRole('button', { name: '使用示例认证登录' }).click()
      await page.getByLabel('Name').fill('ann')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await expect(page).toHaveURL(/127\.0\.0\.1.*\/home/)
      await page.getByRole('button', { name: /^用户菜单/ }).click()
      await expect(page.getByText('ann@provider.example').first()).toBeVisible()
      await expect(page.getByRole('menuitem', { name: '修改密码' })).toBeHidden()
      await page.getByRole('menuitem', { name: '退出登录' }).click()
      await expect(page).toHaveURL(new RegExp(`^${provider.issuer}/session/end`))
      await page.getByRole('button', { name: 'Sign out' }).click()
      await expect(page).toHaveURL(/127\.0\.0\.1.*\/login/)
      // The visits to the provider are what this test is about.
      complaints.splice(0, complaints.length, ...complaints.filter((one) => !one.includes(provider.issuer)))
    })

    test('an answer that was not asked for in this browser is refused on the login page', async ({ page }) => {
      await prepare(page)
      await page.goto('/auth-redirect?code=x&state=y')
      await expect(page).toHaveURL(/\/login$/)
      await expect(page.getByRole('alert')).toHaveText('登录已过期或不是从此浏览器发起，请重新登录')
      await page.reload()
      await expect(page.getByRole('button', { name: '使用示例认证登录' })).toBeVisible()
      await expect(page.getByRole('alert')).toBeHidden()
    })
  })
