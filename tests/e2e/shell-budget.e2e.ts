import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { ACCOUNTS, expect, fillLogin, prepare, submitLogin, test } from './support/console.ts'

/** Kilobytes of scripts, gzipped, that the page has loaded since this was called. */
function watchScripts(page: Page): () => Promise<number> {
  const sizes: Promise<number>[] = []
  page.on('response', (response) => {
    if (/\.js$/.test(new URL(response.url()).pathname))
      sizes.push(response.body().then((body) => gzipSync(body, { level: 9 }).length))
  })
  return async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1000
}

test('budgets: login 200 kB of scripts, the shell after it 320 kB (gzipped)', async ({ page }) => {
  await prepare(page)
  const loaded = watchScripts(page)
  await page.goto('/login')
  await expect(page.locator('form')).toBeVisible()
  await page.waitForLoadState('networkidle')
  const login = await loaded()
  expect(login).toBeLessThan(200)
  // An unempowered account has a home page without data: what loads is the shell.
  await fillLogin(page, ACCOUNTS.unempowered.username, ACCOUNTS.unempowered.password)
  await submitLogin(page)
  await expect(page).toHaveURL(/\/home$/)
  await page.waitForLoadState('networkidle')
  const all = await loaded()
  test
    .info()
    .annotations.push({ type: 'kB', description: `login ${login.toFixed(0)}, with the shell ${all.toFixed(0)}` })
  expect(all - login).toBeLessThan(320)
})
