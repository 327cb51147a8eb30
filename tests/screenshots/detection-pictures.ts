import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { ADMIN, type RunningServer } from '../support/running-server.ts'
import type { DetectionBed } from './detection-data.ts'

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

/** What docs/screens holds of them, by look: the rest is for reviewing a change. */
const SHOWN = [
  'assets',
  'detection-new',
  'detection-progress',
  'detection-report-compared',
  'detection-compare',
  'detection-suppressions',
  'detection-offers',
]
const SHOWN_ONCE = [
  'assets-upload',
  'assets-file',
  'assets-file-ios',
  'assets-file-partial',
  'detection-report-privacy',
  'detection-vulnerabilities',
  'vulnerability-entry',
  'application-of-apk',
  'detection-tasks',
  'detection-failed',
  'detection-strategy',
  'detection-rule-bench',
  'detection-self-check-application',
  'detection-words-test',
  'settings-reports',
  'detection-dynamic',
  'detection-policy',
  'detection-privacy',
  'detection-privacy-detail',
  'detection-report-permissions',
  'detection-self-check',
  'detection-strategies',
  'detection-words',
  'vulnerability-library',
]
const IN_DOCS: Readonly<Record<string, readonly string[]>> = {
  'zh-light': [...SHOWN, ...SHOWN_ONCE],
  'en-dark': SHOWN,
  phone: ['assets', 'detection-tasks', 'detection-report', 'detection-item', 'detection-suppressions'],
}
export const isInDocs = (name: string, look: string): boolean => IN_DOCS[look]?.includes(name) ?? false

/** Pictures of assets and detection in each look. `only` says which. */
export async function takeDetectionPictures(
  browser: Browser,
  server: Pick<RunningServer, 'url'>,
  bed: DetectionBed,
  { out, only, looks }: { out: string; only: (name: string, look: string) => boolean; looks: readonly Look[] },
): Promise<void> {
  for (const [theme, language, width, height, suffix] of looks) {
    const context = await browser.newContext({
      viewport: { width, height },
      locale: language === 'zh' ? 'zh-CN' : 'en-US',
    })
    await context.addInitScript(
      (saved) => {
        localStorage.setItem('theme', `${saved.theme} #409EFF`)
        localStorage.setItem('language', saved.language)
      },
      { theme, language },
    )
    const page = await context.newPage()
    page.on('pageerror', (error) => console.error(`${page.url()}: ${error.message}`))
    await page.goto(`${server.url}/login`)
    await page.locator('input[type=email]').fill(ADMIN.username)
    await page.locator('input[autocomplete=current-password]').fill(ADMIN.password)
    await page.locator('input[autocomplete=off]').fill('12345')
    await page.locator('button[type=submit]').click()
    await page.waitForURL((address) => !address.pathname.startsWith('/login'), { timeout: 15_000 })
    const take = async (name: string, { path, act, hurries }: View) => {
      await page.goto(server.url + path)
      if (!hurries) await page.waitForLoadState('networkidle').catch(() => undefined)
      await page
        .waitForFunction(
          () => !document.querySelector('main .late, [aria-busy=true]') && document.querySelector('main h1'),
          undefined,
          { timeout: 8000 },
        )
        .catch(() => undefined)
      // A detection that is watched has begun, and is not over.
      await page.waitForTimeout(hurries ? 2000 : 300)
      await act?.(page).catch((error: unknown) => console.error(`${name} ${suffix}: ${error}`))
      await page.waitForTimeout(act ? 700 : 0)
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      if (over > 0) console.error(`${name} ${suffix}: ${over} px wider than the screen`)
      await page.screenshot({ path: join(out, `${name}-${suffix}.png`), timeout: 60_000 })
    }
    for (const [name, view] of Object.entries(viewsOf(bed))) if (only(name, suffix)) await take(name, view)
    if (only('detection-progress', suffix))
      await take('detection-progress', { path: `/detection/tasks/${await bed.running()}/`, hurries: true })
    await context.close()
  }
}

export type Look = readonly [theme: string, language: string, width: number, height: number, suffix: string]
