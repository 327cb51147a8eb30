import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { COLLECT_POLICY_PATH, type PolicyDocument } from '#contracts/telemetry/policy.ts'
import {
  COLLECT_ENROL_PATH,
  COLLECT_EVENTS_PATH,
  ENROL_PROOF_BITS,
  ENROLLED_HEADERS,
} from '#contracts/telemetry/wire.ts'
import { waitFor } from '../support/running-server.ts'
import { ACCOUNTS, openMeta } from './support/accounts.ts'
import {
  expect,
  expectAccessible,
  fillLogin,
  notice,
  signIn,
  submitLogin,
  test,
  travel,
  URL_OF_SERVER,
} from './support/console.ts'
import { makeSender, type Sender } from './user-analysis-events.ts'

const PAGE = '/config/policies'
let sender: Sender
let phone: Phone

test.beforeAll(async () => {
  sender = await makeSender('operator', '策略样例')
  phone = await makePhone(sender.appid)
})
test.afterAll(() => sender.remove())

/** An enrolled device, as an SDK is one. */
type Phone = { policy(): Promise<PolicyDocument>; id: string }
async function makePhone(appid: string): Promise<Phone> {
  const meta = await openMeta(process.env['E2E_DATA'] ?? '')
  const key = `aw_ek_${randomBytes(32).toString('base64url')}`
  const hash = createHash('sha256').update(key).digest('hex')
  await meta.db
    .insertInto('ingest_keys')
    .values({
      id: randomUUID(),
      application_id: Number(appid),
      kind: 'enrolment',
      name: 'e2e',
      hint: '',
      hash,
      text: key,
      scopes: ['events'],
      created_at: Date.now(),
      last_used_at: null,
      revoked_at: null,
    })
    .execute()
  await meta.close()
  const device_id = `phone-${randomUUID()}`
  const salt = Math.floor(Date.now() / 60_000)
  let nonce = 0
  const digest = () => createHash('sha256').update(`${key}${device_id}${salt}${nonce}`).digest()
  while (digest().readUInt32BE(0) >>> (32 - ENROL_PROOF_BITS) !== 0) nonce++
  let enrolled: { install: string; device_key: string } | undefined
  await waitFor(async () => {
    const answer = await fetch(URL_OF_SERVER + COLLECT_ENROL_PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ enrolment_key: key, device_id, proof: { salt, nonce: String(nonce) } }),
    })
    if (answer.status === 201) enrolled = (await answer.json()) as typeof enrolled
    else await new Promise((resume) => setTimeout(resume, 1100))
    return enrolled !== undefined
  }, 15_000)
  const { install, device_key } = enrolled as { install: string; device_key: string }
  let sequence = 0
  return {
    id: device_id,
    async policy() {
      const target = `${COLLECT_POLICY_PATH}?version=1.0.0`
      const tstamp = Math.floor(Date.now() / 1000)
      const once = randomBytes(16).toString('base64url')
      const empty = createHash('sha256').update('').digest('base64url')
      const text = `AW2\nGET\n${target}\n${tstamp}\n${once}\n${empty}`
      const mac = createHmac('sha256', Buffer.from(device_key, 'base64url')).update(text).digest('base64url')
      const answer = await fetch(URL_OF_SERVER + target, {
        headers: {
          [ENROLLED_HEADERS.install]: install,
          [ENROLLED_HEADERS.sequence]: String(++sequence),
          [ENROLLED_HEADERS.tstamp]: String(tstamp),
          [ENROLLED_HEADERS.signature]: `2.${once}.${mac}`,
        },
      })
      if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
      return (await answer.json()) as PolicyDocument
    },
  }
}

const cell = (page: Page, risk: string, action: string) =>
  page.locator(`[data-risk=${risk}]`).getByRole('radio', { name: action, exact: true })

async function answer(page: Page, button: string | RegExp): Promise<void> {
  await page.getByRole('alertdialog').getByRole('button', { name: button }).click()
}

test('[CONF-01] [CONF-02] a policy from its first draft to the phone, grown, followed and rolled back', async ({
  page,
}) => {
  await signIn(page, 'operator', { at: `${PAGE}?appid=${sender.appid}` })
  await expect(page.getByText('还没有策略')).toBeVisible()
  await expectAccessible(page, 'empty list')
  await page.getByRole('button', { name: '新建策略' }).first().click()
  const dialog = page.getByRole('dialog', { name: '新建策略' })
  await dialog.getByRole('button', { name: '创建' }).click()
  await expect(dialog.getByText('请输入策略名称')).toBeVisible()
  await dialog.getByRole('textbox', { name: '策略名称' }).fill('生产环境')
  await dialog.getByRole('button', { name: '创建' }).click()
  await expect(page).toHaveURL(/policy=/)
  await expect(cell(page, 'hook', '上报')).toBeChecked()

  // The first version goes to everybody.
  await page.getByRole('button', { name: '下发…' }).click()
  const form = page.getByRole('dialog', { name: '下发策略' })
  await form.getByText('100%', { exact: true }).click()
  await form.getByRole('button', { name: '下发', exact: true }).click()
  await expect(notice(page, /v1 已下发到 100% 设备/)).toBeVisible()

  // The second one says something else about two risks, which the matrix shows beside the first.
  await cell(page, 'hook', '阻断').check({ force: true })
  await cell(page, 'root', '退出').check({ force: true })
  await page
    .locator('[data-risk=hook]')
    .getByRole('button', { name: /提示文案/ })
    .click()
  await page.getByRole('dialog').getByRole('textbox', { name: '中文' }).fill('检测到注入')
  await page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
  await expect(page.locator('[data-changed]')).toHaveCount(2)
  await expect(page.locator('[data-risk=hook]')).toContainText('上报 → 阻断')
  await page.getByText('只看改动').click()
  await expect(page.locator('[data-risk]')).toHaveCount(2)
  await page.getByRole('button', { name: '保存草稿' }).click()
  await expect(notice(page, '草稿已保存')).toBeVisible()
  await expectAccessible(page, 'editor')
  await page.getByRole('button', { name: '下发…' }).click()
  await form.getByRole('button', { name: '下发', exact: true }).click()
  await expect(notice(page, /v2 已下发到 1% 设备/)).toBeVisible()
  for (const percent of [10, 50, 100]) {
    await page.getByRole('button', { name: `推进到 ${percent}%` }).click()
    await answer(page, `推进到 ${percent}%`)
    await expect(page.getByText(`${percent}% 设备`, { exact: true }).first()).toBeVisible()
  }
  await expect(async () => expect((await phone.policy()).version).toBe(2)).toPass({
    timeout: 20_000,
    intervals: [3000],
  })
  const delivered = await phone.policy()
  // The application observes: the words are there, the action is not carried out.
  expect(delivered.rules.hook).toEqual({ action: 'report', text: { zh: '检测到注入', en: '' } })
  await expect(page.locator('[data-reach=v2]')).toContainText('1')

  await page.getByRole('button', { name: '回滚到 v1' }).click()
  await answer(page, '回滚到 v1')
  await expect(notice(page, '已回滚到 v1')).toBeVisible()
  await expect(async () => expect((await phone.policy()).version).toBe(1)).toPass({
    timeout: 20_000,
    intervals: [6000],
  })
  await page.getByRole('button', { name: '暂停' }).click()
  await answer(page, '暂停')
  await expect(page.getByRole('button', { name: '恢复下发' })).toBeVisible()
  await travel(page, PAGE)
  await expect(page.getByRole('link', { name: '生产环境', exact: true })).toBeVisible()
})

test('[APP-07] the protection type asks, posts protect_type, and signs out', async ({ page }) => {
  await signIn(page, 'operator', { at: `${PAGE}?appid=${sender.appid}` })
  const type = page.getByRole('radiogroup', { name: '防护类型' })
  await expect(type.getByRole('radio', { name: '观察' })).toBeChecked()
  await type.getByRole('radio', { name: '防护' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: '取消' }).click()
  await expect(type.getByRole('radio', { name: '观察' })).toBeChecked()
  await type.getByRole('radio', { name: '防护' }).click()
  const posted = page.waitForRequest((request) => request.url().includes('/api/application/protect-type/'))
  await answer(page, '切换')
  expect((await posted).postDataJSON()).toMatchObject({ protect_type: '1' })
  await expect(page).toHaveURL(/\/login/)
  await fillLogin(page, ACCOUNTS.operator.username, ACCOUNTS.operator.password)
  await submitLogin(page)
  await expect(page).not.toHaveURL(/\/login/)
  await page.goto(`${PAGE}?appid=${sender.appid}`)
  await expect(type.getByRole('radio', { name: '防护' })).toBeChecked()
})

test('[SCENE-01] the group redirects; from a new application to its first event, each step by what is there', async ({
  page,
}) => {
  await signIn(page, 'operator', { at: '/construction' })
  await expect(page).toHaveURL(/\/construction\/index/)
  const name = `场景 ${Date.now()}`
  // With an application chosen the page continues at its current step.
  await page.getByTestId('step-app').click()
  await page.getByText('自定义应用').click()
  await page.getByRole('button', { name: '创建', exact: true }).click()
  await expect(page.getByText('请输入应用名称')).toBeVisible()
  await expect(page.getByText('请至少选择一个平台')).toBeVisible()
  await page.getByRole('textbox', { name: '应用名称' }).fill(name)
  await page.getByText('Android', { exact: true }).click()
  await page.getByRole('button', { name: '创建', exact: true }).click()
  const done = (step: string) => expect(page.getByTestId(`step-${step}`)).toHaveAttribute('data-done', 'true')
  await done('app')
  await expect(page.getByTestId('step-keys')).toHaveAttribute('data-done', 'false')
  await page.getByRole('button', { name: '生成' }).first().click()
  await done('keys')
  await page.getByRole('button', { name: '生成' }).click()
  await expect(page.getByText('只显示这一次')).toBeVisible()
  const key = /aw_sk_[\w-]{43}/.exec((await page.locator('main').textContent()) ?? '')?.[0] ?? ''
  await expectAccessible(page, 'keys')
  await page.getByRole('button', { name: '下一步' }).click()
  await expect(page.getByRole('radio', { name: /风控壳/ })).toBeDisabled()
  await page.getByRole('radio', { name: /Android SDK/ }).click()
  await done('sdk')
  await page.getByRole('button', { name: '下一步' }).click()
  await expect(page.getByText('此应用还没有策略')).toBeVisible()
  await page.getByRole('button', { name: '下一步' }).click()
  const check = page.getByTestId('live-check')
  await expect(check).toHaveAttribute('data-state', 'waiting')
  await expect(page.getByText(`Authorization: Bearer ${key}`)).toBeVisible()
  await waitFor(async () => {
    const sent = await fetch(URL_OF_SERVER + COLLECT_EVENTS_PATH, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify([{ event_id: randomUUID(), type: 'start', device_id: 'first', app_version: '1.0.0' }]),
    })
    return sent.status === 202
  }, 10_000)
  await expect(check).toHaveAttribute('data-state', 'arrived')
  await done('check')
  // Leaving and coming back finds the same state.
  await page.goto('/construction/index')
  await done('keys')
  await expect(page.getByTestId('step-rules')).toHaveAttribute('data-done', 'false')
})
