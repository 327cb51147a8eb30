import { createHash, randomInt, randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { WireEvent } from '#contracts/telemetry/wire.ts'
import { makeCounters } from '#mocks/device-fleet/counters.ts'
import { DEMO_APPS } from '#mocks/device-fleet/demo-apps.ts'
import { startEnrolledDevices } from '#mocks/device-fleet/enrolled-devices.ts'
import { makePost } from '#mocks/device-fleet/http-post.ts'
import type { Install } from '#mocks/device-fleet/population.ts'
import { makeServerClock } from '#mocks/device-fleet/server-clock.ts'
import { makeWorld } from '#mocks/device-fleet/world.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import { openMeta } from './support/accounts.ts'
import { expect, notice, signIn, test, URL_OF_SERVER } from './support/console.ts'
import { makeSender, type Sender } from './user-analysis-events.ts'

const APP = '调查样例'
/** A worker that starts again uses its own events. */
const TAG = randomInt(256)
const ATTACKER = `investigation-attacker-${TAG}`
const ACCOMPLICE = `investigation-accomplice-${TAG}`
const ATTACKS = 60
const ENROLMENT_KEY = `aw_ek_${randomUUID().replaceAll('-', '')}`
let sender: Sender

test.beforeAll(async () => {
  sender = await makeSender('operator', APP)
  const meta = await openMeta(process.env['E2E_DATA'] ?? '')
  const application_id = Number(sender.appid)
  // The application acts on risks, and phones may enrol.
  await meta.db.updateTable('applications').set({ protect_type: '1' }).where('id', '=', application_id).execute()
  await meta.db
    .insertInto('ingest_keys')
    .values({
      id: randomUUID(),
      application_id,
      kind: 'enrolment',
      name: 'e2e',
      hint: ENROLMENT_KEY.slice(0, 10),
      hash: createHash('sha256').update(ENROLMENT_KEY).digest('hex'),
      text: ENROLMENT_KEY,
      scopes: [],
      created_at: Date.now(),
      last_used_at: null,
      revoked_at: null,
    })
    .execute()
  for (const what of ['applications', 'ingest_keys']) await meta.notify(CHANNELS.changed, { what })
  await meta.close()
})
test.afterAll(() => sender.remove())

const SHENZHEN = { country: 'CN', province: '440000', city: '440300' }
const URUMQI = { country: 'CN', province: '650000', city: '650100' }

function event(device: string, at: number, more: Partial<WireEvent>): WireEvent {
  return {
    event_id: randomUUID(),
    type: 'risk',
    risk_type: 'hook',
    action: 'report',
    device_id: device,
    user_id: `investigation-user-${TAG}`,
    occurred_at: at,
    platform: 'android',
    brand: 'Xiaomi',
    model: 'Redmi K70',
    os: 'Android 14',
    app_version: '5.8.2',
    client_ip: `183.15.${TAG}.5`,
    place: SHENZHEN,
    ...more,
  }
}

/** The attacker leaves through a proxy for ten minutes of the last hour; the accomplice uses the same account. */
function spike(now: number): WireEvent[] {
  const minutes = (count: number) => now - count * 60_000
  return [
    ...Array.from({ length: ATTACKS - 12 }, (_, index) => event(ATTACKER, minutes(9 - index / 8), {})),
    ...Array.from({ length: 12 }, (_, index) =>
      event(ATTACKER, minutes(50 - index / 2), { place: URUMQI, client_ip: `124.89.${TAG}.9`, risk_type: 'injection' }),
    ),
    ...Array.from({ length: 4 }, (_, index) => event(ACCOMPLICE, minutes(30 - index), { type: 'start' })).map(
      ({ risk_type: _risk, action: _action, ...start }) => start,
    ),
  ]
}

/** The attacker's phone under our SDK: enrolled, it fetches its policy and decides by it. */
function startPhone(): () => void {
  const made = makeWorld({ seed: 3, apps: DEMO_APPS, phones: 20 })
  const install: Install = { ...(made.population.installs[0] as Install), app: 0, device: ATTACKER }
  const world = {
    ...made,
    population: { ...made.population, installs: [install] },
    eventOf: (_rng: unknown, _install: Install, at: number) => ({
      app: 0,
      at,
      text: `{"event_id":"${randomUUID()}","type":"risk","risk_type":"hook","action":"report","occurred_at":${Math.round(Date.now())},"device_id":"${ATTACKER}","app_version":"5.8.2"`,
    }),
  }
  const post = makePost(URL_OF_SERVER, 2)
  const stop = startEnrolledDevices({
    world,
    seed: 3,
    origin: URL_OF_SERVER,
    enrolmentKeys: [ENROLMENT_KEY],
    appids: [sender.appid],
    post,
    clock: makeServerClock(Date.now),
    counters: makeCounters(),
    now: Date.now,
    file: undefined,
    say: (text) => console.log(text),
    phones: 1,
    every: 700,
    policyEvery: 1000,
  })
  return () => {
    stop()
    post.close()
  }
}

const number = (text: string | null) => Number((text ?? '').replace(/[^\d]/g, ''))
const dialog = (page: Page, name?: string | RegExp) => page.getByRole('dialog', name ? { name } : {})

test('[OBS-01] [STAT-01] [MSSA-01] [CONF-01] from a spike on the wall to the phone that obeys', async ({ page }) => {
  test.setTimeout(180_000)
  // The wall: a spike, and the span of it leads to the analysis.
  await signIn(page, 'operator', { at: `/maps?f=app:${sender.appid}` })
  await expect(page.getByTestId('connection')).toContainText('实时')
  await sender.send(spike(Date.now()))
  const today = page.getByTestId('attacks-today')
  await expect.poll(async () => number(await today.textContent())).toBe(ATTACKS)
  await page.waitForTimeout(1500)
  const box = await page.locator('.wall-bars').boundingBox()
  if (!box) throw new Error('no time line')
  await page.mouse.move(box.x + box.width * 0.7, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2, { steps: 5 })
  await page.mouse.up()
  await page.locator('.wall-brush-menu').getByRole('link', { name: '攻击分析' }).click()

  // The analysis: as many attacks; who was attacked.
  await expect(page).toHaveURL(/\/statistics\/attack_analyzer/)
  const figures = page.getByRole('table', { name: /对比|周期/ })
  const users = figures
    .getByRole('row', { name: /受攻击用户/ })
    .getByRole('button')
    .first()
  await expect(users).toHaveText('1')
  await users.click()
  await expect(page).toHaveURL(/\/statistics\/user_num/)
  await expect(page.getByTestId('entity-total')).toHaveAttribute('data-value', '1')

  // The user's trace: two devices stand behind one account.
  await page.getByRole('table').getByRole('link').first().click()
  await expect(page).toHaveURL(/attack_spoor\?subject=user/)
  const graph = page.getByTestId('link-graph')
  // What occurred in the span of the wall: the detour was before it.
  await graph.getByRole('button', { name: new RegExp(`^设备.*, ${ATTACKS - 12}`) }).click()
  await page.getByRole('menuitem', { name: '设备详情' }).click()

  // The device: a score with its reasons; its trace moves faster than anyone can.
  await expect(page).toHaveURL(/user_check/)
  await expect.poll(async () => number(await page.getByTestId('device-score').textContent())).toBeGreaterThanOrEqual(60)
  await page.getByRole('button', { name: '看轨迹' }).click()
  await expect(page.getByTestId('trail-total')).toHaveAttribute('data-value', String(ATTACKS))
  await expect(page.getByTestId('impossible')).toHaveCount(1)
  // Linked devices: the accomplice, through the account.
  await expect(graph.getByRole('button', { name: /^设备/ })).toHaveCount(1)

  // What was found is kept, and the device is banned.
  await page.getByRole('button', { name: '置顶此对象' }).click()
  await expect(notice(page, /^已置顶到/)).toBeVisible()
  await page.getByRole('radiogroup', { name: '处置' }).getByRole('radio', { name: '封禁' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: '封禁' }).click()
  await expect(notice(page, /^已处置：封禁/)).toBeVisible()

  // A policy for everyone else of the application.
  await page.goto(`/config/policies?appid=${sender.appid}`)
  await page.getByRole('button', { name: '新建策略' }).first().click()
  const form = dialog(page, '新建策略')
  await form.getByLabel('策略名称').fill('拦截钩子')
  await form.getByRole('radio', { name: '推荐动作' }).click()
  if (await form.getByRole('button', { name: /应用/ }).isVisible()) {
    await form.getByRole('button', { name: /应用/ }).click()
    await page.getByRole('option', { name: APP }).click()
  }
  await form.getByRole('button', { name: '创建' }).click()
  await page.getByRole('button', { name: '下发…' }).click()
  const deploy = dialog(page, '下发策略')
  await deploy.getByRole('radio', { name: '100%' }).click()
  await deploy.getByRole('button', { name: '下发', exact: true }).click()
  await expect(notice(page, 'v1 已下发到 100% 设备')).toBeVisible()

  // The phone fetches it, verifies it, and blocks what it only reported before.
  const stop = startPhone()
  try {
    const blocked = async () => {
      await page.goto(`/statistics/user_analyzer?f=app:${sender.appid}&f=outcome:blocked&range=-1h&cmp=none`)
      return number(await page.getByTestId('kpi-attacks').getAttribute('data-value'))
    }
    await expect.poll(blocked, { timeout: 60_000, intervals: [3000] }).toBeGreaterThan(0)
  } finally {
    stop()
  }
})
