import type { Page } from '@playwright/test'
import { apkBytes, element } from '#tests/support/detect-package.ts'
import { ACCOUNTS, expect, expectAccessible, notice, signIn, test } from './support/console.ts'
import { type Packages, packagesOf } from './support/packages.ts'

/** Each try has a package of its own: what was suppressed in the one before says nothing here. */
const ID = `org.e2e.waived${Date.now().toString(36)}`
const REASON = '内部测试包，不对外发布'
const build = (version: string) =>
  apkBytes({
    id: ID,
    manifest: { versionName: version, versionCode: Number(version) },
    application: { debuggable: true, allowBackup: true },
    components: [element('activity', { name: `${ID}.Main`, exported: true })],
  })
const KINDS = ['vulnerability', 'static'] as const

let packages: Packages
let first = ''
const row = (page: Page) => page.getByRole('table', { name: '忽略列表' }).locator('tbody tr').filter({ hasText: ID })
const high = (page: Page) => page.getByTestId('count-high').getAttribute('data-value').then(Number)
const item = (page: Page) => page.getByRole('article', { name: '应用可被调试' })
const choose = async (page: Page, what: string) => {
  await row(page).getByRole('button', { name: '应用可被调试 的操作' }).click()
  await page.getByRole('menuitem', { name: what }).click()
}

test.describe
  .serial('suppressions', () => {
    test.beforeAll(async () => {
      packages = packagesOf('operator2', ['asset.upload', 'asset.read', 'asset.detect', 'detect.view'])
      const file = await packages.upload('waived-1.apk', build('1'))
      first = await packages.detected({ files: [file], kinds: [...KINDS] })
    })

    test('[DET-03] who may not edit rules asks for a suppression with reason and term; it does not count yet', async ({
      page,
    }) => {
      await signIn(page, 'operator2', { at: `/detection/tasks/${first}/?item=android-debuggable` })
      const before = await high(page)
      await item(page).getByRole('button', { name: '忽略' }).first().click()
      const dialog = page.getByRole('dialog', { name: '忽略整项' })
      await expect(dialog).toContainText('批准才生效')
      await dialog.getByLabel('理由').fill(REASON)
      await dialog.getByRole('radio', { name: '30 天' }).click()
      await dialog.getByRole('button', { name: '申请忽略' }).click()
      await expect(notice(page, '已提交，等待批准')).toBeVisible()
      await expect(item(page)).toContainText('待批准')
      expect(await high(page)).toBe(before)
    })

    test('[DET-03] the list names reason, term and who asked; an approver is named and stored', async ({ page }) => {
      await signIn(page, 'admin', { at: `/detection/suppressions?find=${ID}` })
      await expect(row(page)).toContainText(REASON)
      await expect(row(page)).toContainText('待批准')
      await expect(row(page)).toContainText(ACCOUNTS.operator2.username)
      await expectAccessible(page, 'suppressions')
      await choose(page, '批准')
      await expect(notice(page, '已批准')).toBeVisible()
      await expect(row(page)).toContainText('生效中')
      await expect(row(page)).toContainText(ACCOUNTS.admin.username)
    })

    test('[DET-03] it holds for the next version, until it is lifted', async ({ page }) => {
      const file = await packages.upload('waived-2.apk', build('2'))
      const second = await packages.detected({ files: [file], kinds: [...KINDS] })
      const report = `/detection/tasks/${second}/?verdict=all&item=android-debuggable`
      await signIn(page, 'admin', { at: report })
      await expect(item(page)).toContainText('已忽略')
      await expect(item(page)).toContainText(REASON)
      await expect(item(page)).toContainText(`批准人 ${ACCOUNTS.admin.username}`)
      const waived = await high(page)

      await page.goto(`/detection/suppressions?find=${ID}`)
      await choose(page, '取消忽略')
      const question = page.getByRole('alertdialog')
      await expect(question).toContainText(ID)
      await question.getByRole('button', { name: '取消忽略' }).click()
      await expect(notice(page, '已取消忽略')).toBeVisible()
      await expect(row(page)).toHaveCount(0)
      await page.goto(report)
      await expect(page.getByTestId('count-high')).toHaveAttribute('data-value', String(waived + 1))
    })
  })
