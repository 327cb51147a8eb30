import type { Page } from '@playwright/test'
import { expect, expectAccessible, signIn, test } from './support/console.ts'
import { knownEvents, makeSender, type Sender } from './user-analysis-events.ts'

let sender: Sender
test.beforeAll(async () => {
  sender = await makeSender('operator', '搜索样例支付')
  await sender.send(knownEvents(Date.now()))
})
test.afterAll(() => sender.remove())

const palette = (page: Page) => page.getByRole('combobox', { name: /^(搜索或跳转|Search or go to)$/ })
async function open(page: Page): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('Control+k')
    await expect(palette(page)).toBeVisible({ timeout: 2000 })
  }).toPass()
}
const picture = async (page: Page, name: string) => {
  const folder = process.env['E2E_PICTURES']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}

test('[SHELL-01] the palette finds applications, rules and vulnerabilities of the server beside pages, by keyboard alone', async ({
  page,
}) => {
  await signIn(page, 'admin', { at: '/about' })
  await open(page)
  await picture(page, 'palette-empty')
  await palette(page).fill('签名')
  await expect(page.getByRole('group', { name: '规则' }).getByRole('option').first()).toBeVisible()
  await picture(page, 'palette-signature-1440')
  await expectAccessible(page, 'the palette with results')
  await palette(page).fill('CVE-2017-13156')
  const hit = page.getByRole('group', { name: '漏洞' }).getByRole('option').first()
  await expect(hit).toHaveAttribute('aria-selected', 'true')
  // Tab leads to what can be done with it.
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: /^打开/ })).toBeFocused()
  await palette(page).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/knowledge\/vulnerabilities\?open=CVE-2017-13156/)
  // What was opened is offered again before anything is typed.
  await open(page)
  await expect(page.getByRole('group', { name: '最近打开' }).getByText('CVE-2017-13156')).toBeVisible()
  await palette(page).fill('zzqqxx nothing')
  await expect(page.getByText('没有匹配的结果')).toBeVisible()
})

test('[SHELL-01] Ctrl+Enter opens a hit in a new tab; statistics open filtered by an application', async ({
  page,
  context,
}) => {
  await signIn(page, 'operator', { at: '/about' })
  await open(page)
  await palette(page).fill('漏洞库 没有 这样')
  await palette(page).fill('CVE-2017-13156')
  await expect(page.getByRole('group', { name: '漏洞' }).getByRole('option').first()).toBeVisible()
  const [tab] = await Promise.all([context.waitForEvent('page'), page.keyboard.press('Control+Enter')])
  await expect(tab).toHaveURL(/\/knowledge\/vulnerabilities\?open=CVE/)
  await tab.close()
})

test('[SHELL-01] a server that does not answer leaves pages and actions, says so, and is asked again', async ({
  page,
}) => {
  await signIn(page, 'admin', { at: '/about' })
  await open(page)
  await page.route('**/api/search/**', (route) => route.abort())
  await palette(page).fill('日志')
  await expect(page.getByText('服务器没有回答，只显示页面与操作')).toBeVisible()
  await picture(page, 'palette-away')
  await expect(page.getByRole('option', { name: /日志管理/ })).toBeVisible()
  await page.unroute('**/api/search/**')
  await page.getByRole('button', { name: '重试' }).click()
  await expect(page.getByText('服务器没有回答，只显示页面与操作')).toBeHidden()
})

test('[SHELL-01] a kind that the server had no time for is asked for again, and its hits join the others', async ({
  page,
}) => {
  await signIn(page, 'admin', { at: '/about' })
  let asked = 0
  let release = () => {}
  const isSeen = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/search/**', async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    const isFirst = answer.data.some(({ kind }: { kind: string }) => kind === 'rule') && asked++ === 0
    if (!isFirst) {
      if (asked > 0) await isSeen
      return route.fulfill({ response, json: answer })
    }
    const data = answer.data.filter(({ kind }: { kind: string }) => kind !== 'rule')
    await route.fulfill({ response, json: { ...answer, data, unanswered: [{ kind: 'rule', reason: 'slow' }] } })
  })
  await open(page)
  await palette(page).fill('签名')
  await expect(page.getByText('未能及时回答：规则')).toBeVisible()
  await expect(page.getByRole('group', { name: '规则' })).toHaveCount(0)
  release()
  await expect(page.getByRole('group', { name: '规则' }).getByRole('option').first()).toBeVisible()
  await expect(page.getByText('未能及时回答')).toBeHidden()
})

for (const [width, theme, language] of [
  [1920, 'dark', 'en'],
  [1366, 'light', 'zh'],
  [390, 'dark', 'zh'],
] as const)
  test(`[SHELL-01] the palette is accessible and fits at ${width} pixels, ${theme} ${language}`, async ({ page }) => {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
    await signIn(page, 'admin', { at: '/about', theme, language })
    await open(page)
    await palette(page).fill('webview')
    await expect(page.getByRole('option').first()).toBeVisible()
    await expect(page.getByText(/^(正在搜索…|Searching…)$/)).toBeHidden()
    await picture(page, `palette-${width}-${theme}-${language}`)
    await expectAccessible(page, `the palette at ${width}`)
    const box = await page.getByRole('dialog').boundingBox()
    expect(box && box.x >= 0 && box.x + box.width <= width).toBe(true)
  })
