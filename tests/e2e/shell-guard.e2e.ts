import {
  ACCOUNTS,
  expect,
  expectSignedOut,
  fillLogin,
  notice,
  prepare,
  signIn,
  submitLogin,
  test,
  travel,
} from './support/console.ts'

test.describe('navigation guard', () => {
  test('[GUARD-01] signed out, everything but login and auth-redirect leads to login', async ({ page }) => {
    await prepare(page)
    for (const path of [
      '/',
      '/home',
      '/maps',
      '/platform/settings',
      '/404',
      '/errorpage',
      '/nowhere',
      '/auth-redirect',
    ]) {
      await page.goto(path)
      await expect(page).toHaveURL(/\/login/)
    }
  })

  test('[GUARD-04] a page without permission: No matching route, and on to the home page', async ({ page }) => {
    await signIn(page, 'auditor', { language: 'en' })
    await travel(page, '/maps')
    await expect(notice(page, 'No matching route')).toBeVisible()
    await expect(page).toHaveURL(/\/home$/)
  })

  test('[GUARD-04] an account that may see nothing reads the message and is signed out', async ({ page }) => {
    await prepare(page, { language: 'en' })
    await page.goto('/login')
    const out = page.waitForRequest((request) => request.url().includes('/accounts/logout/'))
    await fillLogin(page, ACCOUNTS.withoutPages.username, ACCOUNTS.withoutPages.password)
    await submitLogin(page)
    await out
    await expect(notice(page, 'No matching route')).toBeVisible()
    await expectSignedOut(page)
  })

  test('[GUARD-03] noEmpower opens home and about, and no more', async ({ page }) => {
    await signIn(page, 'unempowered')
    await expect(page).toHaveURL(/\/home$/)
    await expect(page.getByText('应用为空，请先创建')).toBeHidden()
    await travel(page, '/about')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('关于我们')
    await travel(page, '/statistics/user_analyzer')
    await expect(notice(page, '没有匹配的路由')).toBeVisible()
  })

  test('[GUARD-02] user info that cannot be loaded logs out', async ({ page }) => {
    await signIn(page)
    await page.route('**/api/accounts/is_login/**', (route) => route.fulfill({ status: 500, body: '{}' }))
    await page.goto('/home')
    await expectSignedOut(page)
  })

  test('[GUARD-05] the title is the route title in the chosen language with the system info', async ({ page }) => {
    await signIn(page)
    await expect(page).toHaveTitle('首页 - AppWarden')
    await travel(page, '/about')
    await expect(page).toHaveTitle('关于我们 - AppWarden')
    await page.getByRole('button', { name: /^用户菜单/ }).click()
    await page.getByRole('menuitem', { name: 'English' }).click()
    await expect(page).toHaveTitle('About us - AppWarden')
  })

  test('[GUARD-06] a parent path leads to its first visible child; hidden pages are in no menu', async ({ page }) => {
    await signIn(page, 'auditor')
    await travel(page, '/platform')
    await expect(page).toHaveURL(/\/platform\/reportManage$/)
    await expect(page.getByRole('navigation', { name: '主菜单' })).not.toContainText('统计')
    await expect(page.getByRole('link', { name: '受攻击用户' })).toHaveCount(0)
  })

  test('[GUARD-07] another session in this browser: the tab says so and follows', async ({ page, context }) => {
    await signIn(page)
    const second = await context.newPage()
    await second.goto('/home')
    await second.getByRole('button', { name: /^用户菜单/ }).click()
    await second.getByRole('menuitem', { name: '退出登录' }).click()
    await expect(second).toHaveURL(/\/login/)
    // The first tab hears it and goes to login too.
    await expect(page).toHaveURL(/\/login/)
    await fillLogin(second, ACCOUNTS.auditor.username, ACCOUNTS.auditor.password)
    await submitLogin(second)
    await expect(second).toHaveURL(/\/home$/)
    await expect(page).toHaveURL(/\/home$/)
    await expect(page.getByRole('button', { name: `用户菜单 ${ACCOUNTS.auditor.username}` })).toBeVisible()
  })

  test('[GUARD-07] each navigation compares the session of the cookie with its own', async ({ page, context }) => {
    await signIn(page)
    const claims = Buffer.from(JSON.stringify({ sid: 'somebody-else' })).toString('base64url')
    await context.addCookies([{ name: 'jwt_token', value: `x.${claims}.x`, url: page.url() }])
    await page.getByRole('navigation', { name: '主菜单' }).getByRole('link', { name: '资产' }).click()
    await expect(notice(page, '此浏览器中已登录另一个账号，页面已切换')).toBeVisible()
  })

  test('[GUARD-08] unknown path to /404, HTTP 404 of a request to /errorpage, /redirect reloads', async ({ page }) => {
    await signIn(page)
    await travel(page, '/nowhere/at/all')
    await expect(page).toHaveURL(/\/404$/)
    await expect(page.getByRole('heading', { name: '页面不存在' })).toBeVisible()
    await travel(page, '/redirect/about?x=1')
    await expect(page).toHaveURL('/about?x=1')
    await page.route('**/api/logs/audit/**', (route) => route.fulfill({ status: 404, json: {} }))
    await travel(page, '/platform/logs')
    await expect(page).toHaveURL(/\/errorpage$/)
  })

  test('[REQ-03] a code other than 0 shows its message; other statuses and time-outs have theirs', async ({ page }) => {
    await signIn(page)
    await page.route('**/api/logs/audit/verify/', (route) =>
      route.fulfill({ json: { code: 500003, codemsg: '数据已被他人修改，请核对最新数据后重试' } }),
    )
    await travel(page, '/platform/logs')
    await page.getByRole('button', { name: '核验审计链' }).click()
    await expect(notice(page, '数据已被他人修改，请核对最新数据后重试')).toBeVisible()
  })

  test('[REQ-04] other statuses: 服务器连接异常-{status}！, which goes by itself', async ({ page }) => {
    await signIn(page)
    await travel(page, '/platform/logs')
    await page.route('**/api/logs/audit/verify/', (route) => route.fulfill({ status: 502, body: 'bad gateway' }))
    await page.getByRole('button', { name: '核验审计链' }).click()
    const message = notice(page, '服务器连接异常-502！')
    await expect(message).toBeVisible()
    await expect(message).toBeHidden()
    await page.unrouteAll()
    await page.getByRole('button', { name: '核验审计链' }).click()
    await expect(notice(page, /审计链完整/)).toBeVisible()
  })

  test('[STORE-01] names in storage and cookies', async ({ page, context }) => {
    await signIn(page)
    const stored = await page.evaluate(() => Object.keys(localStorage))
    const known = ['appid', 'language', 'isAuthMsgShow', 'theme', 'size', 'isLogin', 'errorLogs', 'envelope']
    expect(stored.filter((name) => !known.includes(name))).toEqual([])
    expect(stored).toContain('isLogin')
    const cookies = await context.cookies()
    const session = cookies.find((one) => one.name === 'aw_sid')
    expect(session).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
    expect(cookies.map((one) => one.name)).toContain('jwt_token')
  })
})

test.describe('display tokens', () => {
  test('[OBS-01] a wall link reaches its wall only; revoked, the wall says so', async ({
    page,
    browser,
    complaints,
  }) => {
    test.setTimeout(120_000)
    await signIn(page)
    await travel(page, '/platform/settings?tab=walls')
    await page.getByRole('main').getByRole('button', { name: '新建', exact: true }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: '名称' }).fill('大厅')
    await page.getByRole('dialog').getByRole('button', { name: '新建' }).click()
    const link = await page.getByRole('dialog').locator('code').first().textContent()
    expect(link).toMatch(/\/maps#token=aw_dt_[\w-]{43}$/)
    await page.getByRole('button', { name: '完成' }).click()
    const wall = await (await browser.newContext()).newPage()
    await wall.goto(link ?? '')
    await expect(wall).toHaveURL(/\/maps$/)
    await wall.goto(`${new URL(link ?? '').origin}/platform/settings`)
    await expect(wall).toHaveURL(/\/maps$/)
    await page.getByRole('row', { name: /大厅/ }).getByRole('button', { name: '撤销' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: '撤销' }).click()
    await expect(page.getByRole('row', { name: /大厅/ })).toContainText('已撤销')
    await wall.reload()
    await expect(wall.getByText('大屏令牌已撤销')).toBeVisible()
    expect(await wall.evaluate(() => localStorage.getItem('isLogin'))).toBeNull()
    expect(complaints).toEqual([])
    await wall.context().close()
  })
})
