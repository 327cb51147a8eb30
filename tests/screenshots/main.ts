import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { startAdbServer } from '#mocks/phone/adb-server.ts'
import { startServer, waitFor } from '../support/running-server.ts'
import { makeDetections, phoneForPictures } from './detection-data.ts'
import { isInDocs, type Look, takeDetectionPictures } from './detection-pictures.ts'

/**
 * `npm run screenshots`: starts the demo in a folder of its own, waits until a day of history is there, and takes the pictures of
 * README and docs/screens from the running product. `DEMO_URL=… DEMO_DATA=…` uses a demo that runs already. Pictures of assets and
 * detection come from a server of their own; `SCREENSHOTS_DETECTION=1` takes those alone and all of them, `docs`
 * those alone that docs/screens holds, any other value those whose name it matches (in SCREENSHOTS_LOOKS).
 */
const OUT = process.env['SCREENSHOTS_OUT'] ?? 'docs/screens'
const BROWSER = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const ARGS = ['--no-sandbox', '--disable-dev-shm-usage', '--use-angle=swiftshader', '--enable-unsafe-swiftshader']
/** Pages of the statistics workspace and the hunt, by the name of their picture. */
const HUNT = {
  'app-analysis': '/statistics/app_analyzer',
  'attack-analysis': '/statistics/attack_analyzer',
  'risk-triggers': '/statistics/analyzer_attack',
  'abnormal-triggers': '/statistics/app_abnormal',
  starts: '/statistics/app_start',
  'abnormal-devices': '/statistics/user_more',
  'abnormal-periods': '/statistics/user_moredata',
  global: '/global',
  alerts: '/awareness/alerts',
  crashes: '/exceptions/crash',
  anrs: '/exceptions/anr',
  exceptions: '/exceptions/exception',
  'exception-devices': '/exceptions/device',
  'attack-trace-start': '/mssa/attack_spoor',
  'abnormal-return': '/mssa/abnormal',
  'web-defense': '/mssa/web',
  policies: '/config/policies',
  construction: '/construction/index',
  sdk: '/protect/sdk',
  guide: '/protect/guide',
}
/** Detail pages: where a link to one is found, what the link contains, and the pages of the object. */
const BEHIND_LISTS = [
  {
    list: '/statistics/user_more',
    link: '/statistics/user_check/',
    pages: {
      device: (id: string) => `/statistics/user_check/${id}/`,
      'suspicious-device': (id: string) => `/mssa/dub-card/${id}/`,
      'attack-trace': (id: string) => `/mssa/attack_spoor?subject=device:${id}`,
    },
  },
  {
    list: '/exceptions/crash',
    link: '/exceptions/crash/',
    pages: { crash: (id: string) => `/exceptions/crash/${id}/` },
  },
]
const WARM_MS = Number(process.env['SCREENSHOTS_WARM_SECONDS'] ?? 150) * 1000

const LOOKS: readonly Look[] = [
  ['light', 'zh', 1440, 900, 'zh-light'],
  ['dark', 'zh', 1440, 900, 'zh-dark'],
  ['light', 'en', 1366, 768, 'en-light'],
  ['dark', 'en', 1366, 768, 'en-dark'],
  ['light', 'zh', 390, 844, 'phone'],
]

mkdirSync(OUT, { recursive: true })
const browser = await chromium.launch({ executablePath: BROWSER, args: ARGS })
const detection = process.env['SCREENSHOTS_DETECTION']
await takeDetections()
if (detection) {
  await browser.close()
  process.exit(0)
}
const own = process.env['DEMO_URL'] ? undefined : await startServer({ env: { APPWARDEN_DEMO: '1' } })
const url = process.env['DEMO_URL'] ?? (own?.url as string)
const data = process.env['DEMO_DATA'] ?? (own?.dataFolder as string)
try {
  let state: { displayToken?: string } = {}
  await waitFor(
    () => {
      try {
        state = JSON.parse(readFileSync(join(data, 'demo-state.json'), 'utf8'))
      } catch {
        return false
      }
      return Boolean(state.displayToken)
    },
    60_000,
    'the demo',
  )
  if (own) await new Promise((wake) => setTimeout(wake, WARM_MS))

  const wall = `${url}/maps?wall=1#token=${state.displayToken}`
  for (const [name, width, height, language] of [
    ['wall-1920x1080', 1920, 1080, 'zh'],
    ['wall-1920x1080-en', 1920, 1080, 'en'],
    ['wall-3840x1080', 3840, 1080, 'zh'],
    ['wall-1080x1920', 1080, 1920, 'zh'],
  ] as const) {
    const context = await browser.newContext({
      viewport: { width, height },
      locale: language === 'zh' ? 'zh-CN' : 'en-US',
    })
    await context.addInitScript((value) => localStorage.setItem('language', value), language)
    const page = await context.newPage()
    await page.goto(wall)
    await page.waitForTimeout(20_000)
    await page.screenshot({ path: join(OUT, `${name}.png`), timeout: 120_000 })
    await context.close()
  }

  const accounts = JSON.parse(readFileSync(join(data, 'demo-accounts.json'), 'utf8')) as {
    analyst: { username: string; password: string }
  }
  for (const [theme, language, width, height, suffix] of LOOKS) {
    const context = await browser.newContext({ viewport: { width, height } })
    await context.addInitScript(
      ([oneTheme, oneLanguage]) => {
        localStorage.setItem('theme', `${oneTheme} #409EFF`)
        localStorage.setItem('language', oneLanguage as string)
      },
      [theme, language],
    )
    const page = await context.newPage()
    await page.goto(`${url}/login`)
    await page.waitForTimeout(1500)
    await page.screenshot({ path: join(OUT, `login-${suffix}.png`) })
    await page.locator('input[type=email]').fill(accounts.analyst.username)
    await page.locator('input[autocomplete=current-password]').fill(accounts.analyst.password)
    await page.locator('input[autocomplete=off]').fill('12345')
    await page.locator('button[type=submit]').click()
    await page.waitForURL((address) => !address.pathname.startsWith('/login'), { timeout: 15_000 })
    const pages: Record<string, string> = {
      home: '/home',
      'user-analysis': '/statistics/user_analyzer',
      realtime: '/realtime',
      maps: '/maps',
      ...(suffix === 'zh-light' || suffix === 'en-dark' ? HUNT : {}),
    }
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(url + path)
      await page.waitForTimeout(6000)
      await page.screenshot({ path: join(OUT, `${name}-${suffix}.png`), timeout: 120_000 })
    }
    if (suffix === 'zh-light' || suffix === 'en-dark')
      for (const { list, link, pages } of BEHIND_LISTS) {
        await page.goto(url + list)
        const first = page.locator(`a[href*="${link}"]`).first()
        const target = await first.getAttribute('href', { timeout: 20_000 }).catch(() => null)
        const id = target && /\/([0-9a-f]{16,32})\//.exec(target)?.[1]
        if (!id) {
          console.error(`no picture behind ${list}: it leads to nothing yet`)
          continue
        }
        for (const [name, path] of Object.entries(pages)) {
          await page.goto(url + path(id))
          await page.waitForTimeout(8000)
          await page.screenshot({ path: join(OUT, `${name}-${suffix}.png`), timeout: 120_000 })
        }
      }
    await context.close()
  }
} finally {
  await browser.close()
  await own?.stop()
}
process.exit(0)

async function takeDetections(): Promise<void> {
  const phone = await startAdbServer([phoneForPictures()])
  const server = await startServer({ env: { ADB_SERVER_SOCKET: `tcp:127.0.0.1:${phone.port}` } })
  const chosen = !detection || detection === 'docs'
  const asked = new RegExp(detection === '1' ? '' : (detection ?? ''))
  const wanted = process.env['SCREENSHOTS_LOOKS']?.split(',') ?? ['zh-light', 'en-dark', 'phone']
  try {
    await takeDetectionPictures(browser, server, await makeDetections(server), {
      out: OUT,
      looks: [...LOOKS, ['dark', 'en', 390, 844, 'phone-en'] as const].filter(([, , , , look]) =>
        wanted.includes(look),
      ),
      only: (name, look) => (chosen ? isInDocs(name, look) : asked.test(name)),
    })
  } finally {
    await server.stop()
    await phone.close()
  }
}
