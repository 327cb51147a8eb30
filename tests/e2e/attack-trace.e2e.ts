import { randomInt } from 'node:crypto'
import type { Page } from '@playwright/test'
import { STORY, taggedDevice, traceEvents } from './attack-trace-events.ts'
import { openMeta } from './support/accounts.ts'
import { expect, expectAccessible, notice, signIn, test } from './support/console.ts'
import { makeSender, type Sender } from './user-analysis-events.ts'

const PAGE = '/mssa/attack_spoor'
/** A worker that starts again uses its own events. */
const TAG = randomInt(256)
let sender: Sender
test.beforeAll(async () => {
  sender = await makeSender('operator2', '溯源样例')
  await sender.send(traceEvents(Date.now(), TAG))
})
test.afterAll(async () => {
  await sender.remove()
  const meta = await openMeta(process.env['E2E_DATA'] ?? '')
  await meta.db.deleteFrom('cases').execute()
  await meta.close()
})

/** An administrator knows the app's own id of the device; the search leads to its trace. */
async function openTrace(page: Page, text = taggedDevice(STORY.device, TAG)): Promise<void> {
  await page.getByRole('textbox', { name: '查找设备、用户或地址' }).fill(text)
  await page.getByRole('button', { name: '查找', exact: true }).click()
  await expect(page.getByTestId('trail-total')).toBeVisible()
}
const count = (page: Page) => page.getByTestId('event-count')
const closeDrawer = async (page: Page) => {
  // Esc closes the top layer only: a menu that is still fading out would take it.
  await expect(page.getByRole('menu')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test('[MSSA-01] the trace shows the events that were sent; each number opens exactly its events', async ({ page }) => {
  await signIn(page, 'admin', { at: PAGE })
  await openTrace(page)
  await expect(page.getByTestId('trail-total')).toHaveAttribute('data-value', String(STORY.events))
  await expect(page.locator('[data-stop]')).toHaveCount(STORY.stops)
  await expect(page.getByTestId('impossible')).toHaveCount(STORY.impossible)
  const table = page.getByRole('table', { name: '移动' })
  await expect(table.locator('tbody tr')).toHaveCount(STORY.stops)
  await expect(table.locator('tbody tr').nth(1)).toContainText('km/h')
  let sum = 0
  for (let stop = 1; stop <= STORY.stops; stop++) {
    const button = page.getByTestId(`stop-${stop}-events`)
    const said = Number(await button.getAttribute('data-value'))
    sum += said
    await button.click()
    await expect(count(page)).toHaveText(String(said))
    await closeDrawer(page)
  }
  expect(sum).toBe(STORY.events)
  await page.getByRole('button', { name: '打开 6 条事件：Hook 框架' }).click()
  await expect(count(page)).toHaveText('6')
  await closeDrawer(page)
  await page
    .getByRole('button', { name: /^打开 1 条事件：启动/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { name: /启动事件/ })).toBeVisible()
  await closeDrawer(page)

  // A stop has the same number everywhere; j and k step through them.
  const chosen = table.getByRole('button', { pressed: true })
  await page.keyboard.press('j')
  await expect(chosen).toContainText('1')
  await page.keyboard.press('j')
  await expect(chosen).toContainText('2')
  await page.keyboard.press('k')
  await expect(chosen).toContainText('1')
  await expect(page).toHaveURL(/stop=1/)
  await expect(page.getByTestId('travel-map').getByRole('img', { name: '移动轨迹，4 站' })).toBeVisible()
  await expectAccessible(page, 'trace')
})

test('[MSSA-01] links lead to accomplices, a shared exit is no evidence, and every tie is in the table too', async ({
  page,
}) => {
  await signIn(page, 'admin', { at: PAGE })
  await openTrace(page)
  const graph = page.getByTestId('link-graph')
  await expect(graph.getByRole('button', { name: /^设备/ })).toHaveCount(2)
  await expect(graph.getByRole('button', { name: /运营商 NAT/ })).toHaveCount(1)
  await page.getByRole('button', { name: '看表格', exact: true }).click()
  const table = page.getByRole('table', { name: '关联' })
  await expect(table.locator('tbody tr')).toHaveCount(9)
  const second = table.locator('tbody tr', { hasText: '2 台设备' }).first()
  await expect(second).toContainText('直接')
  await page.getByRole('button', { name: '看表格', exact: true }).click()

  // What the first user and the device have in common, then the trace of that user, then of the accomplice.
  const user = graph.getByRole('button', { name: /^用户.*, 8, 2 台设备/ })
  await user.click()
  await page.getByRole('menuitem', { name: /共同的事件/ }).click()
  await expect(count(page)).toHaveText('8')
  await closeDrawer(page)
  await user.click()
  await page.getByRole('menuitem', { name: '以此为对象' }).click()
  await expect(page.getByTestId('subject')).toHaveText(/^u_/)
  await expect(page.getByTestId('trail-total')).toHaveAttribute('data-value', '14')
  await page.goBack()
  await expect(page.getByTestId('subject')).toHaveText(/^d_/)

  // Sharing a carrier's address is no link, unless an analyst asks who else uses it.
  await graph.getByRole('button', { name: /运营商 NAT/ }).click()
  await page.getByRole('menuitem', { name: '展开它的关联' }).click()
  await expect(graph.getByRole('button', { name: /^设备/ })).toHaveCount(12)
  await expectAccessible(page, 'links')
})

test('[MSSA-01] pins and notes make a case; only they are shown on demand; the report holds them', async ({ page }) => {
  await signIn(page, 'admin', { at: PAGE })
  await openTrace(page)
  await page.locator('[data-stop="2"]').getByRole('button', { name: '置顶到案件' }).first().click({ force: true })
  await expect(notice(page, /^已置顶到/)).toBeVisible()
  await expect(page).toHaveURL(/case=/)
  // By the keyboard: the case panel that the first pin opens moves the rows, and with them the place of a forced click.
  await page.locator('[data-stop="1"]').getByRole('button', { name: '置顶到案件' }).nth(2).press('Enter')
  await expect(page.getByTestId('case-counts')).toContainText('2 项置顶')
  await page.getByPlaceholder('写备注').fill('乌鲁木齐一段像代理出口')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('case-counts')).toContainText('1 条备注')
  await page.getByRole('button', { name: '只看置顶' }).click()
  await expect(page.locator('[data-stop]')).toHaveCount(2)
  await page.reload()
  await expect(page.getByTestId('case-counts')).toContainText('2 项置顶')
  await expect(page.locator('[data-stop]')).toHaveCount(2)
  await page.getByRole('button', { name: '报告' }).first().click()
  await page.getByRole('menuitem', { name: '生成 PDF 报告' }).click()
  await expect(notice(page, /^报告已开始生成/)).toBeVisible()
  await page.goto('/platform/reportManage?kind=case')
  await page
    .getByRole('main')
    .getByText(/案件报告 PDF$/)
    .first()
    .click()
  const report = page.getByRole('dialog', { name: /案件报告 PDF$/ })
  await expect(report.getByText('乌鲁木齐一段像代理出口')).toBeVisible({ timeout: 90_000 })
  await expectAccessible(page, 'report of a case')
  if (process.env['E2E_SHOTS']) await page.screenshot({ path: `${process.env['E2E_SHOTS']}/reports-case-zh-light.png` })
  await report.getByRole('button', { name: '下一章' }).click()
  await expect(report.getByTestId('chapter')).toHaveText('2 / 3')
  await expect(report.getByText(/不可能移动/).first()).toBeVisible()
  await report.getByRole('button', { name: '下一章' }).click()
  await expect(report.getByText(/[0-9a-f]{64}/).first()).toBeVisible()

  // The case is found again from the page without a subject, and leads back to its trace.
  await page.goto(PAGE)
  await page.getByTestId('cases').getByRole('button').first().click()
  const drawer = page.getByRole('dialog', { name: '案件' })
  await expect(drawer).toContainText('乌鲁木齐一段像代理出口')
  await drawer.getByRole('button', { name: /^第 2 站/ }).click()
  await expect(page.getByTestId('subject')).toHaveText(/^d_/)
})

test('[MSSA-01] an event is pinned from its drawer into a new case', async ({ page }) => {
  await signIn(page, 'operator2', { at: `/statistics/user_analyzer?f=app:${sender.appid}&range=-7d&paused=1` })
  await page.getByRole('button', { name: /^查看 62 条事件/ }).click()
  await page.getByRole('dialog').getByRole('list', { name: '事件' }).getByRole('button').first().click()
  await page.getByRole('button', { name: '转到' }).click()
  await page.getByRole('menuitem', { name: '置顶到案件' }).click()
  const dialog = page.getByRole('dialog', { name: '置顶到案件' })
  // Open cases of colleagues are offered first.
  await dialog.getByRole('button', { name: /案件$/ }).click()
  await page.getByRole('option', { name: '新建案件' }).click()
  await dialog.getByLabel('案件名称').fill('单条事件')
  await dialog.getByRole('button', { name: '置顶', exact: true }).click()
  await expect(notice(page, '已置顶到“单条事件”')).toBeVisible()
})

test('[MSSA-01] without the permission addresses are networks; a dark English phone shows the same trace', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, 'operator2', { language: 'en', theme: 'dark', at: PAGE })
  await expect(page.getByText('Addresses need the permission')).toBeVisible()
  await page.getByTestId('candidates-device').getByRole('button').first().click()
  await expect(page.getByTestId('trail-total')).toHaveAttribute('data-value', String(STORY.events))
  await expect(
    page
      .getByTestId('link-graph')
      .getByRole('button', { name: /^Address/ })
      .first(),
  ).toContainText('.0/24')
  await expect(page.getByTestId('travel-map').getByRole('img')).toBeVisible()
  await expectAccessible(page, 'trace on a phone')
})
