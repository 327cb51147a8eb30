import { ACCOUNTS, expect, fillLogin, notice, prepare, signIn, submitLogin, test, travel } from './support/console.ts'
import { KNOWN, knownEvents, makeSender } from './user-analysis-events.ts'

// Dialogs and menus as most people see them, fading.
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test.describe('shell', () => {
  test('[SHELL-01] header: quick-select, user menu, and the menu of permitted groups 200 ms later', async ({
    page,
  }) => {
    await signIn(page)
    const menu = page.getByRole('navigation', { name: '主菜单' })
    await expect(menu.getByRole('link')).toHaveText([
      ...['首页', '态势', '统计', '资产', '检测', '加固', '监测', '防护', '知识', '平台'],
    ])
    await expect(page.getByRole('button', { name: /^切换应用/ })).toBeVisible()
    await expect(page.getByRole('button', { name: /^用户菜单/ })).toBeVisible()
    // How long the menu is absent: from the first header to the first link in it.
    await page.addInitScript(() => {
      const seen = { header: 0, menu: 0 }
      Object.assign(window, { seen })
      new MutationObserver(() => {
        if (!seen.header && document.querySelector('header nav[aria-label]')) seen.header = performance.now()
        if (!seen.menu && document.querySelector('header nav[aria-label] a')) seen.menu = performance.now()
      }).observe(document, { subtree: true, childList: true })
    })
    await page.reload()
    await expect(menu.getByRole('link', { name: '统计' })).toBeVisible()
    const seen = await page.evaluate(() => (window as unknown as { seen: { header: number; menu: number } }).seen)
    expect(seen.menu - seen.header).toBeGreaterThan(150)
  })

  test('[SHELL-04] the breadcrumb starts with the dashboard', async ({ page }) => {
    await signIn(page, 'admin', { at: '/platform/settings' })
    const crumbs = page.getByRole('navigation', { name: 'breadcrumb' })
    await expect(crumbs.getByRole('listitem').first()).toContainText('首页')
    await crumbs.getByRole('link', { name: '首页' }).click()
    await expect(page).toHaveURL(/\/home$/)
  })

  test('[SHELL-04] a line that is cut shows whole under the pointer and for the keyboard', async ({ page }) => {
    await signIn(page, 'admin', { at: '/about' })
    const line = page.getByRole('button', { name: 'A name without room' })
    await page.getByRole('main').evaluate((main) => {
      const button = document.createElement('button')
      button.className = 'text-clip-line'
      button.style.width = '60px'
      button.textContent = 'A name without room'
      main.prepend(button)
    })
    const tip = page.locator('.bg-tip')
    await line.hover()
    await expect(tip).toHaveText('A name without room')
    await page.mouse.move(0, 0)
    await expect(tip).toBeHidden()
    await page.locator('#content').focus()
    await page.keyboard.press('Tab')
    await expect(line).toBeFocused()
    await expect(tip).toHaveText('A name without room')
    await page.keyboard.press('Escape')
    await expect(tip).toBeHidden()
  })

  test('[SHELL-04] a list behind an analysis, and the page of one thing, say where they belong', async ({ page }) => {
    await signIn(page, 'admin', { at: '/statistics/user_num' })
    const crumbs = page.getByRole('navigation', { name: 'breadcrumb' })
    await expect(crumbs.getByRole('link')).toHaveText(['首页', '统计', '用户分析'])
    await expect(page.getByRole('navigation', { name: '本组页面' }).locator('[aria-current=true]')).toHaveText(
      '用户分析',
    )
  })

  test('[SHELL-05] user menu: asset center, password, platform information, about, language, theme, log off', async ({
    page,
  }) => {
    await signIn(page)
    const open = () => page.getByRole('button', { name: /^(用户菜单|User menu)/ }).click()
    await open()
    for (const name of [
      '首页',
      '返回资产中心',
      '修改密码',
      '自定义平台信息',
      '关于我们',
      'English',
      '切换为深色',
      '退出登录',
    ])
      await expect(page.getByRole('menuitem', { name })).toBeVisible()
    await page.getByRole('menuitem', { name: '返回资产中心' }).click()
    await expect(page).toHaveURL(/\/assets\/apps$/)
    await open()
    await page.getByRole('menuitem', { name: '自定义平台信息' }).click()
    await expect(page.getByRole('dialog', { name: '自定义平台信息' })).toBeVisible()
    await page.keyboard.press('Escape')
    await open()
    await page.getByRole('menuitem', { name: '关于我们' }).click()
    await expect(page).toHaveURL(/\/about$/)
  })

  test('[SHELL-05] platform information: visible to all, saving needs the permission', async ({ page }) => {
    await signIn(page, 'auditor')
    await page.getByRole('button', { name: /^用户菜单/ }).click()
    await page.getByRole('menuitem', { name: '自定义平台信息' }).click()
    const dialog = page.getByRole('dialog', { name: '自定义平台信息' })
    await expect(dialog.getByText('platform.settings')).toBeVisible()
    await expect(dialog.getByRole('button', { name: '保存' })).toBeDisabled()
  })

  test('[SHELL-10] language, size, theme and colour are saved and confirmed by a notice', async ({ page }) => {
    await signIn(page)
    const open = () => page.getByRole('button', { name: /^(用户菜单|User menu)/ }).click()
    expect(await page.evaluate(() => document.documentElement.dataset['size'])).toBe('medium')
    await open()
    await page.getByRole('menuitem', { name: 'English' }).click()
    await expect(notice(page, 'Switch Language Success')).toBeVisible()
    await open()
    await page.getByRole('menuitem', { name: 'Mini' }).click()
    await expect(notice(page, 'Switch Size Success')).toBeVisible()
    await open()
    await page.getByRole('menuitem', { name: '中文' }).click()
    await open()
    await page.getByRole('menuitem', { name: '深色' }).click()
    await expect(notice(page, '换肤成功')).toBeVisible()
    await open()
    await page.getByRole('menuitem', { name: '主题颜色' }).click()
    const dialog = page.getByRole('dialog', { name: '主题颜色' })
    await expect(dialog.getByRole('textbox', { name: '自选颜色' })).toHaveValue('#409EFF')
    await dialog.getByRole('button', { name: '颜色 #11A983' }).click()
    await dialog.getByRole('button', { name: '应用' }).click()
    await page.reload()
    const root = await page.evaluate(() => ({
      ...document.documentElement.dataset,
      brand: getComputedStyle(document.documentElement).getPropertyValue('--brand'),
    }))
    expect(root).toMatchObject({ theme: 'dark', size: 'mini', brand: '#11a983' })
    expect(await page.evaluate(() => localStorage.getItem('language'))).toBe('zh')
  })

  test('[SHELL-06] full screen, error log and size are not for mobile; an unsupported browser shows a notice', async ({
    page,
  }) => {
    await page.addInitScript(() => Object.defineProperty(document, 'fullscreenEnabled', { value: false }))
    await signIn(page)
    await page.getByRole('button', { name: '全屏' }).click()
    await expect(notice(page, '您的浏览器不支持全屏')).toBeVisible()
    await expect(page.getByRole('button', { name: '错误日志' })).toBeVisible()
    await page.setViewportSize({ width: 1000, height: 800 })
    await expect(page.getByRole('button', { name: '错误日志' })).toHaveCount(0)
    await expect(page.getByRole('button', { name: '全屏' })).toHaveCount(0)
    await page.getByRole('button', { name: /^用户菜单/ }).click()
    await expect(page.getByRole('menuitem', { name: /迷你|Mini/ })).toHaveCount(0)
    await expect(page.getByRole('menuitem', { name: '退出登录' })).toBeVisible()
  })

  test('[SHELL-07] tags: refresh, close, close others, close all; the active one gives way to the last', async ({
    page,
  }) => {
    await signIn(page)
    const tags = page.getByRole('navigation', { name: '访问过的页面' })
    // A page that was left before it was drawn has no tag.
    const names = ['首页']
    for (const [path, name] of [
      ['/about', '关于我们'],
      ['/platform/logs', '日志管理'],
      ['/platform/settings', '平台管理'],
    ] as const) {
      await travel(page, path)
      names.push(name)
      await expect(tags.getByRole('link')).toHaveText(names)
      await expect(page).toHaveURL(new RegExp(`${path}$`))
    }
    await tags.getByRole('button', { name: '关闭 平台管理' }).click()
    await expect(page).toHaveURL(/\/platform\/logs$/)
    const asked = page.waitForResponse((response) => response.url().includes('/api/logs/audit/'))
    await tags.getByRole('link', { name: '日志管理' }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: '刷新' }).click()
    await asked
    await expect(page).toHaveURL(/\/platform\/logs$/)
    await tags.getByRole('link', { name: '关于我们' }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: '关闭其他' }).click()
    await expect(page).toHaveURL(/\/about$/)
    await expect(tags.getByRole('link')).toHaveText(['首页', '关于我们'])
    await page.getByRole('button', { name: '标签操作' }).click()
    await page.getByRole('menuitem', { name: '关闭所有' }).click()
    await expect(page).toHaveURL(/\/home$/)
    await expect(tags.getByRole('link')).toHaveText(['首页'])
  })

  test('[SHELL-08] the sidebar is open, and collapses below 1024 px', async ({ page }) => {
    await signIn(page, 'admin', { at: '/platform/settings' })
    const sidebar = page.getByRole('complementary')
    await expect(sidebar.getByText('日志管理')).toBeVisible()
    expect((await sidebar.boundingBox())?.width).toBe(208)
    await page.setViewportSize({ width: 1023, height: 800 })
    await expect(sidebar).toHaveAttribute('data-collapsed', 'true')
    expect((await sidebar.boundingBox())?.width).toBe(64)
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(sidebar).toBeHidden()
    await page.getByRole('button', { name: '菜单', exact: true }).click()
    await page.getByRole('dialog', { name: '菜单' }).getByRole('link', { name: '日志管理' }).click()
    await expect(page).toHaveURL(/\/platform\/logs$/)
    await expect(page.getByRole('dialog', { name: '菜单' })).toBeHidden()
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(390)
  })

  test('[SHELL-09] a long user name is cut at 17 characters', async ({ page }) => {
    await signIn(page)
    await expect(page.getByText(`${ACCOUNTS.admin.username.slice(0, 17)}…`)).toBeVisible()
  })

  test('[SHELL-11] uncaught errors are listed in the error log dialog and kept', async ({ page, complaints }) => {
    await signIn(page)
    await page.evaluate(() =>
      setTimeout(() => {
        throw new Error('broken on purpose')
      }),
    )
    await expect.poll(() => page.evaluate(() => localStorage.getItem('errorLogs') ?? '')).toContain('broken on purpose')
    expect(complaints.splice(0)).toEqual(['uncaught: broken on purpose'])
    await page.getByRole('button', { name: '错误日志' }).click()
    const dialog = page.getByRole('dialog', { name: '错误日志' })
    await expect(dialog.getByText('broken on purpose').first()).toBeVisible()
    await dialog.getByRole('button', { name: '清空' }).click()
    await expect(dialog.getByText('没有错误')).toBeVisible()
  })

  test('[SHELL-11] signing out from home writes nothing into the list of errors', async ({ page, complaints }) => {
    await signIn(page)
    await travel(page, '/home')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.getByRole('button', { name: '用户菜单' }).click()
    await page.getByRole('menuitem', { name: '退出登录' }).click()
    await expect(page).toHaveURL(/\/login/)
    expect(await page.evaluate(() => localStorage.getItem('errorLogs'))).toBeNull()
    expect(complaints).toEqual([])
  })

  test('[SHELL-01] command palette and keyboard sheet come from one registry; keys rest while typing', async ({
    page,
  }) => {
    await signIn(page)
    const sheet = page.getByRole('dialog', { name: '键盘操作' })
    // The registry comes with the shell, a moment after the page.
    await expect(async () => {
      await page.keyboard.press('?')
      await expect(sheet.getByText('用户分析')).toBeVisible({ timeout: 2000 })
    }).toPass()
    await page.keyboard.press('Escape')
    await expect(sheet).toBeHidden()
    await page.keyboard.press('g')
    await page.keyboard.press('l')
    await expect(page).toHaveURL(/\/platform\/logs$/)
    const search = page.getByRole('searchbox', { name: '账号、操作、对象、说明' })
    await search.click()
    await page.keyboard.type('g h ?')
    await expect(search).toHaveValue('g h ?')
    // The keys are a search, which the address holds after a pause.
    await expect(page).toHaveURL(/\/platform\/logs\?find=g/)
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('combobox', { name: '搜索或跳转' })
    await palette.fill('about')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/about$/)
  })

  test('[HOME-01] home: numbers of the modules that exist, applications, recent work, licence state', async ({
    page,
  }) => {
    const sender = await makeSender('homeowner', '首页应用')
    try {
      await sender.send(knownEvents(Date.now()))
      await signIn(page, 'homeowner')
      const main = page.getByRole('main')
      for (const title of ['攻击次数，24 小时', '受攻击用户', '活跃设备', '启动次数', '崩溃', '最近的工作', '平台授权'])
        await expect(main.getByText(title, { exact: true }).first()).toBeVisible()
      await expect(main.getByText(/^授权有效，剩余 \d+ 天$|^试用中，全部功能可用，剩余 \d+ 天$/)).toBeVisible()
      await expect(main.getByRole('link', { name: /攻击次数，24 小时/ })).toContainText(String(KNOWN.attacks))
      await expect(main.getByRole('link', { name: /受攻击用户/ })).toContainText(String(KNOWN.attackedUsers))
      const row = main.getByRole('listitem').filter({ hasText: '首页应用' })
      await expect(row).toContainText(String(KNOWN.attacks))
      await row.getByRole('button').click()
      await expect(page).toHaveURL(new RegExp(`/statistics/user_analyzer\\?appid=${sender.appid}`))
    } finally {
      await sender.remove()
    }
  })

  test('[PASS-01] the rules of the password form, each with its message', async ({ page }) => {
    await signIn(page, 'changer', { language: 'en' })
    await page.getByRole('button', { name: /^User menu/ }).click()
    await page.getByRole('menuitem', { name: 'Password reset' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change password' })
    const fill = async (old: string, next: string, confirm: string) => {
      await dialog.getByLabel('Old password').fill(old)
      await dialog.getByLabel('New password').fill(next)
      await dialog.getByLabel('Confirm password').fill(confirm)
      await dialog.getByRole('button', { name: 'Confirm' }).click()
    }
    await fill('', '', '')
    await expect(dialog.getByText('Please enter the old password')).toBeVisible()
    await expect(dialog.getByText('Please enter the new password')).toBeVisible()
    const { password } = ACCOUNTS.changer
    await fill(password, 'New pass-1', 'New pass-1')
    await expect(dialog.getByText('8 to 64 characters with at least three', { exact: false }).first()).toBeVisible()
    await fill(password, password, password)
    await expect(dialog.getByText('The old and new passwords cannot match')).toBeVisible()
    await fill(password, 'Another-2026', 'Another-2027')
    await expect(dialog.getByText('Two different passwords!')).toBeVisible()
    await fill('Wrong-2026', 'Another-2026', 'Another-2026')
    await expect(dialog.getByText('The old password is wrong')).toBeVisible()
  })

  test('[PASS-01] % and * are refused with 输入框禁止输入%或*号等符号', async ({ page }) => {
    await signIn(page, 'changer')
    await page.getByRole('button', { name: /^用户菜单/ }).click()
    await page.getByRole('menuitem', { name: '修改密码' }).click()
    const dialog = page.getByRole('dialog', { name: '修改密码' })
    await dialog.getByLabel('旧密码').fill(ACCOUNTS.changer.password)
    await dialog.getByLabel('新密码').fill('Another%2026')
    await dialog.getByLabel('确认密码').fill('Another%2026')
    await dialog.getByRole('button', { name: '确定' }).click()
    await expect(dialog.getByText('输入框禁止输入%或*号等符号').first()).toBeVisible()
    await expect(notice(page, '输入框禁止输入%或*号等符号')).toBeVisible()
  })

  test('[PASS-02] success: the dialog closes, 修改成功, logged out, the new password works', async ({ page }) => {
    await signIn(page, 'changer')
    await page.getByRole('button', { name: /^用户菜单/ }).click()
    await page.getByRole('menuitem', { name: '修改密码' }).click()
    const dialog = page.getByRole('dialog', { name: '修改密码' })
    await dialog.getByLabel('旧密码').fill(ACCOUNTS.changer.password)
    await dialog.getByLabel('新密码').fill('Another-2026')
    await dialog.getByLabel('确认密码').fill('Another-2026')
    await dialog.getByRole('button', { name: '确定' }).click()
    await expect(dialog).toBeHidden()
    await expect(notice(page, '修改成功')).toBeVisible()
    await expect(page).toHaveURL(/\/login/)
    await prepare(page)
    await fillLogin(page, ACCOUNTS.changer.username, 'Another-2026')
    await submitLogin(page)
    await expect(page).toHaveURL(/\/home$/)
  })
})
