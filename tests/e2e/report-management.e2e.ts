import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { deleteReports, storedReports } from '#contracts/http/reports/stored-reports.ts'
import { createReport, type ReportFormat } from '#contracts/http/reports/task-reports.ts'
import { apkBytes, element } from '#tests/support/detect-package.ts'
import { expect, expectAccessible, notice, signIn, test } from './support/console.ts'
import { type Packages, packagesOf } from './support/packages.ts'

const NAME = `Stored${Date.now().toString(36)}`
const ID = `org.e2e.${NAME.toLowerCase()}`
const APK = apkBytes({
  id: ID,
  manifest: { versionName: '2.4', versionCode: 24 },
  application: { label: NAME, debuggable: true },
  components: [element('activity', { name: `${ID}.Main`, exported: true })],
})
const PAGE = '/platform/reportManage'
const SHOTS = process.env['E2E_SHOTS']

const FOUND = (storedReports.query as NonNullable<typeof storedReports.query>).parse({ search: NAME })

let packages: Packages
let task = ''
const shot = async (page: Page, name: string) => {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/reports-${name}.png` })
}

test.describe
  .serial('report management', () => {
    test.describe.configure({ timeout: 240_000 })
    test.beforeAll(async () => {
      packages = packagesOf('admin', ['all'])
      const file = await packages.upload(`${NAME}.apk`, APK, { create: 'application', type: 'news' })
      task = await packages.detected({ files: [file], kinds: ['vulnerability', 'static', 'compliance'] })
      for (const [format, language] of [
        ['pdf', 'zh'],
        ['docx', 'en'],
        ['csv', 'zh'],
        ['xlsx', 'zh'],
      ] as const)
        await written(format, language)
    })

    /** Makes a report and waits until it is ready. */
    async function written(format: ReportFormat, language: 'zh' | 'en'): Promise<void> {
      const { data } = await packages.api(createReport, { body: { id: task, format, language } })
      await expect
        .poll(
          async () =>
            (await packages.api(storedReports, { query: FOUND })).data.find(({ id }) => id === data.job.id)?.state,
          { timeout: 90_000 },
        )
        .toBe('done')
    }

    test('[ROLE-01] the list finds, filters and previews reports; the preview goes through the chapters', async ({
      page,
    }) => {
      await signIn(page, 'admin', { at: `${PAGE}?find=${NAME}` })
      const main = page.getByRole('main')
      await expect(page.getByTestId('report-total')).toHaveAttribute('data-value', '4')
      await expectAccessible(page, 'list of reports')
      await shot(page, 'list-zh-light')
      await main.getByRole('button', { name: /格式/ }).click()
      await page.getByRole('option', { name: 'PDF' }).click()
      await expect(page).toHaveURL(/format=pdf/)
      await expect(page.getByTestId('report-total')).toHaveAttribute('data-value', '1')
      await main.getByText(`${NAME} 2.4 PDF`).click()
      const drawer = page.getByRole('dialog', { name: `${NAME} 2.4 PDF` })
      await expect(drawer.getByText('开发整改清单').first()).toBeVisible()
      await expect(drawer.getByText(ID).first()).toBeVisible()
      await shot(page, 'preview-zh-light')
      await expectAccessible(page, 'preview of a report')
      await drawer.getByRole('button', { name: '下一章' }).click()
      await expect(drawer.getByTestId('chapter')).toHaveText(/^2 \//)
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        drawer.getByRole('button', { name: '下载 PDF' }).click(),
      ])
      expect(readFileSync(await download.path()).toString('latin1', 0, 5)).toBe('%PDF-')
      // The open report and the filters are in the address.
      await page.reload()
      await expect(page.getByRole('dialog', { name: `${NAME} 2.4 PDF` })).toBeVisible()
    })

    test('a report is written again; deletions ask first and say what came of it', async ({ page }) => {
      await signIn(page, 'admin', { at: `${PAGE}?find=${NAME}&format=csv` })
      const main = page.getByRole('main')
      await main.getByText(`${NAME} 2.4 CSV`).click()
      const drawer = page.getByRole('dialog', { name: `${NAME} 2.4 CSV` })
      await expect(drawer.getByRole('columnheader', { name: '检测项' })).toBeVisible()
      await shot(page, 'sheet-zh-light')
      await drawer.getByRole('button', { name: '重新生成' }).click()
      await expect(notice(page, '已开始生成')).toBeVisible()
      await expect(page.getByTestId('report-total')).toHaveAttribute('data-value', '2')
      await drawer.getByRole('button', { name: '删除…' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: '取消' }).click()
      await expect(notice(page, '已取消删除')).toBeVisible()
      await drawer.getByRole('button', { name: '删除…' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click()
      await expect(notice(page, '删除成功!')).toBeVisible()
      await expect(drawer).toHaveCount(0)
      await expect(page.getByTestId('report-total')).toHaveAttribute('data-value', '1')
    })

    test('a share link opens without an account, says when it no longer works, and is revoked', async ({
      page,
      browser,
    }) => {
      await signIn(page, 'admin', { at: `${PAGE}?find=${NAME}&format=pdf` })
      await page.getByRole('main').getByText(`${NAME} 2.4 PDF`).first().click()
      const drawer = page.getByRole('dialog', { name: `${NAME} 2.4 PDF` })
      await drawer.getByRole('button', { name: '分享链接' }).click()
      const dialog = page.getByRole('dialog', { name: /^分享/ })
      await dialog.getByLabel(/密码/).fill('open sesame')
      await shot(page, 'share-zh-light')
      await dialog.getByRole('button', { name: '生成链接' }).click()
      const link = ((await page.getByTestId('new-secret').textContent()) ?? '').trim()
      expect(link).toMatch(/\/api\/reports\/shared\/#aw_rs_/)
      await page.getByRole('button', { name: '完成' }).click()
      await expect(drawer.getByText(/还剩 7 天/)).toBeVisible()
      await expectAccessible(page, 'report with a share link')

      const context = await browser.newContext({ locale: 'zh-CN' })
      const stranger = await context.newPage()
      await stranger.goto(link)
      await expect(stranger.getByRole('heading', { name: `${NAME} 2.4 PDF` })).toBeVisible()
      expect(stranger.url()).not.toContain('aw_rs_')
      await expectAccessible(stranger, 'page of a share link')
      await shot(stranger, 'shared-zh-light')
      await stranger.getByLabel('密码').fill('wrong one')
      await stranger.getByRole('button', { name: '下载' }).click()
      await expect(stranger.getByText('密码错误')).toBeVisible()
      await stranger.getByLabel('密码').fill('open sesame')
      const [download] = await Promise.all([
        stranger.waitForEvent('download'),
        stranger.getByRole('button', { name: '下载' }).click(),
      ])
      expect(readFileSync(await download.path()).toString('latin1', 0, 5)).toBe('%PDF-')

      await drawer.getByRole('button', { name: '收回' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: '收回' }).click()
      await expect(drawer.getByText(/已收回 · 下载 1 次/)).toBeVisible()
      await stranger.goto('about:blank')
      await stranger.goto(link)
      await expect(stranger.getByText(/链接无效或已被收回/)).toBeVisible()
      await context.close()
    })

    test('a schedule shows its next runs, runs at once, is paused and deleted', async ({ page }) => {
      await signIn(page, 'admin', { at: PAGE })
      await page.getByRole('main').getByRole('button', { name: '定时' }).click()
      const drawer = page.getByRole('dialog', { name: '定时报告' })
      await drawer.getByRole('button', { name: '新建定时' }).click()
      const dialog = page.getByRole('dialog', { name: '新建定时' })
      await dialog.getByLabel('名称').fill(`${NAME} weekly`)
      await dialog.getByLabel('时区').fill('Europe/Berlin')
      await expect(dialog.getByRole('columnheader', { name: 'Asia/Shanghai' })).toBeVisible()
      await expect(dialog.getByRole('table').getByRole('row')).toHaveCount(6)
      await dialog.getByLabel(/cron/).fill('* * * * *')
      await expect(dialog.getByText('两次运行的间隔至少为 15 分钟')).toBeVisible()
      await dialog.getByRole('button', { name: '每周一 08:00' }).click()
      await dialog.getByRole('checkbox', { name: NAME }).press('Space')
      await shot(page, 'schedule-zh-light')
      await expectAccessible(page, 'schedule dialog')
      await dialog.getByRole('button', { name: '保存' }).click()
      await expect(notice(page, '定时已保存')).toBeVisible()
      await drawer.getByRole('button', { name: `立即运行 ${NAME} weekly` }).click()
      await expect(notice(page, /已开始生成 1 份/)).toBeVisible()
      await expect(drawer.getByText(/上次/)).toBeVisible()
      await shot(page, 'schedules-zh-light')
      await expectAccessible(page, 'schedules')
      await drawer.getByRole('switch', { name: `启用 ${NAME} weekly` }).press('Space')
      await expect(drawer.getByText('已暂停')).toBeVisible()
      await drawer.getByRole('button', { name: `删除 ${NAME} weekly` }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: '删除' }).click()
      await expect(notice(page, '删除成功!')).toBeVisible()
      await expect(drawer.getByText('还没有定时报告')).toBeVisible()
      const { data } = await packages.api(storedReports, { query: FOUND })
      const made = data.filter(({ reader, format }) => reader === 'manager' && format === 'pdf')
      expect(made).toHaveLength(1)
      await packages.api(deleteReports, { body: { ids: made.map(({ id }) => id) } })
    })

    test('several are chosen and deleted at once; the list is empty then and says so, in English and dark', async ({
      page,
    }) => {
      await signIn(page, 'admin', { at: `${PAGE}?find=${NAME}`, language: 'en', theme: 'dark' })
      const main = page.getByRole('main')
      const boxes = main.getByRole('checkbox', { name: /^Select/ })
      await expect(boxes).toHaveCount(4)
      await shot(page, 'list-en-dark')
      await main.getByText(`${NAME} 2.4 DOC`).click()
      await expect(page.getByRole('dialog', { name: `${NAME} 2.4 DOC` })).toBeVisible()
      await expectAccessible(page, 'preview of a report, dark')
      await shot(page, 'preview-en-dark')
      await page.keyboard.press('Escape')
      for (const box of await boxes.all()) await box.press('Space')
      await expect(main.getByText('4 selected')).toBeVisible()
      await main.getByRole('button', { name: 'Delete…' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
      await expect(notice(page, 'Delete successful')).toBeVisible()
      await expect(main.getByText('No report meets the filters')).toBeVisible()
      await expectAccessible(page, 'empty list of reports')
    })

    test.describe('on a phone', () => {
      test.use({ viewport: { width: 390, height: 844 } })
      test('the list and the preview fit a phone', async ({ page }) => {
        await written('pdf', 'zh')
        await signIn(page, 'admin', { at: `${PAGE}?find=${NAME}` })
        await page.getByRole('main').getByText(`${NAME} 2.4 PDF`).first().click()
        await expect(page.getByRole('dialog').getByTestId('chapter')).toBeVisible()
        await shot(page, 'preview-390')
        await page.keyboard.press('Escape')
        await shot(page, 'list-390')
        const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
        expect(wide).toBe(false)
        const { data } = await packages.api(storedReports, { query: FOUND })
        await packages.api(deleteReports, { body: { ids: data.map(({ id }) => id) } })
      })
    })
  })
