import { type AdbServer, startAdbServer } from '#mocks/phone/adb-server.ts'
import { TELLING } from '#mocks/phone/behaviour.ts'
import { SimulatedPhone } from '#mocks/phone/simulated-phone.ts'
import { phonePackage } from '#tests/support/phone-package.ts'
import { expect, expectAccessible, signIn, test, travel } from './support/console.ts'
import { packagesOf } from './support/packages.ts'

const ID = 'org.e2e.phoned'
const PACKAGE = phonePackage(ID)
const OTHERS = ['漏洞扫描', '静态检测', '合规与权限检测', 'SDK 检测', '个人隐私检测', '图文检测']

let file = ''
let server: AdbServer | undefined

test.describe
  .serial('dynamic detection', () => {
    test.beforeAll(async () => {
      file = await packagesOf('detector', ['asset.upload', 'asset.read']).upload('phoned.apk', PACKAGE)
    })
    test.afterAll(() => server?.close())

    test('[DET-05] without a phone the kind is there and says why it cannot be chosen', async ({ page }) => {
      await signIn(page, 'detector', { at: `/detection/new?files=${file}` })
      const kind = page.locator('label', { hasText: '动态检测' })
      await expect(kind).toContainText('电脑未连接手机...')
      await expect(kind.locator('input')).toBeDisabled()
    })

    test('[DET-01] an application runs on a phone, and the report shows what it did', async ({ page }) => {
      const behaviours = { [ID]: { ...TELLING, crashes: [`${ID}.Share`] } }
      const phone = new SimulatedPhone({ behaviours })
      server = await startAdbServer([phone], Number(process.env['E2E_ADB']))
      await signIn(page, 'detector', { at: `/detection/new?files=${file}` })
      await page.locator('label', { hasText: '动态检测' }).click()
      for (const name of OTHERS) await page.locator('label', { hasText: name }).first().click()
      await expect(page.getByText('Simulated phone').first()).toBeVisible()
      await page.getByRole('radio', { name: '短' }).click()
      await expectAccessible(page, 'choice of a phone')
      await page.getByRole('button', { name: '开始检测' }).click()
      await expect(page.getByRole('list', { name: '阶段' }).or(page.getByText('启动后不操作')).first()).toBeVisible()
      const tab = page.getByRole('tab', { name: '真机运行' })
      await expect(tab).toBeVisible({ timeout: 60_000 })
      expect(phone.apps.size).toBe(0)
      await tab.click()
      await expect(page.getByText('为本次检测安装，检测后卸载')).toBeVisible()
      const uses = page.getByRole('table', { name: '敏感行为' })
      await expect(uses.getByRole('row', { name: /读取剪贴板.*操作前/ })).toBeVisible()
      await expect(uses.getByRole('row', { name: /读取联系人/ })).not.toContainText('操作前')
      await expect(page.getByRole('table', { name: '网络连接' })).toContainText(
        'telemetry.example.net (8.8.8.8):443/tcp',
      )
      await expect(page.getByText(/NullPointerException/).first()).toBeVisible()
      const pictures = page.getByRole('img', { name: /未操作|自动操作后|结束/ })
      await expect(pictures).toHaveCount(3)
      await expect
        .poll(() => pictures.first().evaluate((one: HTMLImageElement) => one.naturalWidth), { message: 'drawn' })
        .toBe(360)
      await expectAccessible(page, 'what was seen on a phone')
      await travel(page, `${new URL(page.url()).pathname}?item=android-privacy-clipboard-read`)
      await expect(page.getByText(/此时用户尚未操作/)).toBeVisible()
    })
  })
