import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'

// A server has one session an account: each worker has its own server, which no other worker changes (support/global-setup.ts).
const own = process.env['TEST_PARALLEL_INDEX']
const servers = process.env['E2E_SERVERS']
if (own && servers) {
  const { url, dataFolder, adb, markets } =
    (JSON.parse(servers) as { url: string; dataFolder: string; adb: number; markets: number[] }[])[Number(own)] ?? {}
  Object.assign(process.env, {
    E2E_URL: url,
    E2E_DATA: dataFolder,
    E2E_ADB: String(adb),
    E2E_MARKETS: markets?.join(),
  })
}
const given = !own && process.env['E2E_DATA'] !== undefined

/** The built product in a real browser: a file at a time on each server, its tests one after another. */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.e2e.ts',
  // What a sample leaves out (scripts/test.mjs).
  testIgnore: (process.env['TEST_LEFT_OUT'] ?? '')
    .split(',')
    .filter(Boolean)
    .map((file) => `**/${file}`),
  outputDir: '../../reports/e2e',
  globalSetup: './support/global-setup.ts',
  workers: given ? 1 : Math.min(2, availableParallelism()),
  fullyParallel: false,
  timeout: 120_000,
  // A shared machine may starve a browser for seconds: once more before it counts. What needed it is named as flaky.
  retries: 2,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    // An impossible click fails while the test still has time.
    actionTimeout: 45_000,
    navigationTimeout: 60_000,
    viewport: { width: 1440, height: 900 },
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    permissions: ['clipboard-read', 'clipboard-write'],
    // A record of every step and picture costs as much as the test itself: the second try has one.
    trace: 'on-first-retry',
    // What moves is the subject of some files, which ask for it.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      // Maps get SwiftShader, but pages are not painted through it: that doubles what a test costs.
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu-rasterization', '--enable-unsafe-swiftshader'],
    },
  },
})
