import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { environment } from '#contracts/http/environment.ts'
import type { Values } from '#domain/environment.ts'
import { openMeta } from './support/accounts.ts'
import { expect, expectAccessible, notice, signIn, test } from './support/console.ts'

const PAGE = '/platform/environment'
const MINUTE = 60_000
const data = process.env['E2E_DATA'] ?? ''
const pictures = process.env['E2E_PICTURES']

/** A day of history as time would have made it, with a peak, a gap and an alert that is over. */
async function makeHistory(): Promise<void> {
  const meta = await openMeta(data)
  try {
    const { node } = await meta.db.selectFrom('environment_nodes').select('node').executeTakeFirstOrThrow()
    const now = Math.floor(Date.now() / MINUTE) * MINUTE
    for (const [step, count] of [
      [60, 1440],
      [900, 2880],
    ] as const)
      for (let index = 1; index < count; index++) {
        const at = Math.floor(now / (step * 1000)) * step * 1000 - index * step * 1000
        if (step === 60 && index > 30 && index < 40) continue
        const wave = Math.sin(index / 9)
        const values: Values = {
          cpu: index > 10 && index < 14 ? 96 : 35 + 8 * wave,
          memory: 66 + 2 * wave,
          disk: 56 - (index * step) / 86_400,
          queue: index > 10 && index < 14 ? 737 : 130 + Math.round(20 * wave),
          lag: 0.9 + 0.2 * wave,
          journal: 1_200_000 + 400_000 * wave,
          connections: 22 + wave,
          clients: 41 + Math.round(3 * wave),
          net_in: 4_100_000 + 900_000 * wave,
          net_out: 1_600_000 + 300_000 * wave,
          size_events: 96_000_000 - index * step * 10,
          size_metadata: 12_000_000,
          size_files: 58_000_000 - index * step,
          size_journal: 1_400_000,
          size_logs: 900_000,
        }
        const stats = JSON.stringify(
          Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [4, (value ?? 0) * 4, value]])),
        )
        await meta.db
          .insertInto('environment_samples')
          .values({ node, step, at, stats })
          .onConflict((conflict) => conflict.columns(['node', 'step', 'at']).doUpdateSet({ stats }))
          .execute()
      }
    await meta.db
      .updateTable('environment_nodes')
      .set({ first_at: now - 30 * 86_400_000 })
      .execute()
    await meta.db
      .insertInto('environment_alerts')
      .values({
        id: 'ended',
        node,
        metric: 'queue',
        opened_at: now - 13 * MINUTE,
        closed_at: now - 8 * MINUTE,
        value: 520,
        peak: 737,
        limit_value: 500,
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  } finally {
    await meta.close()
  }
}

test.describe
  .serial('environment monitoring', () => {
    test('[ENV-01] the page shows this node, its processes and stores, and their figures', async ({ page }) => {
      await signIn(page, 'admin', { at: PAGE })
      const main = page.getByRole('main')
      await expect(main.getByTestId('node')).toContainText(hostname(), { timeout: 30_000 })
      const processes = main.getByTestId('processes')
      for (const name of ['supervisor', 'postgres', 'store', 'collector', 'console', 'relay', 'jobs'])
        await expect(processes.getByRole('row', { name: new RegExp(`^${name}`) })).toBeVisible()
      await expect(main.getByTestId('stores')).toContainText('元数据库')
      await expect(main.getByTestId('figure-memory')).toContainText('%')
      // The second sample knows rates.
      await expect(main.getByTestId('figure-cpu')).toContainText('%', { timeout: 40_000 })
      await expectAccessible(page, 'environment of a new installation')
    })

    test('[ENV-01] history with peaks, gaps and limits; the range is in the address, and one line moves through all charts', async ({
      page,
    }) => {
      await makeHistory()
      await signIn(page, 'admin', { at: PAGE })
      const main = page.getByRole('main')
      const queue = main.getByTestId('chart-queue')
      await expect(queue.getByText('737', { exact: true })).toBeVisible()
      await expect(queue.getByText('告警 500')).toBeVisible()
      await expect(queue.getByText('已恢复')).toBeVisible()
      await expect(main.getByTestId('stores').getByText(/^\+/).first()).toBeVisible()
      await page.getByRole('radio', { name: '24 小时' }).click()
      await expect(page).toHaveURL(/range=24h/)
      await page.keyboard.press('Escape')
      await page.locator('h1').click()
      await page.keyboard.press('3')
      await expect(page).toHaveURL(/range=7d/)
      await page.goBack()
      await expect(page).toHaveURL(/range=24h/)
      await main.getByTestId('chart-cpu').getByRole('group').focus()
      await page.keyboard.press('End')
      await page.keyboard.press('ArrowLeft')
      await expect(main.getByTestId('chart-memory').locator('strong')).toBeVisible()
      await expect(main.getByTestId('chart-cpu').locator('strong')).toBeVisible()
      await expectAccessible(page, 'environment with history')
      const downloading = page.waitForEvent('download')
      await page.getByRole('button', { name: '导出 CSV' }).click()
      const file = await downloading
      expect(file.suggestedFilename()).toBe('environment-24h.csv')
      expect(readFileSync(await file.path(), 'utf8').split('\r\n').length).toBeGreaterThan(1000)
    })

    test('[ENV-01] a limit that is exceeded shows an alert that says what to do, and health names it', async ({
      page,
    }) => {
      await signIn(page, 'admin', { at: PAGE, language: 'en' })
      await page.getByRole('button', { name: 'Thresholds' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Memory (%)').fill('1')
      await dialog.getByLabel('Samples until an alert opens').fill('0')
      await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
      await dialog.getByLabel('Samples until an alert opens').fill('1')
      await expectAccessible(page, 'thresholds of the environment')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expect(notice(page, 'Saved')).toBeVisible()
      const alerts = page.getByTestId('open-alerts')
      await expect(alerts).toContainText('run fewer detections at once, or add memory', { timeout: 40_000 })
      const health = await page.request.get('/healthz')
      expect((await health.json()) as object).toMatchObject({ alerts: expect.arrayContaining(['memory']) })
      await expectAccessible(page, 'environment with an open alert')
    })

    test('[ENV-01] a node that stopped sampling is called so, and who may not maintain sees which permission is missing', async ({
      page,
    }) => {
      await page.route(`**${environment.path}*`, async (route) => {
        const answer = await route.fetch()
        const body = (await answer.json()) as { now: number }
        await route.fulfill({ json: { ...body, now: body.now + 10 * MINUTE } })
      })
      await signIn(page, 'admin', { at: PAGE })
      await expect(page.getByTestId('stale')).toContainText('采样已中断')
      await expectAccessible(page, 'environment that is stale')
    })

    test('[ENV-01] the page holds at every width, in both languages and both faces', async ({ page }) => {
      for (const [width, height] of [
        [1920, 1080],
        [1366, 768],
        [390, 844],
      ] as const)
        for (const look of [
          { language: 'zh', theme: 'dark' },
          { language: 'en', theme: 'light' },
        ] as const) {
          await page.setViewportSize({ width, height })
          await signIn(page, 'admin', { at: PAGE })
          await page.evaluate(({ language, theme }) => {
            localStorage.setItem('language', language)
            localStorage.setItem('theme', `${theme} #409EFF`)
          }, look)
          await page.reload()
          await expect(page.getByTestId('chart-cpu')).toBeVisible()
          await expect(page.getByTestId('processes')).toBeVisible()
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
          expect(overflow).toBeLessThanOrEqual(0)
          if (pictures)
            await page.screenshot({ path: `${pictures}/${look.language}-${look.theme}-${width}.png`, fullPage: true })
        }
    })
  })
