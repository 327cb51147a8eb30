import { randomUUID } from 'node:crypto'
import type { WireEvent } from '#contracts/telemetry/wire.ts'
import { expect, expectAccessible, signIn, test } from './support/console.ts'
import { makeSender, type Sender } from './user-analysis-events.ts'

let sender: Sender
test.beforeAll(async () => {
  sender = await makeSender('operator2', '观测台样例')
})
test.afterAll(() => sender.remove())

let sent = 0
async function send(...attacks: WireEvent[]): Promise<void> {
  await sender.send(attacks)
  sent += attacks.length
}

const address = (search = '') => `/maps?f=app:${sender.appid}${search}`
const attack = (change: Partial<WireEvent> = {}): WireEvent => ({
  event_id: randomUUID(),
  type: 'risk',
  risk_type: 'hook',
  action: 'block',
  device_id: randomUUID(),
  user_id: randomUUID(),
  platform: 'android',
  place: { country: 'CN', province: '440000', city: '440300' },
  ...change,
})
const number = (text: string | null) => Number((text ?? '').replaceAll(',', ''))

test('[OBS-01] a posted event is counted, named in the feed and drawn; it opens, and its address opens it again', async ({
  page,
}) => {
  await signIn(page, 'operator2', { at: address() })
  await expect(page.getByTestId('connection')).toContainText('实时')
  const count = page.getByTestId('attacks-today')
  await expect(count).toHaveText(/\d/)
  const before = number(await count.textContent())
  const event = attack()
  await send(event)
  await expect.poll(async () => number(await count.textContent())).toBe(before + 1)
  const line = page.getByTestId('feed').getByRole('button').first()
  await expect(line).toContainText('Hook 框架')
  await expect(line).toContainText('深圳')
  await expect(line).toContainText('已拦截')
  await expect
    .poll(async () => number((await page.getByTestId('drawn').textContent())?.split('/')[0] ?? ''))
    .toBeGreaterThan(0)
  await line.click()
  await expect(page).toHaveURL(new RegExp(`event=${sender.appid}(%3A|:)${event.event_id}`))
  await expect(page.getByRole('dialog')).toContainText('Hook 框架')
  await page.goto(page.url())
  await expect(page.getByRole('dialog')).toContainText('Hook 框架')
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/event=/)
})

test('[OBS-01] legend and rows filter what is counted, Shift excludes, a second press takes it off; the address says so', async ({
  page,
}) => {
  await signIn(page, 'operator2', { at: address() })
  await send(attack(), attack({ risk_type: 'proxy_vpn', action: 'report' }))
  const count = page.getByTestId('attacks-today')
  await expect.poll(async () => number(await count.textContent())).toBe(sent)
  const all = sent
  const critical = page.locator('[data-level=critical]')
  const ofLevel = number(await critical.locator('span').last().textContent())
  await critical.click()
  await expect(page).toHaveURL(/f=level(%3A|:)critical/)
  await expect(count).toHaveText(String(ofLevel))
  await critical.click()
  await expect(page).not.toHaveURL(/level/)
  await expect(count).toHaveText(String(all))
  await page.locator('[data-field=risk] button', { hasText: '代理' }).click({ modifiers: ['Shift'] })
  await expect(page).toHaveURL(/f=%21risk|f=!risk/)
  await expect(page.locator('[data-field=risk]')).not.toContainText('代理')
  await page.reload()
  await expect(page.locator('[data-field=risk]')).toContainText('Hook')
  await expect(page.locator('[data-field=risk]')).not.toContainText('代理')
})

test('[OBS-01] a paused wall stays unchanged and counts new attacks; then it continues from now', async ({ page }) => {
  await signIn(page, 'operator2', { at: address() })
  const count = page.getByTestId('attacks-today')
  await expect(count).toHaveText(/\d/)
  const before = await count.textContent()
  await page.keyboard.press('l')
  await expect(page).toHaveURL(/mode=paused/)
  await expect(page.getByTestId('connection')).toContainText('已暂停')
  await send(attack(), attack(), attack())
  await expect(page.getByTestId('waiting')).toHaveText('+3')
  expect(await count.textContent()).toBe(before)
  await page.keyboard.press('l')
  await expect(count).toHaveText(String(number(before) + 3))
  await expect(page).not.toHaveURL(/mode=/)
})

test('[OBS-01] a span of the time line is replayed from the store and counts the same', async ({ page }) => {
  await send(attack(), attack({ place: { country: 'SG' } }))
  await signIn(page, 'operator2', { at: address() })
  const count = page.getByTestId('attacks-today')
  await expect.poll(async () => number(await count.textContent())).toBe(sent)
  const bars = page.locator('.wall-bars')
  const box = await bars.boundingBox()
  if (!box) throw new Error('no time line')
  await page.mouse.move(box.x + box.width * 0.7, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2, { steps: 5 })
  // The map shows what is stored of the bar under the pointer, until it lets go.
  await expect(page.getByTestId('scrub')).toContainText('攻击')
  await page.mouse.up()
  await expect(page.getByTestId('scrub')).toHaveCount(0)
  await page.locator('.wall-brush-menu').getByRole('button', { name: '回放' }).click()
  await expect(page).toHaveURL(/mode=replay&window=\d+/)
  await expect(page.getByTestId('connection')).toContainText('回放')
  await page.getByRole('button', { name: '60x' }).click()
  await expect(page).toHaveURL(/speed=60/)
  await expect.poll(async () => number(await count.textContent()), { timeout: 40_000 }).toBe(sent)
  await page.keyboard.press('l')
  await expect(page.getByTestId('connection')).toContainText('实时')
})

test('[OBS-01] a province is entered by the keyboard, counts its own, and Esc leads back', async ({ page }) => {
  await send(attack(), attack({ place: { country: 'CN', province: '330000', city: '330100' } }))
  await signIn(page, 'operator2', { at: address() })
  const count = page.getByTestId('attacks-today')
  await expect.poll(async () => number(await count.textContent())).toBe(sent)
  const all = sent
  await page.getByRole('button', { name: '进入 浙江' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/area=330000/)
  await expect(page.getByRole('main').getByRole('navigation').first()).toContainText('浙江')
  await expect.poll(async () => number(await count.textContent())).toBeLessThan(all)
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/area=/)
  await expect(count).toHaveText(String(all))
})

test('[OBS-01] an event without a place goes to the tray, never to the map', async ({ page }) => {
  await signIn(page, 'operator2', { at: address() })
  const tray = page.getByTestId('no-place')
  await expect(page.getByTestId('attacks-today')).toHaveText(/\d/)
  const before = number((await tray.textContent())?.replace(/\D/g, '') ?? '')
  const { place: _, ...nowhere } = attack()
  await send(nowhere)
  await expect.poll(async () => number((await tray.textContent())?.replace(/\D/g, '') ?? '')).toBe(before + 1)
})

test('[OBS-01] without WebGL2 the map explains itself and everything else goes on', async ({ page }) => {
  await page.addInitScript(() => {
    const original = HTMLCanvasElement.prototype.getContext
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
      return kind.startsWith('webgl') ? null : original.call(this, kind as '2d', ...(rest as []))
    } as typeof original
  })
  await signIn(page, 'operator2', { at: address() })
  await expect(page.getByRole('alert')).toContainText('WebGL2')
  const count = page.getByTestId('attacks-today')
  await expect(count).toHaveText(/\d/)
  const before = number(await count.textContent())
  await send(attack())
  await expect.poll(async () => number(await count.textContent())).toBe(before + 1)
})

for (const language of ['zh', 'en'] as const)
  test(`[OBS-01] the observatory is accessible (${language})`, async ({ page }) => {
    await send(attack())
    await signIn(page, 'operator2', { language, at: address() })
    await expect(page.getByTestId('feed').getByRole('button').first()).toBeVisible()
    await expectAccessible(page, 'maps')
  })
