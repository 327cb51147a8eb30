import { AxeBuilder } from '@axe-core/playwright'
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { ACCOUNTS, type AccountName } from './accounts.ts'

export { ACCOUNTS, expect }
export const URL_OF_SERVER = process.env['E2E_URL'] ?? ''
export const CODE = '12345'

type Fixtures = {
  /** What went wrong in the page; each test ends with it empty, unless it takes out what it provoked. */
  complaints: string[]
}

/** Every test also shows that nothing leaves the origin, that the content policy holds, and that nothing throws. */
export const test = base.extend<Fixtures>({
  baseURL: URL_OF_SERVER,
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = []
      page.on('request', (request) => {
        const url = new URL(request.url())
        if (!['blob:', 'data:'].includes(url.protocol) && url.origin !== URL_OF_SERVER)
          complaints.push(`foreign request: ${url.href}`)
      })
      page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`))
      page.on('console', (message) => {
        if (message.type() === 'error' && /Content Security Policy|Refused to/.test(message.text()))
          complaints.push(`policy: ${message.text()}`)
      })
      // A refused eval is reported by this event alone.
      await page.addInitScript(() =>
        addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
          console.error(`Content Security Policy: ${effectiveDirective} refuses ${blockedURI}`),
        ),
      )
      await use(complaints)
      expect(complaints).toEqual([])
    },
    { auto: true },
  ],
})

/** `at`: the address that opens first, home by default. A page that is loaded once costs half of one that is loaded after another. */
export type Look = { language?: 'zh' | 'en'; theme?: 'light' | 'dark'; size?: string; at?: string }

/** What the browser remembers before the page first loads; later reloads keep what the test changed. */
export async function prepare(page: Page, { language = 'zh', theme = 'light', size }: Look = {}): Promise<void> {
  await page.addInitScript(
    (saved) => {
      if (origin === 'null') return // a sandboxed answer, such as /healthz, has no storage
      if (sessionStorage.getItem('prepared')) return
      sessionStorage.setItem('prepared', '1')
      localStorage.setItem('language', saved.language)
      localStorage.setItem('theme', `${saved.theme} #409EFF`)
      if (saved.size) localStorage.setItem('size', saved.size)
    },
    { language, theme, size },
  )
}

/** Fills the login form; `code` false leaves the verification code empty. */
export async function fillLogin(page: Page, username: string, password: string, code = CODE): Promise<void> {
  // A code is good for the image that has come: it cannot be typed before it is seen.
  const image = page.getByAltText(/^(验证码图片|Verification image)$/)
  await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.complete && one.naturalWidth > 0)).toBe(true)
  await page.locator('input[type=email]').fill(username)
  await page.locator('input[autocomplete=current-password]').fill(password)
  await page.locator('input[autocomplete=off]').fill(code)
}

export function submitLogin(page: Page): Promise<void> {
  return page.locator('button[type=submit]').click()
}

type State = Awaited<ReturnType<BrowserContext['storageState']>>
/** Sessions of this worker that may still be good, by account. */
const sessions = new Map<AccountName, State>()

/** Signed in and at home, or `at` an address: with the session of an earlier test where it still holds, else through the form. */
export async function signIn(page: Page, account: AccountName = 'admin', look: Look = {}): Promise<void> {
  await prepare(page, look)
  if (await resume(page, account, look.at)) return
  await page.goto('/login')
  await fillLogin(page, ACCOUNTS[account].username, ACCOUNTS[account].password)
  await submitLogin(page)
  await expect(page).not.toHaveURL(/\/login/)
  await expect(page.getByRole('main')).toBeVisible()
  sessions.set(account, await page.context().storageState())
  if (look.at) await page.goto(look.at)
}

async function resume(page: Page, account: AccountName, at = '/home'): Promise<boolean> {
  const state = sessions.get(account)
  if (!state) return false
  await page.context().addCookies(state.cookies.filter((one) => one.name !== 'appid'))
  await page.addInitScript(() => {
    if (origin === 'null') return
    if (!sessionStorage.getItem('resumed')) localStorage.setItem('isLogin', 'true')
    sessionStorage.setItem('resumed', '1')
  })
  await page.goto(at)
  // The login page has a main of its own; the observatory has no shell.
  const shell = page.locator('#content, .wall')
  await expect(shell.or(page.locator('input[autocomplete=current-password]')).first()).toBeVisible()
  if (await shell.isVisible()) return true
  sessions.delete(account)
  await page.context().clearCookies()
  return false
}

/** At the login page, and the browser knows that it is signed out, perhaps a moment later. */
export async function expectSignedOut(page: Page): Promise<void> {
  await expect(page).toHaveURL(/\/login/)
  const flag = () => page.evaluate(() => localStorage.getItem('isLogin'))
  await expect(async () => expect(await flag()).toBeNull()).toPass({ timeout: 30_000 })
}

/** A toast with this text. */
export function notice(page: Page, text: string | RegExp) {
  return page.locator('[aria-live=polite]').getByText(text)
}

/** Goes to a path inside the application, without reloading the page. */
export async function travel(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: null }))
  }, path)
}

/** axe finds nothing serious or critical. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  await settled(page)
  // A document that has axe keeps it; no page of ours has frames of other origins, which alone need another page to be judged in.
  const brought = await page.evaluate(() => 'axe' in window)
  const axe = new AxeBuilder(brought ? { page, axeSource: 'void 0' } : { page }).setLegacyMode()
  const { violations } = await axe.options({ resultTypes: ['violations'] }).analyze()
  const serious = violations
    .filter((one) => one.impact === 'serious' || one.impact === 'critical')
    .map(
      (one) => `${one.id}: ${one.nodes.map((node) => `${node.target.join(' ')} ${node.failureSummary}`).join(' | ')}`,
    )
  expect(serious, what).toEqual([])
}

/**
 * What loads is there and what fades in has faded in: contrast is measured on the settled picture. Nothing has moved for a moment, or for two
 * seconds hardly anything but what lives (a feed, a clock).
 */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const moving = () =>
      document
        .getAnimations()
        .some((one) => one.playState === 'running' && one.effect?.getComputedTiming().endTime !== Infinity)
    let changed = performance.now()
    const observer = new MutationObserver(() => {
      changed = performance.now()
    })
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
    const begin = performance.now()
    for (;;) {
      await new Promise(requestAnimationFrame)
      const now = performance.now()
      if (moving()) changed = now
      if (now - changed > 150 || (now - begin > 2000 && !moving())) break
    }
    observer.disconnect()
  })
}
