import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { saveDetectionOffers } from '#contracts/http/detection/tasks.ts'
import { type ReportTemplate, reportTemplate, saveReportTemplate } from '#contracts/http/reports/task-reports.ts'
import { pngOf } from '#engines/icon/plain-png.ts'
import { entryBytes } from '#engines/zip/entry-bytes.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import { apkBytes, element } from '#tests/support/detect-package.ts'
import { expect, expectAccessible, notice, signIn, test } from './support/console.ts'
import { type Packages, packagesOf } from './support/packages.ts'

const ID = `org.e2e.reported${Date.now().toString(36)}`
const APK = apkBytes({
  id: ID,
  manifest: { versionName: '3.1', versionCode: 31 },
  application: { label: 'Reported', debuggable: true },
  components: [element('activity', { name: `${ID}.Main`, exported: true })],
  others: [element('uses-permission', { name: 'android.permission.CAMERA' })],
})
const ISSUER = '示例安全实验室'
const FOOT = '内部资料'
const POLICY = `隐私政策。我们收集设备标识用于登录与安全风控，收集相机照片用于扫码。第三方 SDK：示例统计，收集设备标识。${'您可以随时撤回同意、删除账号，联系我们即可。'.repeat(4)}`

let packages: Packages
let template: ReportTemplate
let file = ''

test.describe
  .serial('what the platform decides of detections and reports', () => {
    test.beforeAll(async () => {
      packages = packagesOf('admin', ['all'])
      template = (await packages.api(reportTemplate)).data
      file = await packages.upload('reported.apk', APK, { create: 'application', type: 'news' })
    })
    test.afterAll(async () => {
      await packages.api(saveDetectionOffers, { body: { data: [] } })
      await packages.api(saveReportTemplate, { body: template })
    })

    test('[DET-01] a kind that is turned off for a package kind and application type is not offered', async ({
      page,
    }) => {
      await packages.api(saveDetectionOffers, { body: { data: [] } })
      await signIn(page, 'admin', { at: '/detection/strategies?tab=offers' })
      const table = page.getByRole('region', { name: '检测范围' })
      await table.getByRole('checkbox', { name: 'APK：图文检测' }).press('Space')
      await table.getByRole('button', { name: 'APK: 为应用类型单列' }).click()
      await page.getByRole('menuitem', { name: '新闻资讯' }).click()
      await table.getByRole('checkbox', { name: 'APK 新闻资讯：SDK 检测' }).press('Space')
      await page.getByRole('button', { name: '保存' }).click()
      await expect(notice(page, '已保存')).toBeVisible()
      await expectAccessible(page, 'kinds offered')

      const kind = (name: string) => page.getByRole('checkbox', { name: new RegExp(name) })
      await page.goto(`/detection/new?files=${file}`)
      await expect(kind('静态检测')).toBeEnabled()
      await expect(kind('SDK 检测')).toBeDisabled()
      await expect(kind('图文检测')).toBeDisabled()
      // Another application type has the line of all others.
      await page.getByRole('button', { name: /应用类型/ }).click()
      await page.getByRole('option', { name: '浏览器' }).click()
      await expect(kind('SDK 检测')).toBeEnabled()
      await expect(kind('图文检测')).toBeDisabled()

      await page.goto('/detection/strategies?tab=offers')
      await page.getByRole('button', { name: '恢复默认' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: '恢复默认' }).click()
      await expect(table.getByRole('checkbox', { name: 'APK：图文检测' })).toBeChecked()
      await expect(table.getByRole('checkbox', { name: 'APK 新闻资讯：SDK 检测' })).toHaveCount(0)
    })

    test('[DET-04] logo, issuer, foot and chapters of the platform stand in what is made afterwards', async ({
      page,
    }) => {
      const task = await packages.detected({ files: [file], kinds: ['vulnerability', 'static', 'compliance'] })
      await signIn(page, 'admin', { at: '/platform/settings?tab=reports' })
      const form = page.getByRole('main')
      const data = new Uint8ClampedArray(64 * 32 * 4).fill(200)
      const logo = Buffer.from(pngOf({ width: 64, height: 32, data }))
      const input = form.locator('input[type=file]')
      await input.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo })
      await expect(form.getByRole('img', { name: '标志' }).first()).toBeVisible()
      await form.getByLabel('出具单位').fill(ISSUER)
      await form.getByLabel('页脚文字').fill(FOOT)
      await form.getByRole('checkbox', { name: '开发整改清单: 权限' }).press('Space')
      await form.getByRole('button', { name: '保存' }).click()
      await expect(notice(page, '已保存')).toBeVisible()
      await expectAccessible(page, 'report template')
      // What is no picture is refused, and says so.
      await input.setInputFiles({ name: 'no.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
      await form.getByRole('button', { name: '保存' }).click()
      await expect(
        page
          .locator('[aria-live=polite], [role=alert]')
          .getByText(/标志|图片|PNG/)
          .first(),
      ).toBeVisible()

      await page.goto(`/detection/tasks/${task}/`)
      const pdf = await made(page, 'PDF')
      expect(pdf.subarray(0, 5).toString('latin1')).toBe('%PDF-')
      const zip = readZip(await made(page, 'DOC'))
      const names = [...zip.byName.keys()]
      expect(names.some((name) => /^word\/media\/.+\.png$/.test(name))).toBe(true)
      const text = names
        .filter((name) => /^word\/(document|footer\d*)\.xml$/.test(name))
        .flatMap((name) => zip.byName.get(name) ?? [])
        .map((part) => Buffer.from(entryBytes(zip, part)).toString('utf8'))
        .join('')
      expect(text).toContain(ISSUER)
      expect(text).toContain(FOOT)
      expect(text).toContain('应用可被调试')
      expect(text).not.toContain('android.permission.CAMERA')
    })

    test('[DET-07][DET-09] a privacy detection reads the policy that the application was given', async ({ page }) => {
      const before = await packages.detected({ files: [file], kinds: ['privacy'] })
      await signIn(page, 'admin', { at: `/detection/privacy/${before}/` })
      const missing = '没有隐私政策文本'
      await expect(page.getByText(missing).first()).toBeVisible()
      const pending = Number(await page.getByTestId('privacy-not_assessed').getAttribute('data-value'))

      await page.goto('/detection/self_check')
      await page.getByRole('main').getByRole('link', { name: 'Reported' }).first().click()
      const policy = page.getByTestId('policy')
      await policy.getByRole('button', { name: '提供政策' }).click()
      const dialog = page.getByRole('dialog', { name: '隐私政策' })
      await dialog.getByLabel('政策正文').fill(POLICY)
      await expectAccessible(page, 'privacy policy')
      await dialog.getByRole('button', { name: '保存' }).click()
      await expect(dialog).toHaveCount(0)

      const after = await packages.detected({ files: [file], kinds: ['privacy'] })
      expect(after).not.toBe(before)
      await page.goto(`/detection/privacy/${after}/`)
      await expect(page.getByTestId('privacy-not_assessed')).toBeVisible()
      await expect(page.getByText(missing)).toHaveCount(0)
      expect(Number(await page.getByTestId('privacy-not_assessed').getAttribute('data-value'))).toBeLessThan(pending)
    })
  })

/** The bytes of a report, which is in the generated before it is ready. */
async function made(page: Page, format: 'PDF' | 'DOC'): Promise<Buffer> {
  await page.getByRole('button', { name: `生成 ${format}` }).click()
  await expect(page.getByRole('button', { name: new RegExp(`${format} 生成中`) })).toBeVisible()
  const ready = page.getByRole('button', { name: `下载 ${format}` })
  await expect(ready).toBeVisible({ timeout: 60_000 })
  const [download] = await Promise.all([page.waitForEvent('download'), ready.click()])
  return readFileSync(await download.path())
}
