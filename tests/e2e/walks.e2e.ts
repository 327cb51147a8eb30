import { randomUUID } from 'node:crypto'
import type { WireEvent } from '#contracts/telemetry/wire.ts'
import { walkFromSpike } from '../support/spike-walk.ts'
import { openMeta } from './support/accounts.ts'
import { expect, signIn, test } from './support/console.ts'
import { makeSender, type Sender } from './user-analysis-events.ts'

const MOST_ACTIONS = 8
let sender: Sender
test.beforeAll(async () => {
  sender = await makeSender('operator2', '走查样例')
  const now = Date.now()
  await sender.send(
    Array.from(
      { length: 40 },
      (_, index): WireEvent => ({
        event_id: randomUUID(),
        type: 'risk',
        risk_type: 'hook',
        action: index % 3 ? 'block' : 'report',
        device_id: index < 30 ? 'walk-device-busy' : `walk-device-${index}`,
        user_id: `walk-user-${index % 4}`,
        app_version: '9.4.0',
        platform: 'android',
        occurred_at: now - index * 1000,
        reported_at: now,
        place: { country: 'CN', province: '440000', city: '440300' },
      }),
    ),
  )
})
test.afterAll(async () => {
  await sender.remove()
  const meta = await openMeta(process.env['E2E_DATA'] ?? '')
  await meta.db.deleteFrom('cases').execute()
  await meta.close()
})

test('[STAT-01] [MSSA-01] spike, device, trace, case, report: at most eight actions', async ({ page }) => {
  await signIn(page, 'operator2', { at: `/statistics/attack_analyzer?f=app:${sender.appid}` })
  const actions: string[] = []
  await walkFromSpike(page, async (what, click) => {
    actions.push(what)
    await click()
  })
  expect(actions.length).toBeLessThanOrEqual(MOST_ACTIONS)
})

test('[STAT-01] a list of events zooms the page to its bar, and its tip is gone', async ({ page }) => {
  await signIn(page, 'operator2', { at: `/statistics/attack_analyzer?f=app:${sender.appid}` })
  const chart = page.getByRole('group', { name: /^攻击次数/ }).first()
  await expect(chart.locator('canvas')).toBeVisible()
  const box = await chart.boundingBox()
  if (!box) throw new Error('no chart')
  await chart.click({ position: { x: box.width - 18, y: box.height - 30 } })
  await page.getByTestId('rows-actions').getByRole('button', { name: '缩放到此时段' }).click()
  await expect(page).toHaveURL(/range=\d+~\d+|range=\d+%7E\d+/)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
