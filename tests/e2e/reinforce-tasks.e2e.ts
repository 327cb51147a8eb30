import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import {
  createReinforcePolicy,
  deleteReinforcePolicy,
  reinforcePolicies,
  saveReinforcePolicy,
} from '#contracts/http/reinforce-policies.ts'
import { deleteSignature, signatureList } from '#contracts/http/reinforce-signatures.ts'
import { cancelReinforceTasks, deleteReinforceTasks, reinforceTasks } from '#contracts/http/reinforce-tasks.ts'
import { bundleBytes, protoElement } from '#tests/support/bundle.ts'
import { writeClass } from '#tests/support/class-writer.ts'
import { apkBytes, element } from '#tests/support/detect-package.ts'
import { writeZip } from '#tests/support/zip-writer.ts'
import { madeKeyStore, STORE_PASSWORD } from '../support/made-key-store.ts'
import { expect, expectAccessible, notice, signIn, test, travel } from './support/console.ts'
import { type Packages, packagesOf } from './support/packages.ts'

const ID = 'org.e2e.shop'
/** A real one: it has log calls, and takes long enough to be cancelled. */
const SETTINGS = readFileSync('node_modules/io.appium.settings/apks/settings_apk-debug.apk')
const SHOP = apkBytes({
  id: ID,
  manifest: { versionName: '3.1', versionCode: 31 },
  application: { debuggable: true, allowBackup: true },
  components: [element('activity', { name: `${ID}.Main`, exported: true })],
  classes: [],
})
const PACKED = apkBytes({
  id: 'org.e2e.packed',
  manifest: { versionName: '1.0', versionCode: 1 },
  files: { 'lib/arm64-v8a/libjiagu.so': 'ELF' },
})
const POLICY = '加固测试策略'
const EVERY = { search: '', state: '', appid: '', offset: 0, limit: 200 } as const
/** A library with a script and a class file, which has no log calls. */
const AAR = writeZip([
  { name: 'AndroidManifest.xml', data: '<manifest package="org.e2e.lib"/>', deflate: true },
  {
    name: 'classes.jar',
    data: writeZip([{ name: 'org/e2e/lib/Pay.class', data: writeClass({ name: 'org/e2e/lib/Pay' }) }]),
  },
  { name: 'R.txt', data: '' },
  { name: 'assets/www/pay.js', data: 'function add(first, second) { return first + second }', deflate: true },
])
const BUNDLE = bundleBytes({
  base: {
    application: { debuggable: true, allowBackup: true },
    components: [protoElement('activity', { name: 'org.maker.app.Main', exported: true })],
    dexes: [[{ name: 'Lorg/maker/app/Main;' }]],
  },
})
const files = {} as Record<'settings' | 'shop' | 'packed' | 'library' | 'bundle', string>
let packages: Packages

test.beforeAll(async () => {
  packages = packagesOf('operator2', ['asset.upload', 'asset.read', 'asset.harden', 'harden.view'])
  await startOver()
  files.settings = await packages.upload('settings.apk', SETTINGS)
  files.shop = await packages.upload('shop.apk', SHOP)
  files.packed = await packages.upload('packed.apk', PACKED)
  files.library = await packages.upload('pay.aar', AAR)
  files.bundle = await packages.upload('maker.aab', BUNDLE)
})

/** Removes what an earlier try of these tests left: they say what the page shows to someone who has nothing yet. */
async function startOver(): Promise<void> {
  const { api } = packagesOf('admin', ['harden.view', 'asset.harden', 'harden.delete'])
  const { data: tasks } = await api(reinforceTasks, { query: EVERY })
  const ids = tasks.map(({ id }) => id)
  if (ids.length > 0) {
    await api(cancelReinforceTasks, { body: { ids } })
    const left = async () =>
      (await api(reinforceTasks, { query: EVERY })).data.filter(
        ({ state }) => state === 'waiting' || state === 'reinforcing',
      )
    await expect.poll(left, { timeout: 60_000 }).toEqual([])
    await api(deleteReinforceTasks, { body: { ids } })
  }
  const { data: policies } = await packages.api(reinforcePolicies, {})
  for (const { id, name } of policies) if (name === POLICY) await packages.api(deleteReinforcePolicy, { body: { id } })
  const { data: signatures } = await packages.api(signatureList, { query: {} })
  for (const { id, name } of signatures)
    if (name.startsWith('release-2026')) await packages.api(deleteSignature, { body: { id } })
}

async function addSignature(page: Page): Promise<void> {
  const { bytes } = madeKeyStore('jks', { alias: 'release', now: Date.now(), keyPassword: 'key secret' })
  await page.getByRole('button', { name: '上传签名文件' }).first().click()
  const dialog = page.getByRole('dialog', { name: '上传签名文件' })
  const key = { name: 'release-2026.jks', mimeType: 'application/octet-stream', buffer: bytes }
  await page.locator('input[type=file]').last().setInputFiles(key)
  await expect(dialog.getByLabel('别名')).toHaveValue('release')
  await dialog.getByLabel('文件口令').fill(STORE_PASSWORD)
  await dialog.getByLabel('私钥完整性口令').fill('key secret')
  await dialog.getByRole('button', { name: '核对并保存' }).click()
  await expect(notice(page, '核对通过，已加密保存')).toBeVisible()
}

/** A policy that removes logs and protects the manifest, signed with the newest signature file. */
async function addPolicy(): Promise<void> {
  const { data: signatures } = await packages.api(signatureList, { query: {} })
  const { data } = await packages.api(createReinforcePolicy, { body: { name: POLICY, template: '' } })
  const { id, rev, general, appid, keep_rules, schemes } = data
  const options = {
    ...data.options,
    log_removal: { on: true, levels: ['v' as const, 'd' as const, 'i' as const] },
    manifest_protection: { on: true },
    js_protection: { on: true, strength: 'low' as const },
    dex_vmp: { on: true, patterns: ['io.appium.settings.**', 'org.absent.Pay'] },
    process_protection: { on: true },
  }
  const body = { id, rev, name: POLICY, general, appid, options, keep_rules, schemes }
  await packages.api(saveReinforcePolicy, { body: { ...body, signature_id: signatures[0]?.id ?? null } })
}

const rows = (page: Page) => page.getByRole('table', { name: '加固记录' }).locator('tbody tr')
const result = (page: Page) => page.getByRole('heading', { name: '加固结果' })
let first = ''

test.describe
  .serial('reinforcement tasks', () => {
    test('[HARD-05] an application file is reinforced with a policy; the page says what is needed and what will be done', async ({
      page,
    }) => {
      await signIn(page, 'operator2', { at: '/reinforce/tasks' })
      await expect(page.getByText('还没有加固记录')).toBeVisible()
      await travel(page, '/reinforce/signatures')
      await addSignature(page)
      await addPolicy()
      await travel(page, `/assets/apps/${files.settings}/`)
      await page.getByRole('button', { name: '安全加固' }).click()
      await expect(page).toHaveURL(new RegExp(`/reinforce/new\\?file=${files.settings}`))
      const start = page.getByRole('button', { name: '开始加固' })
      await start.click()
      await expect(page.getByText('此项为必填项')).toHaveCount(1)
      const policy = page.getByRole('radio', { name: new RegExp(POLICY) })
      await policy.focus()
      await page.keyboard.press('Space')
      await expect(policy).toBeChecked()
      await expect(page.getByText('此项为必填项')).toHaveCount(0)
      const summary = page.locator('section').filter({ has: page.getByRole('heading', { name: '这次加固' }) })
      await expect(summary).toContainText('release-2026')
      await expect(summary).toContainText('1 个选项本版本不执行')
      await expect(summary.getByRole('region', { name: '本版本不执行 1 项' })).toContainText('进程保护')
      await expect(summary).toContainText('DEX 虚拟化尚未在真机上验证')
      await expectAccessible(page, 'a new reinforcement')
      await start.click()
      await expect(page.getByRole('heading', { name: '加固中' })).toBeVisible()
      await expect(page.getByRole('progressbar').first()).toBeVisible()
      await expect(page.getByRole('list', { name: '阶段' }).getByRole('listitem').first()).toBeVisible()
      await expect(result(page)).toBeVisible({ timeout: 90_000 })
      first = /tasks\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? ''
    })

    test('[HARD-05] the result: checks, figures, what each option did by class, second scan, CSV, package', async ({
      page,
    }) => {
      await signIn(page, 'operator2', { at: `/reinforce/tasks/${first}/` })
      await expect(page.getByText('加固成功', { exact: true })).toBeVisible()
      await expect(page.getByText('7 / 7 通过')).toBeVisible()
      await expect(page.getByText('CN=Release')).toBeVisible()
      await expect(page.getByRole('row', { name: /^体积/ })).toContainText('MB')
      await expect(page.getByText('加固引擎在 ART 11 主机运行时上验证，不是在真机上')).toBeVisible()
      await expectAccessible(page, 'overview of a result')

      await page.getByRole('tab', { name: '生效与跳过 5' }).click()
      await page.getByRole('button', { name: '代码日志清除 的明细' }).click()
      await expect(page).toHaveURL(/option=log_removal/)
      const lines = page.getByRole('table', { name: '逐条' }).locator('tbody tr')
      await expect(lines.first()).toContainText('classes')
      await expectAccessible(page, 'lines of an option')
      await page.getByRole('button', { name: 'DEX 虚拟化（VMP） 的明细' }).click()
      const sums = page.getByRole('list', { name: '合计' })
      await expect(sums).toContainText(/生效\s*方法已虚拟化\s*\d{3}/)
      await expect(sums).toContainText('方法会对对象加锁')
      await expect(sums).toContainText('模式 org.absent.Pay 没有匹配到任何类或方法')
      await expect(page.getByText(/做不到的：构造方法等.*尚无真机验证/)).toBeVisible()
      await expectAccessible(page, 'virtualised methods')
      await page.getByRole('searchbox', { name: '文件、类、原因' }).fill('no such class')
      await expect(page.getByText('没有符合的明细')).toBeVisible()
      const csv = page.waitForEvent('download')
      await page.getByRole('link', { name: '导出 CSV' }).click()
      expect(readFileSync(await (await csv).path(), 'utf8')).toContain('代码日志清除')

      await page.getByRole('tab', { name: /^复检/ }).click()
      await expect(page.getByTestId('rescan-closed')).not.toHaveText('0')
      await expect(page.getByRole('table', { name: '复检' })).toContainText('应用可被调试')
      await expectAccessible(page, 'second scan')

      await page.getByRole('button', { name: '报告', exact: true }).click()
      await page.getByRole('menuitem', { name: '生成 PDF 报告' }).click()
      await expect(page.getByText('报告已开始生成')).toBeVisible()
      const download = page.waitForEvent('download')
      await page.getByRole('link', { name: '下载加固包' }).click()
      expect((await download).suggestedFilename()).toContain('settings.reinforced.apk')
      await page.getByRole('link', { name: '查看加固包' }).click()
      await expect(page).toHaveURL(/\/assets\/apps\/\d+\//)
      // What is reinforced is not offered for it again.
      await expect(page.getByRole('button', { name: '检测' })).toBeVisible()
      await expect(page.getByRole('button', { name: '安全加固' })).toHaveCount(0)
    })

    test('[HARD-05] several packages make several tasks; one is done again and cancelled', async ({ page }) => {
      await signIn(page, 'operator2', { at: `/reinforce/new?file=${files.settings},${files.packed}` })
      const chosen = page.getByText('已加固，请用原包').first()
      await expect(chosen).toBeVisible()
      await expect(page.getByRole('button', { name: '加固 2 个安装包' })).toBeDisabled()
      await page.getByRole('button', { name: /^去掉 .* 1\.0$/ }).click()
      // At once after the chip: a choice is added to what the address says, not to what is drawn still.
      // An earlier try of these tests has left its reinforced package.
      const shop = page.getByRole('checkbox', { name: '选择 shop 3.1', exact: true })
      await shop.focus()
      await page.keyboard.press('Space')
      await expect(shop).toBeChecked()
      await page.getByText(POLICY).click()
      await page.getByRole('button', { name: '加固 2 个安装包' }).click()
      await expect(notice(page, '已创建 2 个加固任务')).toBeVisible()
      await expect(rows(page)).toHaveCount(3)
      await expect(rows(page).filter({ hasText: '加固成功' })).toHaveCount(3, { timeout: 90_000 })

      await travel(page, `/reinforce/tasks/${first}/`)
      await page.getByRole('button', { name: '重新加固' }).click()
      await expect(page.getByRole('heading', { name: '加固中' })).toBeVisible()
      await page.getByRole('button', { name: '取消任务' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: '取消任务' }).click()
      await expect(page.getByRole('heading', { name: '加固已取消' })).toBeVisible()
      await expectAccessible(page, 'a cancelled reinforcement')
    })

    test('[HARD-05] a library: the page says which options have no effect, the result what was checked instead of a signature', async ({
      page,
    }) => {
      await signIn(page, 'operator2', { at: `/reinforce/new?file=${files.library}` })
      await page.getByText(POLICY).click()
      const summary = page.locator('section').filter({ has: page.getByRole('heading', { name: '这次加固' }) })
      await expect(summary).toContainText('AAR：2 个选项不起作用')
      await expect(summary).toContainText('库不签名')
      await expect(summary.getByRole('region', { name: '对所选文件不起作用 2 项' })).toContainText('清单保护')
      await expectAccessible(page, 'a new reinforcement of a library')
      await page.getByRole('button', { name: '开始加固' }).click()
      await expect(result(page)).toBeVisible({ timeout: 90_000 })
      await expect(page.getByText('3 / 3 通过')).toBeVisible()
      await expect(page.getByText('库没有复检')).toBeVisible()
      await expect(page.getByText('策略的签名文件没有使用：release-2026')).toBeVisible()
      await expect(page.getByRole('tab', { name: /^复检/ })).toHaveCount(0)
      await expect(page.getByRole('row', { name: /^导出组件/ })).toHaveCount(0)
      await expectAccessible(page, 'result of a library')
      const download = page.waitForEvent('download')
      await page.getByRole('link', { name: '下载加固包' }).click()
      expect((await download).suggestedFilename()).toContain('pay.reinforced.aar')
      const library = /tasks\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? ''
      const { api } = packagesOf('admin', ['harden.delete'])
      await api(deleteReinforceTasks, { body: { ids: [library] } })
    })

    test('[HARD-05] a bundle: the page says how it is signed, the result names the checks, the second scan and the signature', async ({
      page,
    }) => {
      await signIn(page, 'operator2', { at: `/reinforce/new?file=${files.bundle}` })
      await page.getByText(POLICY).click()
      const summary = page.locator('section').filter({ has: page.getByRole('heading', { name: '这次加固' }) })
      await expect(summary).toContainText('AAB 只用 JAR 签名')
      await expect(summary).toContainText('AAB：1 个选项不起作用，它们只对直接安装的 APK 有效')
      await expectAccessible(page, 'a new reinforcement of a bundle')
      await page.getByRole('button', { name: '开始加固' }).click()
      await expect(result(page)).toBeVisible({ timeout: 90_000 })
      await expect(page.getByText(/^(\d+) \/ \1 通过$/)).toBeVisible()
      await expect(page.getByRole('tab', { name: /^复检/ })).toBeVisible()
      await expectAccessible(page, 'result of a bundle')
      const download = page.waitForEvent('download')
      await page.getByRole('link', { name: '下载加固包' }).click()
      expect((await download).suggestedFilename()).toContain('maker.reinforced.aab')
      const bundle = /tasks\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? ''
      const { api } = packagesOf('admin', ['harden.delete'])
      await api(deleteReinforceTasks, { body: { ids: [bundle] } })
    })

    test('[HARD-06] the list has state, result, sizes, duration, operator and time; records are found and deleted', async ({
      page,
    }) => {
      await signIn(page, 'admin', { at: '/reinforce/tasks' })
      await expect(rows(page)).toHaveCount(4)
      const shop = rows(page).filter({ hasText: ID })
      await expect(shop).toContainText(POLICY)
      await expect(shop).toContainText('加固成功')
      await expect(shop).toContainText('→')
      await expect(shop).toContainText('秒')
      await expect(shop).toContainText('operator2')
      await expectAccessible(page, 'reinforcement records')
      await page
        .getByRole('radio', { name: /^已取消/ })
        .or(page.getByRole('button', { name: /^已取消/ }))
        .first()
        .click()
      await expect(page).toHaveURL(/state=stopped/)
      await expect(rows(page)).toHaveCount(1)
      await page.getByRole('button', { name: '清除筛选' }).click()
      // The filter showed one row, and the search will too.
      await expect(rows(page)).toHaveCount(4)
      await page.getByRole('searchbox', { name: '名称、包名、版本' }).fill(ID)
      await expect(rows(page)).toHaveCount(1)
      await rows(page)
        .getByRole('button', { name: /的操作$/ })
        .click()
      await page.getByRole('menuitem', { name: '删除' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: '取消' }).click()
      await expect(notice(page, '已取消删除')).toBeVisible()
      await page.getByRole('button', { name: '清除筛选' }).click()
      await expect(rows(page)).toHaveCount(4)
      for (const box of await page.getByRole('checkbox', { name: /^选择/ }).all()) await box.check({ force: true })
      await page.getByRole('button', { name: '删除', exact: true }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click()
      await expect(notice(page, '删除成功!')).toBeVisible()
      await expect(page.getByText('还没有加固记录')).toBeVisible()
      // A notification may lead to a record that is deleted by now.
      await travel(page, `/reinforce/tasks/${first}/`)
      await expect(page.getByText('加固记录不存在或已删除')).toBeVisible()
    })
  })
