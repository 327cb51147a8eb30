import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { ADMIN, type RunningServer } from '../support/running-server.ts'
import type { DetectionBed } from './detection-data.ts'
import { faultsOf, type Look, openLook, settled, signInto } from './looks.ts'

/** A page or a state of one: what its address says, and what is done there before the picture. */
type View = { path: string; act?: (page: Page) => Promise<unknown>; hurries?: true }

const TABS = ['privacy', 'permissions', 'sdks', 'components', 'domains', 'content', 'certificates', 'basic', 'coverage']
const DISGUISED = '每日一期：北京赛车pk10，网 賭 平臺，ｂａｃｃａｒａｔ，加微信领取博*彩红包。'
const PACKAGE = 'node_modules/io.appium.settings/apks/settings_apk-debug.apk'

function viewsOf(bed: DetectionBed): Record<string, View> {
  const report = `/detection/tasks/${bed.report}/`
  return {
    'detection-home': {
      path: '/home',
      act: (page) => page.getByRole('main').evaluate((main) => main.scrollTo(0, 9999)),
    },
    assets: { path: '/assets/apps' },
    'assets-upload': {
      path: '/assets/apps',
      act: async (page) => {
        await page.keyboard.press('n')
        await page.getByRole('dialog').locator('input[type=file]').setInputFiles([PACKAGE, 'package.json'])
      },
    },
    'assets-file': { path: `/assets/apps/${bed.file}/` },
    'assets-file-partial': { path: `/assets/apps/${bed.partial}/` },
    'assets-file-ios': { path: `/assets/apps/${bed.ios}/` },
    'detection-report-partial': { path: `/detection/tasks/${bed.partialReport}/?tab=certificates` },
    'detection-new': { path: `/detection/new?files=${bed.file}` },
    'detection-strategies': { path: '/detection/strategies' },
    'detection-strategy': { path: '/detection/strategies?from=full' },
    'detection-rules': { path: '/detection/strategies?tab=rules' },
    'detection-rule-bench': { path: '/detection/strategies?tab=rules&rule=new' },
    'detection-offers': { path: '/detection/strategies?tab=offers' },
    'detection-suppressions': { path: '/detection/suppressions' },
    'settings-reports': { path: '/platform/settings?tab=reports' },
    'detection-tasks': { path: '/detection/tasks' },
    'detection-stopped': { path: `/detection/tasks/${bed.stopped}/` },
    'detection-failed': { path: `/detection/tasks/${bed.failed}/` },
    'detection-report': { path: report },
    'detection-dynamic': { path: `/detection/tasks/${bed.dynamic}/?tab=dynamic` },
    'detection-report-compared': { path: `/detection/tasks/${bed.after}/` },
    ...Object.fromEntries(TABS.map((tab) => [`detection-report-${tab}`, { path: `${report}?tab=${tab}` }])),
    'detection-item': { path: `${report}?item=android-exported-service` },
    'detection-what-if': { path: `${report}?score=1` },
    'detection-suppress': {
      path: `${report}?item=android-debuggable`,
      act: (page) =>
        page
          .getByRole('article')
          .getByRole('button', { name: /^(忽略|Suppress|Ignore)/ })
          .first()
          .click(),
    },
    'detection-compare': { path: `/detection/compare?before=${bed.before}&after=${bed.after}` },
    'detection-privacy': { path: '/detection/privacy' },
    'detection-privacy-detail': { path: `/detection/privacy/${bed.report}/` },
    'detection-vulnerabilities': { path: '/detection/vulnerabilities' },
    'detection-affected': { path: '/detection/vulnerabilities?open=android-debuggable' },
    'detection-self-check': { path: '/detection/self_check' },
    'detection-self-check-application': { path: `/detection/self_check?app=${bed.appid}` },
    'detection-policy': {
      path: `/detection/self_check?app=${bed.appid}`,
      act: (page) => page.getByTestId('policy').getByRole('button').first().click(),
    },
    'detection-words': { path: '/detection/sensitive_words' },
    'detection-words-test': {
      path: '/detection/sensitive_words?view=test',
      act: async (page) => {
        await page.getByRole('textbox').last().fill(DISGUISED)
        await page.getByRole('main').locator('button[type=submit]').last().click()
      },
    },
    'vulnerability-library': { path: '/knowledge/vulnerabilities' },
    'vulnerability-entry': { path: '/knowledge/vulnerabilities?open=CVE-2025-31200' },
    'application-of-apk': {
      path: '/home',
      act: async (page) => {
        await page.getByRole('button', { name: /^(切换应用|Choose the application)/ }).click()
        await page
          .getByRole('dialog')
          .getByRole('button', { name: /^(新建应用|Add application)/ })
          .first()
          .click()
        await page
          .getByText(/上传 apk|Upload (an )?apk/i)
          .first()
          .click()
      },
    },
  }
}

/** Pictures of assets and detection, in `out`/LOOK/NAME.png. `only` says which. Returns what is wrong with them, one line each. */
export async function takeDetectionPictures(
  browser: Browser,
  server: Pick<RunningServer, 'url'>,
  bed: DetectionBed,
  { out, only, looks }: { out: string; only: (name: string, look: string) => boolean; looks: readonly Look[] },
): Promise<string[]> {
  const faults: string[] = []
  const views = { ...viewsOf(bed), 'detection-progress': undefined }
  for (const look of looks) {
    const suffix = look[4]
    const wanted = Object.entries(views).filter(([name]) => only(name, suffix))
    if (wanted.length === 0) continue
    mkdirSync(join(out, suffix), { recursive: true })
    const page = await openLook(browser, look)
    await signInto(page, server.url, ADMIN)
    for (const [name, view] of wanted) {
      const { path, act, hurries }: View = view ?? { path: `/detection/tasks/${await bed.running()}/`, hurries: true }
      const report = (fault: unknown) => faults.push(`${name} ${suffix}: ${fault}`)
      page.on('pageerror', report)
      await page.goto(server.url + path)
      await settled(page)
      // A detection that is watched has begun, and is not over.
      if (hurries) await page.waitForTimeout(1500)
      await act?.(page).catch(report)
      await page.waitForTimeout(act ? 700 : 0)
      for (const fault of await faultsOf(page)) report(fault)
      await page.screenshot({ path: join(out, suffix, `${name}.png`), timeout: 60_000 })
      page.off('pageerror', report)
    }
    await page.context().close()
  }
  return faults
}
