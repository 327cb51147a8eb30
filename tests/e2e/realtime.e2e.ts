import { expect, expectAccessible, signIn, test } from './support/console.ts'
import { LOOKS } from './support/looks.ts'
import { knownEvents, makeSender, type Sender } from './user-analysis-events.ts'

let sender: Sender
test.beforeAll(async () => {
  sender = await makeSender('operator2', '实时监测样例')
})
test.afterAll(() => sender.remove())

const address = (search = '') => `/realtime?f=app:${sender.appid}${search}`
/** The count of this minute starts again at each full minute: waits for the next one when fewer than 15 s are left. */
const awayFromMinuteEnd = async () => {
  const left = 60_000 - (Date.now() % 60_000)
  if (left < 15_000) await new Promise((resolve) => setTimeout(resolve, left + 500))
}
const batch = (size: number) => knownEvents(Date.now()).slice(0, size)

test('[RT-01] events show as they arrive, counted by arrival; pausing holds the list and counts what comes', async ({
  page,
}) => {
  await signIn(page, 'operator2', { at: address() })
  await expect(page.getByText('实时连接正常')).toBeVisible()
  const rows = page.getByRole('table', { name: '事件流' }).locator('tbody tr')
  await awayFromMinuteEnd()
  await sender.send(batch(5))
  await expect(rows).toHaveCount(5)
  await expect(page.getByTestId('minute-count')).not.toHaveText('0')

  await page.getByRole('radio', { name: '暂停' }).click()
  await expect(page).toHaveURL(/paused=1/)
  await sender.send(batch(7))
  await expect(page.getByRole('radio', { name: /\+7/ })).toBeVisible()
  await expect(rows).toHaveCount(5)
  await page.getByRole('button', { name: '跳到最新' }).click()
  await expect(rows).toHaveCount(12)
  await expect(page).not.toHaveURL(/paused/)
})

test('[RT-01] filters choose what shows; a row opens its event, which the address names', async ({ page }) => {
  await signIn(page, 'operator2', { at: address('&f=level:critical') })
  await expect(page.getByText('实时连接正常')).toBeVisible()
  await sender.send(batch(16))
  const rows = page.getByRole('table', { name: '事件流' }).locator('tbody tr')
  await expect(rows.first()).toBeVisible()
  for (const text of await rows.allInnerTexts()) expect(text).toContain('严重')
  await rows.first().click()
  await expect(page).toHaveURL(/event=\d+%3A/)
  const drawer = page.getByRole('dialog')
  await expect(drawer).toContainText('Hook 框架')
  await expect(drawer).toContainText('"risk": "hook"')
  const link = page.url()
  await page.goto(link)
  await expect(page.getByRole('dialog')).toContainText('Hook 框架')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('[RT-01] events from before the page was opened are listed below the live edge; minute bars open their rows', async ({
  page,
}) => {
  await sender.send(batch(40))
  await signIn(page, 'operator2', { at: address() })
  const rows = page.getByRole('table', { name: '事件流' }).locator('tbody tr')
  // The list is virtual: as many rows as fit stand in the document.
  await expect.poll(() => rows.count(), { timeout: 15_000 }).toBeGreaterThanOrEqual(25)
  const bar = page.getByRole('list', { name: '每分钟到达' }).locator('button:not([disabled])').first()
  const said = await bar.getAttribute('data-count')
  await bar.click()
  await expect(page.getByTestId('event-count')).toHaveText(String(said))
})

test('[RT-01] a lost connection is shown', async ({ page, context }) => {
  await signIn(page, 'operator2', { at: address() })
  await expect(page.getByText('实时连接正常')).toBeVisible()
  await page.route('**/api/live/ticket/', (route) => route.abort())
  await context.setOffline(true)
  await expect(page.getByText(/正在连接|没有新数据|连接已断开/)).toBeVisible({ timeout: 30_000 })
  await page.unroute('**/api/live/ticket/')
  await context.setOffline(false)
  await expect(page.getByText('实时连接正常')).toBeVisible({ timeout: 30_000 })
})

for (const { language, theme } of LOOKS)
  test(`[RT-01] real-time monitoring is accessible (${language}, ${theme})`, async ({ page }) => {
    await sender.send(batch(8))
    await signIn(page, 'operator2', { language, theme, at: address() })
    await expect(page.locator('tbody tr').first()).toBeVisible()
    await expectAccessible(page, 'realtime')
  })
