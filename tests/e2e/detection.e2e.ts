import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { apkBytes, element } from '#tests/support/detect-package.ts'
import { openMeta } from './support/accounts.ts'
import { expect, expectAccessible, notice, signIn, test, travel } from './support/console.ts'
import { type Packages, packagesOf } from './support/packages.ts'

const ID = 'org.e2e.wallet'
const activity = element('activity', { name: `${ID}.Main`, exported: true })
const permission = (name: string) => element('uses-permission', { name: `android.permission.${name}` })
const OLD = apkBytes({
  id: ID,
  manifest: { versionName: '1.0', versionCode: 1 },
  application: { debuggable: true, allowBackup: true },
  components: [activity],
  others: [permission('READ_SMS')],
})
const NEW = apkBytes({
  id: ID,
  manifest: { versionName: '2.0', versionCode: 2 },
  application: { allowBackup: true },
  components: [activity, element('service', { name: `${ID}.Sync`, exported: true })],
  others: [permission('INTERNET')],
})
/** A real one, so that a detection takes long enough to be watched. */
const SETTINGS = readFileSync('node_modules/io.appium.settings/apks/settings_apk-debug.apk')
/** Its stored bytes are gone when it is examined: what a lost disk does. */
const LOST = apkBytes({ id: 'org.e2e.lost', components: [activity] })
/** A library that says little. */
const TORN = Buffer.concat([Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]), Buffer.alloc(57, 7)])

const STATIC = ['vulnerability', 'static', 'compliance', 'sdk', 'privacy', 'content'] as const
const files = {} as Record<'old' | 'new' | 'settings' | 'torn' | 'lost', string>
let packages: Packages

/** What a script of the customer brings: packages through the same door as the console's. */
async function upload(): Promise<void> {
  const scopes = 'asset.upload,asset.read,asset.detect,asset.detect_sdk,asset.detect_privacy,detect.view'
  packages = packagesOf('detector', scopes.split(','))
  const all = {
    old: ['w1.apk', OLD],
    new: ['w2.apk', NEW],
    settings: ['settings.apk', SETTINGS],
    torn: ['libtorn.so', TORN],
    lost: ['lost.apk', LOST],
  } as const
  for (const [name, [fileName, bytes]] of Object.entries(all))
    files[name as keyof typeof files] = await packages.upload(fileName, bytes)
}
const value = (page: Page, id: string) => page.getByTestId(id).getAttribute('data-value').then(Number)
const tasks = (page: Page) => page.getByRole('table', { name: '检测任务' }).locator('tbody tr')
let before = ''
let after = ''

test.describe
  .serial('detection', () => {
    test.beforeAll(upload)

    test('[DET-01] kinds are those that the table offers for the package; each no says why', async ({ page }) => {
      await signIn(page, 'detector', { at: `/detection/new?files=${files.torn}` })
      const kind = (name: string) => page.getByRole('checkbox', { name: new RegExp(name) })
      await expect(kind('合规与权限检测')).toBeEnabled()
      await expect(kind('静态检测')).toBeEnabled()
      for (const name of ['漏洞扫描', 'SDK 检测', '个人隐私检测', '图文检测']) await expect(kind(name)).toBeDisabled()
      await expect(page.getByText('所选文件都不提供此检测').first()).toBeVisible()
      await travel(page, `/detection/new?files=${files.old}`)
      await expect(kind('漏洞扫描')).toBeChecked()
      await expect(kind('动态检测')).toBeDisabled()
      await expect(page.getByText('电脑未连接手机...')).toBeVisible()
      await expectAccessible(page, 'detection selection')
    })

    test('[DET-05][DET-03] a detection is started, ends in its report, and is not made twice', async ({ page }) => {
      await signIn(page, 'detector', { at: `/detection/new?files=${files.old}` })
      const start = page.getByRole('button', { name: '开始检测' })
      await start.click()
      await expect(page.getByRole('heading', { name: '报告详情' })).toBeVisible({ timeout: 40_000 })
      before = /tasks\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? ''
      await expect(page.getByTestId('gate')).toHaveText('不可发布')
      await travel(page, `/detection/new?files=${files.old}`)
      await start.click()
      const alert = page.getByRole('alert')
      await expect(alert).toContainText('任务已存在')
      await alert.getByRole('link', { name: '查看已有任务' }).click()
      await expect(page).toHaveURL(new RegExp(before))
    })

    test('[DET-03] the report: score by published deductions, counts that open their rows, evidence, threat and advice', async ({
      page,
    }) => {
      await signIn(page, 'detector', { at: `/detection/tasks/${before}/` })
      const items = page.getByRole('list', { name: '检测项' }).getByRole('button')
      await expect(items.first()).toBeVisible()
      const high = await value(page, 'count-high')
      expect(high).toBeGreaterThan(0)
      await page.getByTestId('count-high').getByRole('button').click()
      await expect(page).toHaveURL(/level=high/)
      await expect(items).toHaveCount(high)
      await items.filter({ hasText: '应用可被调试' }).click()
      const panel = page.getByRole('article', { name: '应用可被调试' })
      await expect(panel).toContainText('威胁')
      await expect(panel).toContainText('建议')
      await expect(panel).toContainText('AndroidManifest.xml')
      await expect(panel.getByRole('link', { name: 'CWE-489' })).toBeVisible()
      const score = await value(page, 'score')
      await page.getByRole('button', { name: '计分规则' }).click()
      const drawer = page.getByRole('dialog', { name: '假如修复' })
      await drawer.getByText('应用可被调试').click()
      await expect.poll(() => value(page, 'what-if')).toBe(score + 10)
      await page.keyboard.press('Escape')
      await page.keyboard.press('k')
      await expectAccessible(page, 'report details')
      await page.getByRole('tab', { name: /^权限/ }).click()
      const row = page.getByRole('row').filter({ hasText: 'android.permission.READ_SMS' })
      // There is no code to ask, and the report does not guess.
      await expect(row).toContainText('无法判断')
      for (const [tab, text] of [
        ['SDK', '名称'],
        ['组件', `${ID}.Main`],
        ['签名证书', '没有读到签名证书'],
        ['基本信息', ID],
        ['隐私', '没有隐私政策'],
      ] as const) {
        await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click()
        await expect(page.getByRole('tabpanel')).toContainText(text)
      }
    })

    test('[DET-03] a suppressed item no longer counts, says who and why, and can be lifted', async ({ page }) => {
      await signIn(page, 'detector', { at: `/detection/tasks/${before}/?item=android-debuggable` })
      const panel = page.getByRole('article', { name: '应用可被调试' })
      const high = await value(page, 'count-high')
      await panel.getByRole('button', { name: '忽略' }).first().click()
      const dialog = page.getByRole('dialog', { name: '忽略整项' })
      await dialog.getByRole('button', { name: '忽略' }).click()
      await expect(dialog).toContainText('请输入理由')
      await dialog.getByLabel('理由').fill('内部测试包')
      await dialog.getByRole('button', { name: '忽略' }).click()
      await expect(panel).toContainText('内部测试包')
      await expect(page.getByTestId('count-high')).toHaveAttribute('data-value', String(high - 1))
      await panel.getByRole('button', { name: '取消忽略' }).click()
      await expect(page.getByTestId('count-high')).toHaveAttribute('data-value', String(high))
    })

    test('[DET-04] PDF and DOC are each in the generated while they are made, and downloaded', async ({ page }) => {
      await signIn(page, 'detector', { at: `/detection/tasks/${before}/` })
      for (const [format, ending] of [
        ['PDF', '.pdf'],
        ['DOC', '.docx'],
      ] as const) {
        await page.getByRole('button', { name: `生成 ${format}` }).click()
        await expect(page.getByRole('button', { name: new RegExp(`${format} 生成中`) })).toBeVisible()
        const ready = page.getByRole('button', { name: `下载 ${format}` })
        await expect(ready).toBeVisible({ timeout: 40_000 })
        const download = page.waitForEvent('download')
        await ready.click()
        expect((await download).suggestedFilename()).toContain(ending)
      }
    })

    test('[DET-06] compare report: new, fixed, unchanged, permissions and components', async ({ page }) => {
      after = await packages.detected({ files: [files.new], kinds: [...STATIC] })
      await signIn(page, 'detector', { at: `/detection/compare?before=${before}&after=${after}` })
      const report = page.getByRole('article', { name: '对比报告' })
      await expect(report).toContainText('应用可被调试')
      const line = report.getByRole('button').filter({ hasText: '应用可被调试' })
      await expect(line).toContainText('已修复')
      expect(await value(page, 'compare-fixed')).toBeGreaterThan(0)
      expect(await value(page, 'compare-new')).toBeGreaterThan(0)
      await expect(report.getByRole('region', { name: '权限' })).toContainText('android.permission.INTERNET')
      await expect(report.getByRole('region', { name: '组件' })).toContainText(`${ID}.Sync`)
      await expectAccessible(page, 'compare')
      // The report of the newer version marks what is new in it.
      await travel(page, `/detection/tasks/${after}/`)
      await expect(page.getByRole('list', { name: '检测项' }).getByRole('button').first()).toContainText('新增')
      // Several reports may be open: tag and title say which one this is.
      await expect(page).toHaveTitle(/^报告详情 \S+ 2\.0 - /)
      const tags = page.getByRole('navigation', { name: '访问过的页面' })
      await expect(tags.getByRole('link', { name: /^报告详情 \S+ 2\.0$/ })).toBeVisible()
      await expect(tags.getByRole('link', { name: /^对比 \S+ 1\.0 → 2\.0$/ })).toBeVisible()
    })

    test('[DET-02] a waiting task is stopped from the list and done again; progress is shown', async ({ page }) => {
      test.setTimeout(200_000)
      await signIn(page, 'detector')
      const kinds = ['privacy', 'vulnerability', 'content', 'sdk', 'static', 'compliance'] as const
      let last = ''
      for (const kind of kinds) last = await packages.ask({ files: [files.settings], kinds: [kind] })
      await travel(page, `/detection/tasks/${last}/`)
      await expect(page.getByRole('heading', { name: '检测进行中' })).toBeVisible()
      await expect(page.getByRole('progressbar').first()).toBeVisible()
      await page.getByRole('button', { name: '停止' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: '停止' }).click()
      await expect(page.getByRole('heading', { name: '检测已停止' })).toBeVisible()
      await page.getByRole('button', { name: '重新检测' }).click()
      await expect(page.getByTestId('score')).toBeVisible({ timeout: 120_000 })
      await page.getByRole('tab', { name: /^权限/ }).click()
      const permissions = page.getByRole('table', { name: '权限' })
      await expect(permissions.getByText('已使用', { exact: true }).first()).toBeVisible()
      await expect(permissions.getByText('未使用', { exact: true }).first()).toBeVisible()
    })

    test('[DET-05] a failed detection says so and offers its error log', async ({ page }) => {
      const sha256 = createHash('sha256').update(LOST).digest('hex')
      rmSync(join(process.env['E2E_DATA'] ?? '', 'files', sha256.slice(0, 2), sha256))
      const id = await packages.detected({ files: [files.lost], kinds: ['static'] })
      await signIn(page, 'detector', { language: 'en', at: `/detection/tasks/${id}/` })
      await expect(page.getByText('Your app detection failed!').first()).toBeVisible()
      await expect(page.getByRole('log')).toContainText('The package is no longer stored')
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download the error log' }).click()
      expect((await download).suggestedFilename()).toContain('.log')
      await expectAccessible(page, 'test failed')
    })

    test('[DET-08] the management list: state, search, delete with its literal messages, CSV', async ({ page }) => {
      await signIn(page, 'detector', { at: '/detection/tasks' })
      await expect(tasks(page).first()).toBeVisible()
      const all = await value(page, 'task-total')
      await page
        .getByRole('radio', { name: /检测失败/ })
        .or(page.getByRole('button', { name: /^检测失败/ }))
        .first()
        .click()
      await expect(page).toHaveURL(/state=failed/)
      await expect(tasks(page)).toHaveCount(1)
      await page.getByRole('button', { name: '清除筛选' }).click()
      await page.getByRole('searchbox', { name: '名称、包名、版本' }).fill(ID)
      await expect(page).toHaveURL(/find=/)
      await expect(tasks(page)).toHaveCount(2)
      await expectAccessible(page, 'management list')
      await page.getByRole('button', { name: '导出' }).click()
      await page.getByRole('menuitem', { name: 'CSV 文件' }).click()
      const ready = page.getByRole('button', { name: '下载', exact: true })
      await expect(ready).toBeVisible()
      const [download] = await Promise.all([page.waitForEvent('download'), ready.click()])
      const lines = readFileSync(await download.path(), 'utf8')
        .trim()
        .split('\r\n')
      expect(lines.length).toBe(3)
      await travel(page, '/detection/tasks?state=failed')
      await expect(tasks(page)).toHaveCount(1)
      const remove = async (answer: string) => {
        await page.getByRole('button', { name: /的操作$/ }).click()
        await page.getByRole('menuitem', { name: '删除' }).click()
        const question = page.getByRole('alertdialog')
        await expect(question).toContainText('此操作将永久删除该文件, 是否继续?')
        await question.getByRole('button', { name: answer }).click()
      }
      await remove('取消')
      await expect(notice(page, '已取消删除')).toBeVisible()
      await remove('删除')
      await expect(notice(page, '删除成功!')).toBeVisible()
      await travel(page, '/detection/tasks')
      await expect(page.getByTestId('task-total')).toHaveAttribute('data-value', String(all - 1))
    })

    test('[DET-07] a strategy of chosen items and a gate; privacy list and detail; analysis over applications', async ({
      page,
    }) => {
      await signIn(page, 'detector', { at: '/detection/strategies' })
      await page.getByRole('button', { name: '新建策略' }).click()
      await page.getByLabel('名称').fill('银行发布')
      await page.getByLabel('评分 ≥').fill('80')
      await page
        .getByRole('radio', { name: '逐项选择' })
        .or(page.getByRole('button', { name: '逐项选择' }))
        .first()
        .click()
      await page.getByRole('region', { name: '清单配置' }).locator('label').first().click()
      await page.getByRole('button', { name: '保存' }).click()
      await expect(notice(page, '已保存')).toBeVisible()
      await expect(page.getByRole('heading', { level: 1 })).toContainText('银行发布')
      // After a conflict what was written is still there, and goes over the newer one only where the person says so.
      await page.getByLabel('评分 ≥').fill('85')
      const meta = await openMeta(process.env['E2E_DATA'] ?? '')
      await meta.db.updateTable('detection_strategies').set({ rev: 9 }).where('name', '=', '银行发布').execute()
      await meta.close()
      await page.getByRole('button', { name: '保存' }).click()
      await expect(page.getByText('编辑期间，其他人已保存了新的内容')).toBeVisible()
      await expect(page.getByLabel('评分 ≥')).toHaveValue('85')
      await page.getByRole('button', { name: '保留我填写的内容' }).click()
      await page.getByLabel('评分 ≥').fill('80')
      // A reader who leaves while it is saved is not brought back.
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route('**/strategies/save/', async (route) => {
        await released
        await route.continue()
      })
      await page.getByRole('button', { name: '保存' }).click()
      await expect(page.getByRole('button', { name: '保存' })).toBeDisabled()
      await travel(page, '/detection/strategies')
      await expect(page.getByRole('heading', { level: 1, name: '检测策略' })).toBeVisible()
      const saved = page.waitForResponse('**/strategies/save/')
      release()
      await saved
      await page.unrouteAll()
      await expect(page.getByRole('row').filter({ hasText: '银行发布' })).toContainText('评分 ≥ 80')
      await expectAccessible(page, 'strategies')
      // The list is read again before the save ends: only now it would have been left.
      await expect(page).toHaveURL(/\/detection\/strategies$/)

      await travel(page, '/detection/privacy')
      await page.getByRole('row').filter({ hasText: ID }).first().click()
      await expect(page).toHaveURL(/detection\/privacy\/[0-9a-f-]{36}/)
      const failed = await value(page, 'privacy-fail')
      await page.getByTestId('privacy-fail').click()
      await expect(page.getByRole('table', { name: '隐私检查项' }).locator('tbody tr')).toHaveCount(failed)
      await expectAccessible(page, 'privacy detail')

      await travel(page, '/detection/vulnerabilities?find=android-debuggable')
      await page.getByRole('row').filter({ hasText: 'android-debuggable' }).click()
      const drawer = page.getByRole('dialog')
      await expect(drawer.getByRole('link').filter({ hasText: ID })).toHaveCount(1)
      await drawer.getByRole('link').filter({ hasText: ID }).click()
      await expect(page.getByRole('article', { name: '应用可被调试' })).toBeVisible()
    })
  })
