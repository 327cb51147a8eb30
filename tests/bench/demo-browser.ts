import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright'
import { type RunningServer, startServer, waitFor } from '../support/running-server.ts'

export type DemoBrowser = { server: RunningServer; page: Page; close(): Promise<void> }

/** A demo with Chromium beside it, signed in as its administrator, in Chinese at 1920x1080. `env` and `dataFolder` go to the server. */
export async function startDemoBrowser(options: Parameters<typeof startServer>[0] = {}): Promise<DemoBrowser> {
  const server = await startServer({ ...options, env: { APPWARDEN_DEMO: '1', ...options?.env } })
  let browser: Browser | undefined
  try {
    const accounts = () =>
      JSON.parse(readFileSync(join(server.dataFolder, 'demo-accounts.json'), 'utf8')) as {
        administrator: { username: string; password: string }
      }
    await waitFor(
      () => {
        try {
          readFileSync(join(server.dataFolder, 'demo-state.json'))
          return accounts() !== undefined
        } catch {
          return false
        }
      },
      120_000,
      'the demo',
    )
    browser = await chromium.launch({
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
    })
    const context = await browser.newContext({
      viewport: { width: 1920, height: 1080 },
      locale: 'zh-CN',
      timezoneId: 'Asia/Shanghai',
      baseURL: server.url,
    })
    const page = await context.newPage()
    await page.goto('/login')
    const { username, password } = accounts().administrator
    await page.locator('input[type=email]').fill(username)
    await page.locator('input[autocomplete=current-password]').fill(password)
    await page.locator('input[autocomplete=off]').fill('12345')
    await page.locator('button[type=submit]').click()
    await page.locator('#content').waitFor()
    const opened = browser
    return {
      server,
      page,
      async close() {
        await opened.close()
        await server.stop()
      },
    }
  } catch (error) {
    await browser?.close()
    await server.stop()
    throw error
  }
}
