import type { Browser, Page } from 'playwright'

/** A combination of theme, language and window that pictures are taken in; `suffix` ends their names. */
export type Look = readonly [theme: string, language: string, width: number, height: number, suffix: string]

const SIZES = [
  [1920, 1080, ''],
  [1366, 768, '-1366'],
  [390, 844, '-phone'],
] as const

/** Both languages, both themes, three windows. */
export const EVERY_LOOK: readonly Look[] = SIZES.flatMap(([width, height, size]) =>
  ['zh', 'en'].flatMap((language) =>
    ['light', 'dark'].map((theme): Look => [theme, language, width, height, `${language}-${theme}${size}`]),
  ),
)

/** A new page in that look, with nothing of another one. */
export async function openLook(browser: Browser, [theme, language, width, height]: Look): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width, height },
    locale: language === 'zh' ? 'zh-CN' : 'en-US',
    timezoneId: 'Asia/Shanghai',
  })
  await context.addInitScript(
    ([oneTheme, oneLanguage]) => {
      if (origin === 'null') return
      localStorage.setItem('theme', `${oneTheme} #409EFF`)
      localStorage.setItem('language', oneLanguage as string)
    },
    [theme, language],
  )
  await context.addInitScript(() => {
    const shifts: Shifts = { sum: 0, moved: [] }
    Object.assign(window, { layoutShifts: shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { hadRecentInput, value, sources } = entry as LayoutShift
        if (hadRecentInput) continue
        shifts.sum += value
        for (const { node, previousRect, currentRect } of sources)
          shifts.moved.push(
            `${node?.textContent?.trim().slice(0, 24)} ${Math.round(previousRect.y)}+${Math.round(previousRect.height)} -> ${Math.round(currentRect.y)}+${Math.round(currentRect.height)}`,
          )
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return context.newPage()
}

/** Signs in with the form. Throws where the page stays at login. */
export async function signInto(
  page: Page,
  url: string,
  { username, password }: { username: string; password: string },
): Promise<void> {
  await page.goto(`${url}/login`)
  await page.locator('input[type=email]').fill(username)
  await page.locator('input[autocomplete=current-password]').fill(password)
  await page.locator('input[autocomplete=off]').fill('12345')
  await page.locator('button[type=submit]').click()
  await page.waitForURL((address) => !address.pathname.startsWith('/login'), { timeout: 60_000 })
}

/** Waits until nothing of the page is loading any more, at most `ms`. */
export async function settled(page: Page, ms = 20_000): Promise<void> {
  await page
    .waitForFunction(
      () =>
        document.querySelector('main h1, .wall, form') !== null &&
        document.querySelector('main .late, [aria-busy=true], .wall-number[data-awaited]') === null,
      undefined,
      { timeout: ms },
    )
    .catch(() => undefined)
  await page.waitForTimeout(500)
}

/** Layout shifts of a page so far, and what moved by them: text, then top and height before and after, in pixels. */
interface Shifts {
  sum: number
  moved: string[]
}
/** Layout Instability API, 2.1; TypeScript's library does not have it. */
interface LayoutShift extends PerformanceEntry {
  readonly value: number
  readonly hadRecentInput: boolean
  readonly sources: readonly { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
}

/** What a designer would object to, and a machine can see: wider than the window, shifted by more than 0.05, an error that is shown. */
export async function faultsOf(page: Page): Promise<string[]> {
  const { wider, shift, alert } = await page.evaluate(() => ({
    wider: document.documentElement.scrollWidth - innerWidth,
    shift: (window as unknown as { layoutShifts?: Shifts }).layoutShifts ?? { sum: 0, moved: [] },
    alert: document.querySelector('#content [role=alert]')?.textContent ?? '',
  }))
  return [
    ...(wider > 0 ? [`${wider} px wider than the window`] : []),
    ...(shift.sum >= 0.05 ? [`layout shift ${shift.sum.toFixed(3)}: ${shift.moved.slice(0, 6).join('; ')}`] : []),
    ...(alert ? [`shows an error: ${alert}`] : []),
  ]
}
