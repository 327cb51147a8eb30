import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import { PAGE_NAMES, PAGES, type PageName } from '#contracts/pages.ts'
import { faultsOf, type Look, openLook, settled, signInto } from './looks.ts'

/** Pages that lead elsewhere by themselves. */
const PASSING = ['auth_redirect', 'redirect'] as const satisfies readonly PageName[]
/** Where the first object of a detail page is linked, for those whose list is not their address without the id. */
const LISTS: Partial<Record<PageName, string>> = {
  device_activity: '/statistics/user_more',
  suspicious_device: '/mssa/attack_spoor',
  abnormal_return: '/mssa/abnormal',
  detection_task: '/detection/tasks',
}

/**
 * A picture of every page of the page table in each look, in `out`/LOOK/PAGE.png. Returns what is wrong with them, and detail pages that
 * no list led to, one line each.
 */
export async function takeEveryPage(
  browser: Browser,
  url: string,
  account: { username: string; password: string },
  { out, looks, only }: { out: string; looks: readonly Look[]; only: (name: PageName) => boolean },
): Promise<string[]> {
  const faults = new Set<string>()
  for (const look of looks) {
    const folder = join(out, look[4])
    mkdirSync(folder, { recursive: true })
    const page = await openLook(browser, look)
    let name: PageName = 'login'
    page.on('pageerror', (error) => faults.add(`${name} ${look[4]}: uncaught ${error.message}`))
    page.on('console', (message) => {
      if (message.type() === 'error') faults.add(`${name} ${look[4]}: console: ${message.text()}`)
    })
    const take = async (path: string) => {
      await page.goto(url + path)
      await settled(page)
      for (const fault of await faultsOf(page)) faults.add(`${name} ${look[4]}: ${fault}`)
      await page.screenshot({ path: join(folder, `${name}.png`), timeout: 120_000 })
    }
    if (only('login')) await take(PAGES.login.path)
    await signInto(page, url, account)
    for (name of PAGE_NAMES) {
      if (name === 'login' || PASSING.some((one) => one === name) || !only(name)) continue
      const { path } = PAGES[name]
      if (!path.includes(':id')) {
        await take(path)
        continue
      }
      const before = path.slice(0, path.indexOf(':id'))
      await page.goto(url + (LISTS[name] ?? before.replace(/\/$/, '')))
      await settled(page)
      const link = page.locator(`a[href^="${before}"]`).first()
      const target = (await link.count()) > 0 ? await link.getAttribute('href') : null
      if (target) await take(target)
      else faults.add(`${name}: no list leads to one`)
    }
    await page.context().close()
  }
  return [...faults]
}
