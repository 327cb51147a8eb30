import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { createApplication } from '#contracts/http/applications.ts'
import { deleteChannels, reinforceChannels } from '#contracts/http/reinforce-channels.ts'
import { channelOf, judgeChannelTail } from '#engines/channels/channel-tail.ts'
import { type PackageTail, readPackageTail } from '#engines/channels/package-tail.ts'
import { signApk } from '#engines/signing/sign-apk.ts'
import { verifyApk } from '#engines/signing/verify-apk.ts'
import { entryBytes } from '#engines/zip/entry-bytes.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import { makeKey } from '../support/apk/made-key.ts'
import { apkBytes } from '../support/detect-package.ts'
import { expect, expectAccessible, notice, signIn, test } from './support/console.ts'
import { type Packages, packagesOf } from './support/packages.ts'

const PATH = '/reinforce/channels'
const unsigned = apkBytes({
  id: 'org.e2e.bank',
  minSdk: 21,
  targetSdk: 29,
  manifest: { versionCode: 94, versionName: '9.4.0' },
})
const request = { key: makeKey('release').key, alias: 'release', minSdk: 21, createdBy: 'e2e' }
const SIGNED = Buffer.concat(signApk(readZip(unsigned), { ...request, schemes: new Set(['v1', 'v2', 'v3']) }).pieces)
const WRONG = [
  'store_hw:华为应用市场,store_xm:小米应用商店',
  'branch_0021:城西支行,branch_0022:江口支行',
  'ad_feed_01:信息流 01,ad_feed_02 信息流 02',
  'web_official:官网,web_h5:H5 落地页,',
].join('\n')

let packages: Packages
let appid = ''

const ALL = { search: '', group: '', sort: 'key', direction: 'asc', offset: 0, limit: 200 } as const

/** The one application of this account, with one signed package and no channels. */
test.beforeAll(async () => {
  packages = packagesOf('distributor', ['application.create', 'asset.upload', 'asset.read', 'channel.manage'])
  const made = await packages.api(createApplication, { body: { name: '渠道银行', mimetype_list: [1] } })
  appid = made.object_list[0]?.id ?? ''
  await packages.upload('bank-9.4.0.apk', SIGNED, { appid })
})
test.beforeEach(async () => {
  const { data } = await packages.api(reinforceChannels, { query: { ...ALL, appid } })
  if (data.length) await packages.api(deleteChannels, { body: { appid, ids: data.map(({ id }) => id) } })
})

const rows = (page: Page) => page.getByRole('table', { name: '渠道' }).locator('tbody tr')
const drawer = (page: Page) => page.getByRole('dialog', { name: '导入渠道' })
/** The box itself is drawn; its input lies outside the picture. */
const tick = (page: Page, name: string) =>
  page
    .locator('label')
    .filter({ has: page.getByRole('checkbox', { name }) })
    .click()
const tailOf = (bytes: Uint8Array): PackageTail =>
  readPackageTail((offset, length) => bytes.subarray(offset, offset + length), bytes.length)

async function open(page: Page): Promise<void> {
  await signIn(page, 'distributor')
  await page.evaluate((id) => localStorage.setItem('appid', id), appid)
  await page.goto(PATH)
  await expect(page.getByRole('heading', { level: 1, name: '渠道管理' })).toBeVisible()
}

async function choose(page: Page, name: string, text: string | Buffer): Promise<void> {
  const file = { name, mimeType: 'text/plain', buffer: Buffer.from(text) }
  await drawer(page).getByTestId('channel-file').setInputFiles(file)
}

async function taken(page: Page, click: () => Promise<void>): Promise<{ name: string; bytes: Uint8Array }> {
  const [download] = await Promise.all([page.waitForEvent('download', { timeout: 60_000 }), click()])
  return { name: download.suggestedFilename(), bytes: new Uint8Array(readFileSync(await download.path())) }
}

test('[HARD-07] a file with errors is mended in place and imported; wrong files lose nothing', async ({ page }) => {
  await open(page)
  await expect(page.getByText('还没有渠道')).toBeVisible()
  await expectAccessible(page, 'no channels')
  await page.getByRole('button', { name: '导入', exact: true }).first().click()
  await choose(page, 'channels.csv', WRONG)
  await expect(drawer(page).getByRole('alert')).toContainText('只能导入 .txt 文件')
  await choose(page, 'channels-2026-12.txt', WRONG)
  const text = drawer(page).getByRole('textbox', { name: '内容' })
  await expect(text).toHaveValue(WRONG)
  const errors = drawer(page).getByRole('list', { name: '错误' }).getByRole('listitem')
  await expect(errors).toHaveText(['第 3 行第 2 项缺少冒号，应为 key:value', '第 4 行第 3 项为空，多一个逗号'])
  await expect(drawer(page).getByText('改好或跳过后才能导入')).toBeVisible()
  await expect(drawer(page).getByRole('button', { name: '导入 9 项' })).toBeDisabled()
  await expectAccessible(page, 'an import with errors')
  // Another file that cannot be read leaves what is there.
  await choose(page, 'large.txt', 'a'.repeat(10 * 1024))
  await expect(drawer(page).getByRole('alert')).toContainText('文件必须小于 10 KB')
  await expect(text).toHaveValue(WRONG)
  // An error brings the cursor to its item.
  await errors.first().getByRole('button', { name: '第 3 行' }).click()
  await expect(text).toBeFocused()
  expect(await text.evaluate((one: HTMLTextAreaElement) => one.value.slice(one.selectionStart, one.selectionEnd))).toBe(
    'ad_feed_02 信息流 02',
  )
  await page.keyboard.type('ad_feed_02:信息流 02')
  await expect(errors).toHaveCount(1)
  // Skipped, or mended: the last comma goes.
  await drawer(page).getByText('跳过有错的 1 项，只导入 8 项').click()
  await expect(drawer(page).getByRole('button', { name: '导入 8 项' })).toBeEnabled()
  await text.fill((await text.inputValue()).replace(/,$/, ''))
  await expect(drawer(page).getByRole('list', { name: '错误' })).toHaveCount(0)
  await drawer(page).getByLabel('第 1 行的组名').fill('应用商店')
  await drawer(page).getByLabel('第 2 行的组名').fill('网点')
  await drawer(page).getByRole('button', { name: '导入 8 项' }).click()
  await expect(notice(page, '新增 8，改名 0，换组 0，不变 0')).toBeVisible()
  await expect(drawer(page)).toHaveCount(0)
  await expect(rows(page)).toHaveCount(8)
  await expect(page.getByTestId('channels-total')).toHaveText('8 个渠道，4 组')
  await page.getByRole('radio', { name: /网点/ }).click()
  await expect(page).toHaveURL(/group=/)
  await expect(rows(page)).toHaveCount(2)
})

test('[HARD-07] one package and a ZIP of all are downloaded, verified, and carry their channels', async ({ page }) => {
  await open(page)
  await page.getByRole('button', { name: '从示例开始' }).click()
  await drawer(page).getByRole('button', { name: '导入 4 项' }).click()
  await expect(rows(page)).toHaveCount(4)
  await expect(rows(page).first()).toContainText('未生成')
  await page.getByRole('button', { name: '校验全部' }).click()
  await expect(page.getByTestId('channel-notice')).toContainText('4 个渠道包全部通过校验')
  await expect(rows(page).first()).toContainText('通过')
  await tick(page, '选择 store_xm')
  const one = await taken(page, () => page.getByRole('button', { name: '下载', exact: true }).click())
  expect(one.name).toBe('bank-9.4.0-store_xm.apk')
  const base = tailOf(SIGNED)
  expect(judgeChannelTail(tailOf(one.bytes), base, { key: 'store_xm', name: '小米应用商店' })).toBeUndefined()
  expect(verifyApk(one.bytes).verified).toBe(true)
  await page.getByRole('button', { name: '复制链接' }).click()
  await expect(notice(page, '已复制 1 个链接，登录后可下载')).toBeVisible()
  const all = await taken(page, () => page.getByRole('button', { name: /^下载 ZIP/ }).click())
  expect(all.name).toBe('bank-9.4.0-channels.zip')
  const zip = readZip(all.bytes)
  const keys = zip.entries.map((entry) => {
    const tail = tailOf(entryBytes(zip, entry))
    const found = channelOf(tail)
    expect(found && judgeChannelTail(tail, base, found)).toBeUndefined()
    return found?.key
  })
  expect(keys.sort()).toEqual(['store_hw', 'store_xm', 'web_h5', 'web_official'])
  await expectAccessible(page, 'channels with a selection')
})

test('[HARD-07] channels are made, renamed, moved and deleted with a question', async ({ page }) => {
  await open(page)
  await page.getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name: '新建渠道' }).click()
  const dialog = page.getByRole('dialog', { name: '新建渠道' })
  await dialog.getByLabel('键').fill('加油')
  await dialog.getByLabel('名称').fill('加油合作')
  await dialog.getByLabel('组名').fill('伙伴')
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(dialog.getByText('键只能用字母、数字、下划线与短横线，不超过 64 个')).toBeVisible()
  await dialog.getByLabel('键').fill('partner_gas')
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'partner_gas 的操作' }).click()
  await page.getByRole('menuitem', { name: '改名…' }).click()
  const rename = page.getByRole('dialog', { name: '修改 partner_gas 的名称' })
  await rename.getByLabel('名称').fill('加油站')
  await rename.getByRole('button', { name: '保存' }).click()
  await expect(rows(page).first()).toContainText('加油站')
  await tick(page, '选择 partner_gas')
  await page.getByRole('button', { name: '移到组…' }).click()
  const move = page.getByRole('dialog', { name: '移到组' })
  await move.getByLabel('组名').fill('线下')
  await move.getByRole('button', { name: '移动' }).click()
  await expect(rows(page).first()).toContainText('线下')
  await tick(page, '选择 partner_gas')
  await page.getByRole('button', { name: '删除…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: '取消' }).click()
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('button', { name: '删除…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click()
  await expect(page.getByText('还没有渠道')).toBeVisible()
})
