import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { saveMarket, tryMarket } from '#contracts/http/monitoring/markets.ts'
import { monitorCopies } from '#contracts/http/monitoring/tasks.ts'
import type { Offer } from '#mocks/app-markets/market-page.ts'
import { type RunningMarket, startMarket } from '#mocks/app-markets/market-server.ts'
import { planMarkets } from '#mocks/app-markets/markets.ts'
import { Random } from '../fuzz/mutate-input.ts'
import { COPY_KINDS, makeCopy, makeKeys, published } from '../monitoring-report/make-copies.ts'
import { madeApplication } from '../support/made-application.ts'
import { ACCOUNTS, openMeta } from './support/accounts.ts'
import { expect, expectAccessible, notice, signIn, test, travel } from './support/console.ts'
import { packagesOf } from './support/packages.ts'
import { makeSender, type Sender } from './user-analysis-events.ts'

const pictures = process.env['E2E_PICTURES']
const PORTS = (process.env['E2E_MARKETS'] ?? '').split(',').map(Number)
const KEYS = makeKeys()
const BANK = published(madeApplication(1, 'com.canglan.bank', '掌上银行'), KEYS)
const GAME = published(madeApplication(2, 'com.lantern.game', 'Lantern Game'), makeKeys())
const offer = (name: string, id: string, bytes: Uint8Array): Offer => ({
  name,
  package: id,
  version: '1.7',
  downloads: 12_600,
  developer: 'someone',
  bytes,
})
const OFFERS = [
  ...COPY_KINDS.map(({ name }) =>
    offer('掌上银行', 'com.canglan.bank', makeCopy(name, BANK, GAME, KEYS, new Random(7))!),
  ),
  offer('掌上银行助手', 'com.lantern.game', GAME),
]

const running: RunningMarket[] = []
let sender: Sender
test.afterAll(async () => {
  await Promise.all(running.map((one) => one.close()))
  await sender?.remove()
})

// A run over all channels, copies that are judged and three accessibility checks: slow machines need more than the usual time.
test.setTimeout(pictures ? 600_000 : 240_000)
const picture = async (page: Page, name: string) => {
  if (!pictures) return
  for (const [width, height] of [
    [1920, 1080],
    [1366, 768],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.waitForTimeout(500)
    await page.screenshot({ path: join(pictures, `monitoring-${name}-${width}.png`) })
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

/** Two saved views of the observatory; answers what removes them. */
async function addViews(): Promise<() => Promise<void>> {
  const meta = await openMeta(process.env['E2E_DATA'] ?? '')
  const { id: user_id } = await meta.db
    .selectFrom('users')
    .select('id')
    .where('username', '=', ACCOUNTS.admin.username)
    .executeTakeFirstOrThrow()
  const views = ['world', 'china'].map((area) => ({
    ...{ id: randomUUID(), user_id, page: 'observatory', name: `monitoring ${area}`, search: `area=${area}` },
    ...{ shared: false, version: 1, updated_at: Date.now() },
  }))
  await meta.db.insertInto('saved_views').values(views).execute()
  return async () => {
    const ids = views.map(({ id }) => id)
    await meta.db.deleteFrom('saved_views').where('id', 'in', ids).execute()
    await meta.close()
  }
}

test('[MON-01] a task is made, runs, and shows its copies with their evidence; a person judges one otherwise', async ({
  page,
}) => {
  const { api, upload } = packagesOf('admin', ['asset.upload', 'channel.manage', 'asset.monitor', 'monitor.view'])
  sender = await makeSender('admin', '掌上银行')
  await upload('bank.apk', BANK, { appid: sender.appid })

  await signIn(page, 'admin', { at: '/monitor/tasks' })
  await expect(page.getByText('还没有监测任务')).toBeVisible()
  await picture(page, 'empty-zh-light')

  for (const [at, plan] of planMarkets(12)
    .filter((_, one) => one === 0 || one === 2)
    .entries()) {
    const market = await startMarket(plan.name, plan.shape, { ...plan.habits, rate: 0 }, OFFERS, PORTS[at])
    running.push(market)
    const body = {
      names: { zh: `测试市场 ${at + 1}`, en: `Test market ${at + 1}` },
      kind: at === 0 ? ('store' as const) : ('download' as const),
      region: 'cn' as const,
      home: '',
      hosts: [],
      interval_ms: 200,
      connector: market.connector as never,
    }
    const { trial } = await api(tryMarket, { body: { ...body, keyword: '掌上银行' } })
    await api(saveMarket, { body: { id: '', ...body, trial } })
  }

  await page.getByRole('button', { name: '新建监测' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /应用/ }).click()
  await page.getByRole('option', { name: '掌上银行' }).click()
  await picture(page, 'new-zh-light')
  await dialog.getByRole('button', { name: '开始监测' }).click()
  await expect(page).toHaveURL(/\/monitor\/tasks\/[\w-]+\//)
  await expect(page.getByText('监测成功').first()).toBeVisible({ timeout: 90_000 })
  // Every kind of copy but the genuine ones.
  await expect(page.getByTestId('pirated')).toContainText('7')
  await expect(page.getByText('需人工查看，没有自动连接方式')).toBeVisible()
  await expectAccessible(page, 'the record of a task')
  await picture(page, 'task-zh-light')

  await page.getByRole('button', { name: '监测报告', exact: true }).click()
  await page.getByRole('menuitem', { name: 'DOC' }).click()
  await expect(notice(page, '报告已开始生成')).toBeVisible()

  // Two phones report the certificate of a repackaged copy.
  const task = /tasks\/([\w-]+)\//.exec(page.url())![1]!
  const { data: found } = await api(monitorCopies, {
    query: { id: task, verdict: 'repackaged', kind: '', search: '', offset: 0, limit: 20 },
  })
  await sender.send(
    [1, 2].map((phone) => ({
      event_id: randomUUID(),
      type: 'env' as const,
      device_id: `pirated-${phone}`,
      occurred_at: Date.now() - 60_000,
      platform: 'android' as const,
      app_version: '1.7',
      package_name: 'com.canglan.bank',
      signer: found[0]!.certificate,
      model: 'Phone',
      place: phone === 1 ? { country: 'CN', province: '410000', city: '410100' } : { country: 'SG' },
    })),
  )

  await page.getByRole('button', { name: '下载站 重打包 2' }).click()
  await expect(page).toHaveURL(/verdict=repackaged/)
  await page
    .getByRole('row', { name: /重打包.*com\.canglan\.bank/ })
    .first()
    .click()
  await expect(page.getByText('置信度的构成')).toBeVisible()
  await expect(page.getByTestId('copy-devices')).toHaveText('2 台')
  await expectAccessible(page, 'the evidence of a copy')
  await picture(page, 'evidence-zh-light')

  await page.getByRole('button', { name: '下架函', exact: true }).click()
  await page.getByRole('menuitem', { name: 'PDF' }).click()
  await expect(notice(page, '报告已开始生成')).toBeVisible()

  // The letter makes a request; a person says that it was sent, and that it was answered.
  await expect(page.getByText('已起草').first()).toBeVisible()
  await page.getByRole('button', { name: '登记 测试市场 2 的处理情况' }).click()
  await page.getByLabel('备注').fill('发给对方客服')
  await picture(page, 'takedown-dialog-zh-light')
  await page.getByRole('button', { name: '登记', exact: true }).click()
  await expect(notice(page, '已登记')).toBeVisible()
  await page.getByRole('button', { name: '登记 测试市场 2 的处理情况' }).click()
  await expectAccessible(page, 'the dialog about a takedown request')
  await page.getByRole('button', { name: '登记', exact: true }).click()
  await expect(page.getByText('已答复').first()).toBeVisible()
  await page.getByText('下架请求', { exact: true }).last().scrollIntoViewIfNeeded()
  await expectAccessible(page, 'the takedown requests of a copy')
  await picture(page, 'takedowns-of-copy-zh-light')

  const evidence = page.url()
  await page.getByRole('link', { name: '2 台' }).click()
  await expect(page.getByTestId('abnormal-total')).toHaveAttribute('data-value', '2')
  await expect(page.getByText('已知盗版证书').first()).toBeVisible()
  await expectAccessible(page, 'abnormal returns of a copy')
  await picture(page, 'abnormal-zh-light')
  await page
    .getByRole('row', { name: /已知盗版证书/ })
    .first()
    .getByText('1.7')
    .first()
    .click()
  await expect(page.getByRole('heading', { name: '已知盗版' })).toBeVisible()
  await picture(page, 'return-zh-light')
  await page.getByRole('button', { name: '打开设备' }).click()
  await page
    .getByRole('link', { name: /盗版副本/ })
    .first()
    .click()
  await expect(page.getByText('置信度的构成')).toBeVisible()

  // The palette finds the copy too.
  await page.goto('/about')
  await expect(async () => {
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox', { name: '搜索或跳转' })).toBeVisible({ timeout: 2000 })
  }).toPass()
  await page.getByRole('combobox', { name: '搜索或跳转' }).fill(found[0]!.sha256)
  await expect(page.getByRole('group', { name: '渠道副本' }).getByRole('option')).toHaveCount(1)
  await picture(page, 'palette-zh-light')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`copy=${found[0]!.id}`))
  await expect(page.getByText('置信度的构成')).toBeVisible()
  await page.goto(evidence)

  await page.goto(`/monitor/tasks/${task}/?list=takedowns`)
  await expect(page.getByRole('row', { name: /已答复.*测试市场 2/ })).toBeVisible()
  await expectAccessible(page, 'the takedown requests of a task')
  await picture(page, 'takedowns-zh-light')
  await page.getByRole('button', { name: /状态/ }).click()
  await page.getByRole('option', { name: /已下架/ }).click()
  await expect(page.getByText('没有这个状态的请求')).toBeVisible()

  // The rotation of a wall shows these devices after its views.
  const removeViews = await addViews()
  await page.goto('/maps?wall=1&rotate=5')
  await expect(page).toHaveURL(/area=pirated/, { timeout: 60_000 })
  const scene = page.getByTestId('pirated-scene')
  await expect(scene).toContainText('2台设备，涉及 1 个应用')
  await expect(scene).toContainText('河南')
  await expect(scene).toContainText('新加坡')
  await expect(page.getByText('装有盗版的设备')).toBeVisible()
  await removeViews()
  await page.goto(evidence)

  await page.getByRole('button', { name: '改判…' }).click()
  await page.getByLabel('理由').fill('合作伙伴的版本')
  await page.getByRole('dialog').getByRole('button', { name: /判定/ }).click()
  await page.getByRole('option', { name: '正版', exact: true }).click()
  await page.getByRole('button', { name: '保存' }).click()
  await expect(notice(page, '已保存')).toBeVisible()
  await expect(page.getByText(/人工判定：合作伙伴的版本/)).toBeVisible()
  await expect(page.getByText('它的证书不作为盗版证书，不统计设备')).toBeVisible()

  await page.goto('/notifications?kind=monitor')
  await expect(page.getByText(/掌上银行：发现 7 个新的盗版/).first()).toBeVisible()
  await picture(page, 'notice-zh-light')
})

test('[MON-01] the catalogue says of each channel what is known, and an editor tries a connector before it is saved', async ({
  page,
}) => {
  await signIn(page, 'admin', { at: '/monitor/markets' })
  await expect(page.getByText('华为应用市场').first()).toBeVisible()
  await expect(page.getByText('没有查询到的写“未知”，不写 0')).toBeVisible()
  await expectAccessible(page, 'the channel catalogue')
  await picture(page, 'markets-zh-light')
  await page.getByText('测试市场 1').first().click()
  await expect(page.getByText('试用关键词')).toBeVisible()
  await page.getByLabel('试用关键词').fill('掌上银行')
  await page.getByRole('button', { name: '试运行' }).click()
  await expect(page.getByText(/项符合关键词/)).toBeVisible()
  await picture(page, 'editor-zh-light')

  // Rules are suggested from the very page: the entry that is pressed fills them in, and they are tried like all others.
  const items = page.getByLabel('每一项', { exact: true })
  await items.fill('nothing.here')
  await page.getByRole('button', { name: '建议规则' }).click()
  await expect(page.getByText('选择正确的一条，规则即按它填好')).toBeVisible()
  await expectAccessible(page, 'the editor with suggested rules')
  await picture(page, 'editor-suggested-zh-light')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /掌上银行.*项/ })
    .first()
    .click()
  await expect(page.getByText('选择正确的一条，规则即按它填好')).toHaveCount(0)
  await expect(items).not.toHaveValue('nothing.here')
  await page.getByRole('button', { name: '试运行' }).click()
  await expect(page.getByText(/[1-9]\d* 项符合关键词/)).toBeVisible()

  const save = page.getByRole('dialog').getByRole('button', { name: '保存' })
  await expect(save).toBeEnabled()
  await page.getByLabel('每一项', { exact: true }).fill('data[')
  await expect(save).toBeDisabled()
  await expect(page.getByText('保存前要有一次试运行成功')).toBeVisible()
  await page.getByRole('button', { name: '试运行' }).click()
  await expect(notice(page, '连接方式无效：data[')).toBeVisible()
  await expect(save).toBeDisabled()
  // The page can be read, but nothing is where the connector says.
  await page.getByLabel('每一项', { exact: true }).fill('data.nothing')
  await page.getByRole('button', { name: '试运行' }).click()
  await expect(page.getByText(/没有可下载且符合关键词的/)).toBeVisible()
  await expect(save).toBeDisabled()
  await expectAccessible(page, 'the editor with an error')
  await picture(page, 'editor-error-zh-light')
})

test('[MON-01] the pages are there in English and dark', async ({ page }) => {
  await signIn(page, 'admin', { at: '/monitor/tasks', language: 'en', theme: 'dark' })
  await expect(page.getByText('掌上银行').first()).toBeVisible()
  await expectAccessible(page, 'the list of tasks')
  await picture(page, 'tasks-en-dark')
  await page
    .getByRole('row', { name: /掌上银行/ })
    .first()
    .click()
  await expect(page.getByText('Kind of channel and verdict')).toBeVisible()
  await expectAccessible(page, 'the record in dark')
  await picture(page, 'task-en-dark')
  await page.getByRole('radio', { name: 'Takedown requests' }).click()
  await expect(page.getByRole('row', { name: /Answered.*Test market 2/ })).toBeVisible()
  await expectAccessible(page, 'the takedown requests in dark')
  await picture(page, 'takedowns-en-dark')
  await page.getByRole('radio', { name: 'Copies' }).click()
  await page
    .getByRole('row', { name: /Repackaged.*com\.canglan\.bank/ })
    .first()
    .click()
  await expect(page.getByRole('button', { name: 'Takedown request', exact: true })).toBeVisible()
  await expectAccessible(page, 'the evidence in dark')
  await picture(page, 'evidence-en-dark')
  await travel(page, '/monitor/markets')
  // The evidence of before names the market too.
  await page.getByRole('row', { name: /Test market 1.*JSON list/ }).click()
  await expect(page.getByText('Keyword of the trial')).toBeVisible()
  await picture(page, 'editor-en-dark')
})
