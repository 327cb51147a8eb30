import { defineConfig } from '@playwright/test'

/** The built product in a real browser: one server for the whole run (support/global-setup.ts), one test at a time. */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.e2e.ts',
  outputDir: '../../reports/e2e',
  globalSetup: './support/global-setup.ts',
  workers: 1,
  fullyParallel: false,
  timeout: 90_000,
  // A shared machine may starve a browser for seconds: once more before it counts. What needed it is named as flaky.
  retries: 2,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    permissions: ['clipboard-read', 'clipboard-write'],
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
    },
  },
})
