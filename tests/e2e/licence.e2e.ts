import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { type LicenceAnswer, showLicence } from '#contracts/http/licence.ts'
import type { LicenceTerms } from '#engines/licence/licence-code.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import { madeTerms, signedLicence } from '../support/made-licence.ts'
import { openMeta } from './support/accounts.ts'
import { expect, expectAccessible, notice, signIn, test } from './support/console.ts'

const DAY = 86_400_000
const PAGE = '/platform/authorization'
const data = process.env['E2E_DATA'] ?? ''

/** State of the platform as time would have made it: a licence that was applied, or the begin of the trial. */
async function stored({
  terms,
  trialBegan = Date.now(),
}: {
  terms?: LicenceTerms
  trialBegan?: number
}): Promise<void> {
  const meta = await openMeta(data)
  try {
    await meta.db.deleteFrom('licences').execute()
    if (terms)
      await meta.db
        .insertInto('licences')
        .values({ code: signedLicence(terms), applied_at: Date.now(), applied_by: 'earlier@example.com' })
        .execute()
    const value = JSON.stringify({ at: trialBegan })
    await meta.db.updateTable('settings').set({ value }).where('key', '=', 'licence.installed').execute()
    await meta.db
      .updateTable('settings')
      .set({ value: JSON.stringify({ highest: 0, back: false }) })
      .where('key', '=', 'licence.clock')
      .execute()
    await meta.notify(CHANNELS.changed, { what: 'licence' })
  } finally {
    await meta.close()
  }
  await new Promise((done) => setTimeout(done, 500))
}

/** The page, open, with what the server answered it. */
async function opened(page: Page, look: Parameters<typeof signIn>[2] = {}): Promise<LicenceAnswer> {
  await signIn(page, 'admin', look)
  // Home shows the licence too: its answer may come while the page is left, and has no body then.
  await page.goto('/healthz')
  const answered = page.waitForResponse((answer) => answer.url().includes(showLicence.path))
  await page.goto(PAGE)
  const { data: licence } = (await (await answered).json()) as { data: LicenceAnswer }
  await expect(page.getByTestId('days-remaining')).toHaveText(String(licence.days_remaining))
  return licence
}
const termsFor = ({ product_code, macs }: LicenceAnswer, more: Partial<LicenceTerms> = {}) =>
  madeTerms(Date.now(), { product: product_code, macs, ...more })

test.describe
  .serial('platform licence', () => {
    test.afterAll(() => stored({}))

    test('[LIC-01] a trial shows days, addresses and product code; the code that is pasted says what it brings, and is in force at once', async ({
      page,
    }) => {
      await stored({})
      const licence = await opened(page)
      expect(licence.kind).toBe('trial')
      const main = page.getByRole('main')
      await expect(main.getByText(/^试用期 90 天，全部功能可用/)).toBeVisible()
      await expect(main.getByText(licence.product_code, { exact: true })).toBeVisible()
      await expect(main.getByText(licence.macs[0]?.toUpperCase() ?? '', { exact: true })).toBeVisible()
      await page.getByRole('button', { name: `复制 ${licence.product_code}` }).click()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(licence.product_code)
      await expectAccessible(page, 'licence page in a trial')

      const terms = termsFor(licence, {
        id: 'L-2026-001',
        customer: '示例银行',
        applications: 50,
        users: 100,
        modules: ['detection'],
      })
      await main.getByLabel('粘贴授权码').fill(signedLicence(terms))
      await expect(main.getByText('可以提交')).toBeVisible()
      await expect(main.getByRole('row', { name: /应用 不限 50/ })).toBeVisible()
      await expect(main.getByRole('row', { name: /加固 有 无 去除/ })).toBeVisible()
      await expectAccessible(page, 'licence page with the preview of a code')
      await main.getByRole('button', { name: '提交授权' }).click()
      await expect(notice(page, '授权已生效')).toBeVisible()
      await expect(main.getByRole('definition').filter({ hasText: '示例银行' })).toBeVisible()
      await expect(page.getByTestId('days-remaining')).toHaveText('365')
      await expect(page.getByTestId('quota-applications')).toContainText('/ 50')
      await expect(page.getByTestId('licence-history')).toContainText('L-2026-001')
      await expect(page.getByTestId('licence-history')).toContainText('admin@appwarden.local')
      await expectAccessible(page, 'licence page with a licence')
      const downloading = page.waitForEvent('download')
      await page.getByRole('button', { name: '下载授权文件' }).click()
      const file = await downloading
      expect(file.suggestedFilename()).toBe('L-2026-001.awl')
      expect(readFileSync(await file.path(), 'utf8')).toContain('AWL1.')
    })

    test('[LIC-01] the required words for an empty code, another text and a code that does not hold, in both languages', async ({
      page,
    }) => {
      const licence = await opened(page, { language: 'en' })
      const main = page.getByRole('main')
      const submit = async (code: string) => {
        await main.getByLabel('Paste the code').fill(code)
        await main.getByRole('button', { name: 'Submit' }).click()
      }
      await submit('')
      await expect(notice(page, 'Authorization code cannot be empty')).toBeVisible()
      await expect(main.getByText('Authorization code cannot be empty')).toBeVisible()
      await submit('hello')
      await expect(notice(page, 'Wrong data format')).toBeVisible()
      await submit(signedLicence(termsFor(licence, { id: 'L-X', macs: ['00:11:22:33:44:55'] })))
      await expect(notice(page, 'Authorization invalid')).toBeVisible()
      await expect(main.getByText('Authorization invalid: it is for another machine')).toBeVisible()
      const file = {
        name: 'old.awl',
        mimeType: 'text/plain',
        buffer: Buffer.from(signedLicence(termsFor(licence, { not_after: Date.now() - DAY, not_before: 0 }))),
      }
      await page.locator('input[type=file]').setInputFiles(file)
      await expect(main.getByText('it has expired')).toBeVisible()
    })

    test('[USER-04] at 30 days or fewer everybody is warned when signing in, until it is closed', async ({ page }) => {
      const licence = await opened(page)
      await stored({ terms: termsFor(licence, { id: 'L-24', not_after: Date.now() + 24 * DAY - 60_000 }) })
      await page.addInitScript(() => localStorage.setItem('language', 'en'))
      await page.goto(PAGE)
      const warning = page.getByRole('alert').filter({ hasText: 'platform expires in 24 days' })
      await expect(warning).toContainText('Warning')
      await expect(page.getByRole('main').getByText('platform expires in 24 days')).toBeVisible()
      await expect(page.getByRole('link', { name: 'Licence: 24 days left' })).toBeVisible()
      await expectAccessible(page, 'licence page at 24 days')
      // Twice as long as other notices show.
      await page.waitForTimeout(12_000)
      await expect(warning).toBeVisible()
      await warning.getByRole('button', { name: 'Close' }).click()
      await expect(warning).toBeHidden()
    })

    test('[USER-04] an ended licence shows 温馨提示 once; nothing new can be created, and a renewal ends it', async ({
      page,
    }) => {
      const licence = await opened(page)
      await page.goto('/healthz') // the open page would ask, and show the notice, before the next one does
      await stored({ terms: termsFor(licence, { id: 'L-OVER', not_before: 0, not_after: Date.now() - 16 * DAY }) })
      await page.goto('/home')
      const reminder = page.getByRole('alert').filter({ hasText: '温馨提示' })
      await expect(reminder).toContainText('平台授权已到期，不能新建应用与任务，接收与查看照常')
      expect(await page.evaluate(() => localStorage.getItem('isAuthMsgShow'))).toBe('false')
      const again = page.waitForResponse((answer) => answer.url().endsWith('/license-remind'))
      await page.goto(PAGE)
      await again
      await expect(page.getByText('授权已失效')).toBeVisible()
      await expect(reminder).toBeHidden()
      const main = page.getByRole('main')
      await expect(main.getByText('授权无效', { exact: true })).toBeVisible()
      await expectAccessible(page, 'licence page with an expired licence')
      await main.getByLabel('粘贴授权码').fill(signedLicence(termsFor(licence, { id: 'L-NEW' })))
      await main.getByRole('button', { name: '提交授权' }).click()
      await expect(notice(page, '授权已生效')).toBeVisible()
      await expect(page.getByText('授权已失效')).toBeHidden()
      expect(await page.evaluate(() => localStorage.getItem('isAuthMsgShow'))).toBeNull()
    })
  })
