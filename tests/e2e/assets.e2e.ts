import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { uploadFile } from '#contracts/http/assets.ts'
import { ACCOUNTS, openMeta } from './support/accounts.ts'
import { expect, expectAccessible, notice, signIn, test, travel, URL_OF_SERVER } from './support/console.ts'

const SETTINGS = 'node_modules/io.appium.settings/apks/settings_apk-debug.apk'
/** More than 8 MiB: goes up in chunks. */
const SERVER = 'node_modules/appium-uiautomator2-server/apks/appium-uiautomator2-server-v10.6.6.apk'
const LIBRARIES = 22

/** Libraries are the smallest packages there are: a header, and bytes that tell them apart. */
function library(index: number): Blob {
  const bytes = new Uint8Array(64).fill(index)
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1])
  return new Blob([bytes])
}

/** What a script of the customer uploads before anybody looks; its token as the server would store it. */
async function uploadLibraries(): Promise<void> {
  const token = `aw_at_${randomBytes(32).toString('base64url')}`
  const meta = await openMeta(process.env['E2E_DATA'] ?? '')
  const user = await meta.db
    .selectFrom('users')
    .select('id')
    .where('username', '=', ACCOUNTS.keeper.username)
    .executeTakeFirstOrThrow()
  await meta.db
    .insertInto('access_tokens')
    .values({
      id: randomUUID(),
      user_id: user.id,
      name: 'e2e',
      hint: token.slice(0, 10),
      hash: createHash('sha256').update(token).digest('hex'),
      scopes: ['asset.upload', 'asset.read'],
      created_at: Date.now(),
      expires_at: Date.now() + 86_400_000,
      last_used_at: null,
      revoked_at: null,
    })
    .execute()
  await meta.close()
  await Promise.all(
    Array.from({ length: LIBRARIES }, async (_, index) => {
      const form = new FormData()
      form.set('type', index % 2 ? 'browser' : 'news')
      form.set('file', library(index), `lib${String(index).padStart(2, '0')}.so`)
      const headers = { authorization: `Bearer ${token}` }
      const answer = await fetch(URL_OF_SERVER + uploadFile.path, { method: 'POST', body: form, headers })
      expect(answer.status, await answer.text()).toBe(200)
    }),
  )
}

/** Drops files on an element as a mouse does. */
async function drop(page: Page, selector: string, names: readonly string[]): Promise<void> {
  const data = await page.evaluateHandle((all) => {
    const transfer = new DataTransfer()
    for (const name of all) transfer.items.add(new File([`not a package: ${name}`], name))
    return transfer
  }, names)
  await page.locator(selector).dispatchEvent('drop', { dataTransfer: data })
}

const junk = (count: number) => Array.from({ length: count }, (_, index) => `junk${index}.apk`)
const rows = (page: Page) => page.getByRole('table', { name: '应用文件' }).locator('tbody tr')

test.describe
  .serial('assets', () => {
    test.beforeAll(uploadLibraries)

    test('[ASSET-03] search by name, upload date range, type filter, paging with total', async ({ page }) => {
      await signIn(page, 'keeper', { at: '/assets/apps' })
      await expect(rows(page)).toHaveCount(20)
      await expect(
        page
          .getByText(`第 1 至 20 条，共 ${LIBRARIES} 条`)
          .or(page.getByText(new RegExp(`1.*20.*${LIBRARIES}`)))
          .first(),
      ).toBeVisible()
      await page.getByRole('button', { name: '下一页' }).click()
      await expect(rows(page)).toHaveCount(LIBRARIES - 20)
      await expect(page).toHaveURL(/page=2/)

      await page.getByRole('searchbox', { name: '按名称或包名搜索' }).fill('lib1')
      await expect(rows(page)).toHaveCount(10)
      await page.getByRole('searchbox').fill('')
      await page.getByRole('button', { name: /应用类型/ }).click()
      await page.getByRole('option', { name: '浏览器' }).click()
      await expect(rows(page)).toHaveCount(LIBRARIES / 2)
      await expect(page).toHaveURL(/type=browser/)

      await page.getByRole('button', { name: '上传日期：不限' }).click()
      await expect(rows(page)).toHaveCount(LIBRARIES / 2)
      // A range that ended before anything was uploaded.
      const day = 86_400_000
      await travel(page, `/assets/apps?range=${Date.now() - 14 * day}~${Date.now() - 7 * day}`)
      await expect(page.getByText('没有符合条件的文件')).toBeVisible()
      await page.getByRole('button', { name: '清除条件' }).first().click()
      await expect(rows(page)).toHaveCount(20)
      await expectAccessible(page, 'asset list')
    })

    test('[ASSET-04] drag and drop, ten files at once, what fails says so and what is large is resumed', async ({
      page,
    }) => {
      await signIn(page, 'keeper', { at: '/assets/apps' })
      await expect(rows(page)).toHaveCount(20)
      await drop(page, 'main h1', junk(11))
      const dialog = page.getByRole('dialog', { name: '上传文件' })
      await expect(notice(page, '一次最多上传 10 个文件，1 个未添加')).toBeVisible()
      await expect(dialog.getByRole('listitem')).toHaveCount(10)
      await expect(dialog.locator('[data-state=failed]')).toHaveCount(10, { timeout: 20_000 })
      await expect(dialog.getByText(/^上传失败：安装包无法解析/)).toHaveCount(10)
      await expect(dialog.getByRole('button', { name: '重试 junk0.apk' })).toBeVisible()
      await expectAccessible(page, 'upload dialog')

      // One chunk is lost on its way: it is sent again from the server's offset.
      let lost = false
      await page.route(/\/uploads\/[0-9a-f]{32}$/, (route) => {
        if (lost || route.request().method() !== 'PATCH') return route.continue()
        lost = true
        return route.abort('connectionreset')
      })
      await dialog.locator('input[type=file]').setInputFiles([SERVER])
      await expect(dialog.getByRole('listitem')).toHaveCount(1)
      const percents: number[] = []
      const done = dialog.locator('[data-state=done]')
      while ((await done.count()) === 0) {
        const text = await dialog
          .getByText(/^\d+%$/)
          .textContent({ timeout: 1000 })
          .catch(() => null)
        if (text) percents.push(Number.parseInt(text, 10))
        expect(await dialog.locator('[data-state=failed]').count()).toBe(0)
      }
      expect(lost).toBe(true)
      expect(Math.max(...percents.filter((one) => one < 100))).toBeLessThanOrEqual(90)
      await expect(dialog.getByText('100%')).toBeVisible()
      await dialog.getByRole('button', { name: '完成' }).click()
      await expect(rows(page).first()).toContainText('io.appium.uiautomator2.server')
    })

    test('[ASSET-06] the detail page shows signer, permissions and components; push, take back, delete', async ({
      page,
    }) => {
      await signIn(page, 'keeper', { at: '/assets/apps?find=uiautomator2' })
      await rows(page).first().click()
      await expect(page.getByText('签名 校验通过')).toBeVisible()
      await expect(page.getByRole('term').filter({ hasText: 'MD5' }).first()).toBeVisible()
      await page.getByRole('button', { name: '推送到平台' }).click()
      await expect(notice(page, /已推送/)).toBeVisible()
      await page.getByRole('button', { name: '取消推送' }).click()
      await expect(page.getByRole('button', { name: '推送到平台' })).toBeVisible()
      await page.getByRole('tab', { name: /权限/ }).click()
      await expect(page.getByText('android.permission.INTERNET')).toBeVisible()
      await expectAccessible(page, 'file detail')
      await page.getByRole('button', { name: '删除' }).click()
      const question = page.getByRole('alertdialog')
      await expect(question).toContainText('此操作将永久删除该文件, 是否继续?')
      await question.getByRole('button', { name: '取消' }).click()
      await expect(notice(page, '已取消删除')).toBeVisible()
      await page.getByRole('button', { name: '删除' }).click()
      await question.getByRole('button', { name: '删除' }).click()
      await expect(notice(page, '删除成功!')).toBeVisible()
      await expect(page).toHaveURL(/\/assets\/apps$/)
      // By name: the page that is left has a search box too, and stays until the list can be drawn.
      await page.getByRole('searchbox', { name: '按名称或包名搜索' }).fill('uiautomator2')
      await expect(page.getByText('没有符合条件的文件')).toBeVisible()
    })

    test('[APP-02] [APP-04] an application of an apk: one .apk at a time, failure resets, confirm leads to it', async ({
      page,
    }) => {
      await signIn(page, 'keeper')
      await page.getByRole('button', { name: /^切换应用/ }).click()
      await page.getByRole('dialog', { name: '应用列表' }).getByRole('button', { name: '新建应用' }).click()
      const dialog = page.getByRole('dialog', { name: '新建应用' })
      await dialog.getByText('上传 apk').click()
      const confirm = dialog.getByRole('button', { name: '确定' })
      const input = dialog.locator('input[type=file]')
      await expect(confirm).toBeDisabled()
      await input.setInputFiles({ name: 'app.zip', mimeType: 'application/zip', buffer: Buffer.from('x') })
      await expect(notice(page, '上传文件只能是apk格式!')).toBeVisible()
      await drop(page, '[role=dialog] input[type=file]', ['a.apk', 'b.apk'])
      await expect(notice(page, '一次只能上传一个文件')).toBeVisible()

      await input.setInputFiles({ name: 'bad.apk', mimeType: 'application/octet-stream', buffer: Buffer.from('bad') })
      await expect(dialog.locator('[data-state=failure]')).toContainText('0%')
      await expect(dialog.getByText(/^上传失败/)).toBeVisible()
      await expect(confirm).toBeDisabled()

      await input.setInputFiles({
        name: 'settings.apk',
        mimeType: 'application/octet-stream',
        buffer: readFileSync(SETTINGS),
      })
      await expect(dialog.locator('[data-state=uploading]')).toBeVisible()
      await expect(dialog.locator('[data-state=success]')).toContainText('100%')
      await expect(confirm).toBeEnabled()
      await confirm.click()
      await expect(page).toHaveURL(/\/statistics\/user_analyzer\?appid=\d+/)
      const appid = new URL(page.url()).searchParams.get('appid')
      expect(await page.evaluate(() => localStorage.getItem('appid'))).toBe(appid)
      await expect(page.getByRole('button', { name: /切换应用: .*Appium/i })).toBeVisible()
    })
  })
