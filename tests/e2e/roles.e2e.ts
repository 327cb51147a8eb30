import {
  expect,
  expectAccessible,
  fillLogin,
  notice,
  prepare,
  signIn,
  submitLogin,
  test,
  URL_OF_SERVER,
} from './support/console.ts'

test.describe
  .serial('users and roles', () => {
    const contractor = 'contractor@appwarden.local'
    const password = 'Contract-2026'

    test('[ROLE-01] a custom role is a copy of another with fewer permissions; the difference and the menu are shown', async ({
      page,
    }) => {
      await signIn(page, 'admin', { at: '/platform/roles?role=safety_detect' })
      await expect(page.getByRole('heading', { level: 1, name: '安全检测' })).toBeVisible()
      await expect(page.getByRole('checkbox', { name: '上传文件' })).toBeDisabled()
      await page.getByRole('button', { name: '复制', exact: true }).click()
      await expect(page.getByRole('textbox', { name: '角色名称' })).toHaveValue('安全检测 副本')
      await page.getByRole('textbox', { name: '角色名称' }).fill('外包测试')
      await page.getByText('上传文件', { exact: true }).first().click()
      await expect(page.getByRole('radio', { name: '不同 1' })).toBeVisible()
      // Reserved for the auditor: shown, not granted.
      await expect(page.getByRole('checkbox', { name: '删除日志' })).toBeDisabled()
      const menu = page.getByRole('complementary', { name: '这个角色看到的菜单' })
      await expect(menu.getByText('缺 statistics，整组隐藏')).toBeVisible()
      await expectAccessible(page, 'role editor')
      await page.getByRole('button', { name: '保存' }).click()
      await expect(notice(page, '已保存')).toBeVisible()
      await expect(page.getByRole('heading', { level: 1, name: '外包测试' })).toBeVisible()
      await expect(page.getByText('自定义，admin@appwarden.local 创建')).toBeVisible()
    })

    test('[ROLE-01] unsaved changes are asked about before another role is opened', async ({ page }) => {
      await signIn(page, 'admin', { at: '/platform/roles' })
      await page.getByRole('button', { name: /^外包测试/ }).click()
      await page.getByText('生成检测报告', { exact: true }).first().click()
      await expect(page.getByText('改了 1 项')).toBeVisible()
      await page
        .getByRole('button', { name: /^操作员 7 人|^操作员 \d/ })
        .first()
        .click()
      await page.getByRole('alertdialog').getByRole('button', { name: '取消' }).click()
      await expect(page.getByRole('heading', { level: 1, name: '外包测试' })).toBeVisible()
      await page.getByRole('button', { name: '撤销' }).click()
      await expect(page.getByText('改了 1 项')).toBeHidden()
    })

    test('[USER-01] an invitation link makes an account whose owner chooses the password, once', async ({
      page,
      browser,
    }) => {
      await signIn(page, 'admin', { at: '/platform/usermanage' })
      await page.getByRole('button', { name: '新建账号' }).click()
      const drawer = page.getByRole('dialog', { name: '新建账号' })
      await drawer.getByRole('textbox', { name: '用户名（邮箱）' }).fill(contractor)
      await drawer.getByRole('button', { name: /角色/ }).click()
      await page.getByRole('option', { name: '外包测试' }).click()
      await drawer.getByRole('button', { name: '创建' }).click()
      const shown = page.getByText(/\/login#invitation=/)
      await expect(shown).toBeVisible()
      const link = /http\S+invitation=[\w-]+/.exec((await shown.textContent()) ?? '')?.[0] ?? ''
      const guest = await (await browser.newContext({ locale: 'zh-CN' })).newPage()
      await prepare(guest)
      await guest.goto(link)
      await expect(guest.getByText(contractor)).toBeVisible()
      await guest.getByRole('textbox', { name: '密码', exact: true }).fill(password)
      await guest.getByRole('textbox', { name: '确认密码' }).fill(password)
      await guest.getByRole('button', { name: '设置密码' }).click()
      await expect(guest.locator('input[type=email]')).toHaveValue(contractor)
      await guest.goto('about:blank')
      await guest.goto(link)
      await expect(guest.getByRole('alert')).toBeVisible()
      await expect(guest.getByRole('button', { name: '设置密码' })).toBeHidden()
      await guest.context().close()
    })

    test('[ROLE-01] a permission that is added opens its pages in an open session within seconds', async ({
      page,
      browser,
    }) => {
      const guest = await (await browser.newContext({ locale: 'zh-CN', baseURL: URL_OF_SERVER })).newPage()
      await prepare(guest)
      await guest.goto('/login')
      await fillLogin(guest, contractor, password)
      await submitLogin(guest)
      await expect(guest).toHaveURL(/\/home$/)
      const menu = guest.getByRole('navigation').first()
      await expect(menu.getByText('检测', { exact: true })).toBeVisible()
      await expect(menu.getByText('统计', { exact: true })).toBeHidden()
      // The page begins to follow its account a second after it was loaded.
      await guest.waitForTimeout(2000)
      await signIn(page, 'admin', { at: '/platform/roles' })
      await page.getByRole('button', { name: /^外包测试/ }).click()
      await page.getByText('统计与异常页面', { exact: true }).first().click()
      await page.getByRole('button', { name: '保存' }).click()
      await expect(notice(page, '已保存')).toBeVisible()
      await expect(menu.getByText('统计', { exact: true })).toBeVisible({ timeout: 5000 })
      await guest.context().close()
    })

    test('[ROLE-01] a role that accounts have cannot be deleted; a cancelled deletion says so', async ({ page }) => {
      await signIn(page, 'admin', { at: '/platform/roles' })
      await page.getByRole('button', { name: /^外包测试/ }).click()
      await expect(page.getByRole('button', { name: '删除…' })).toBeDisabled()
      await page.getByRole('button', { name: '新建角色' }).click()
      await expect(page.getByRole('heading', { level: 1, name: '新建角色' })).toBeVisible()
      await page.getByRole('textbox', { name: '角色名称' }).fill('只看资产')
      await page.getByText('查看资产', { exact: true }).first().click()
      await page.keyboard.press('Control+s')
      await expect(page.getByRole('heading', { level: 1, name: '只看资产' })).toBeVisible()
      await page.getByRole('button', { name: '删除…' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: '取消' }).click()
      await expect(notice(page, '已取消删除')).toBeVisible()
      await page.getByRole('button', { name: '删除…' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click()
      await expect(notice(page, '删除成功!')).toBeVisible()
      await expect(page.getByRole('button', { name: /^只看资产/ })).toBeHidden()
    })
  })
