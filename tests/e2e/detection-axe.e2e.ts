import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { fileDetail } from '#contracts/http/assets.ts'
import { expect, expectAccessible, signIn, test, travel } from './support/console.ts'
import { LOOKS } from './support/looks.ts'
import { packagesOf } from './support/packages.ts'

/** A real package, so that each part of a report has rows. */
const PACKAGE = readFileSync('node_modules/io.appium.settings/apks/settings_apk-debug.apk')
const KINDS = ['vulnerability', 'static', 'compliance', 'sdk', 'privacy', 'content'] as const
const PARTS = [
  'privacy',
  'permissions',
  'sdks',
  'vulnerabilities',
  'components',
  'domains',
  'content',
  'certificates',
  'basic',
  'coverage',
]

let paths: readonly string[] = []
test.beforeAll(async () => {
  const { api, upload, detected } = packagesOf('admin', ['all'])
  const file = await upload('settings.apk', commented(PACKAGE), { create: 'application', type: 'news' })
  const task = await detected({ files: [file], kinds: [...KINDS] })
  const { appid } = (await api(fileDetail, { query: { id: file } })).data
  const report = `/detection/tasks/${task}/`
  paths = [
    '/assets/apps',
    `/assets/apps/${file}/`,
    `/detection/new?files=${file}`,
    '/detection/strategies?from=full',
    '/detection/strategies?tab=rules&rule=new',
    report,
    `${report}?score=1`,
    ...PARTS.map((part) => `${report}?tab=${part}`),
    `/detection/privacy/${task}/`,
    '/detection/vulnerabilities?open=android-exported-service',
    '/detection/suppressions',
    `/detection/self_check?app=${appid}`,
    '/detection/sensitive_words?view=test',
    '/knowledge/vulnerabilities',
    '/platform/settings?tab=reports',
  ]
})

for (const { language, theme } of LOOKS)
  test(`[DET-08] axe finds nothing serious in assets and detection, ${theme} ${language}`, async ({ page }) => {
    test.setTimeout(240_000)
    await signIn(page, 'admin', { language, theme, at: paths[0] as string })
    for (const path of paths) {
      await travel(page, path)
      await arrived(page)
      await expectAccessible(page, path)
    }
  })

/** The page is there with what it shows. */
async function arrived(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }).or(page.getByRole('dialog')).first()).toBeVisible()
  await expect(page.locator(':is(main, [role=dialog]) :is([aria-busy=true], .late)')).toHaveCount(0)
}

/** The same archive with a comment of now: each try has a file of its own. */
function commented(zip: Buffer): Buffer {
  const comment = Buffer.from(String(Date.now()))
  const all = Buffer.concat([zip, comment])
  all.writeUInt16LE(comment.length, zip.length - 2)
  return all
}
