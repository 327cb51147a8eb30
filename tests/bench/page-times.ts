import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Page } from 'playwright'
import { PAGES } from '#contracts/pages.ts'
import { type BenchLine, line, percentile } from './bench-line.ts'
import { type DemoBrowser, startDemoBrowser } from './demo-browser.ts'
import { loadRows } from './store-bed.ts'
import { makePopulation } from './store-population.ts'

/** Pages that show what is stored, as the menu opens them. */
const OPENED = [
  'home',
  'observatory',
  'realtime',
  'alerts',
  'global_view',
  'user_analysis',
  'app_analysis',
  'attack_analysis',
  'attacked_users',
  'abnormal_devices',
  'abnormal_periods',
  'active_devices',
  'crash',
  'anr',
  'exception',
  'investigation',
  'abnormal_returns',
  'web_defense',
  'assets',
  'policies',
] as const satisfies readonly (keyof typeof PAGES)[]
const QUIET_MS = 400
const PATIENCE_MS = 30_000
/** First figures and settled, medians over the pages, and the 95th percentile of settled, ms. */
const LIMITS = { importing: [1500, 4000, 6000], idle: [700, 1500, 6000] } as const
/** In a tab that never had the page, which has to wait for the store; and again, when the last answers show first. */
const OPENINGS = ['first time', 'again'] as const

type Times = {
  name: string
  opening: (typeof OPENINGS)[number]
  first: number
  settled: number
  requests: number
  aborted: number
}

/**
 * `npm run bench -- page-times`: every page of the menu that shows stored events, in Chromium with `rows` events stored, while the demo
 * imports its history and again when nothing is imported: when its first figures stand, and when nothing is loading any more; each page
 * in a new tab and once more in that tab. Counts requests that a page gave up and sent again. BENCH_STORE keeps the loaded store.
 */
export async function run({ rows }: { rows: number }): Promise<BenchLine[]> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'appwarden-bench-'))
  let demo: DemoBrowser | undefined
  try {
    // The demo writes into its store: what is kept stays as it was loaded.
    const events = join(dataFolder, 'events')
    const kept = process.env['BENCH_STORE']
    const lines = await loadRows(kept ?? events, makePopulation(1), rows)
    if (kept) await cp(kept, events, { recursive: true })
    demo = await startDemoBrowser({ dataFolder })
    for (const [state, [first, settled, slowest]] of Object.entries(LIMITS)) {
      // Stopped phones and import leave the product alone with its rows.
      const fleet = demo.server.processes().get('fleet')
      if (fleet === undefined) throw new Error('the demo has no fleet: nothing is imported')
      const times: Times[] = []
      if (state === 'idle') process.kill(fleet, 'SIGSTOP')
      try {
        for (const name of OPENED) {
          const tab = await demo.page.context().newPage()
          for (const opening of OPENINGS) times.push({ ...(await open(tab, name)), opening })
          await tab.close()
        }
      } finally {
        if (state === 'idle') process.kill(fleet, 'SIGCONT')
      }
      for (const opening of OPENINGS) {
        const opened = times.filter((one) => one.opening === opening)
        const add = (what: string, pick: (one: Times) => number, share: number, limit: number) => {
          const value = percentile(opened.map(pick), share)
          const label = `${what}, ${state}, ${opening}`
          lines.push(line(label, value, 'ms', null, null, `value < ${limit}`, value < limit))
        }
        for (const one of opened) {
          const label = `${one.name}, ${state}, ${opening}`
          console.error(`${label}: ${Math.round(one.first)} / ${Math.round(one.settled)} ms`)
          lines.push(line(`  ${label}: settled`, one.settled, 'ms', null, null, '', true))
        }
        add('first figures, median', (one) => one.first, 0.5, first)
        add('settled, median', (one) => one.settled, 0.5, settled)
        add('settled, 95th percentile', (one) => one.settled, 0.95, slowest)
      }
      const repeated = times.reduce((sum, one) => sum + one.aborted, 0)
      lines.push(line(`requests given up by a page, ${state}`, repeated, '', null, null, 'value = 0', repeated === 0))
    }
    return lines
  } finally {
    await demo?.close()
    await rm(dataFolder, { recursive: true, force: true })
  }
}

/** Opens a page as an address; waits for figures where placeholders were, then until neither a request nor a placeholder is left. */
async function open(page: Page, name: (typeof OPENED)[number]): Promise<Omit<Times, 'opening'>> {
  const pending = new Set<object>()
  let [requests, aborted, changedAt] = [0, 0, performance.now()]
  const isData = (url: string) => new URL(url).pathname.startsWith('/api/')
  const begin = (request: { url(): string }) => {
    if (!isData(request.url())) return
    pending.add(request)
    requests++
    changedAt = performance.now()
  }
  const end = (request: { url(): string }) => {
    if (pending.delete(request)) changedAt = performance.now()
  }
  const failed = (request: { url(): string; failure(): { errorText: string } | null }) => {
    if (pending.has(request) && request.failure()?.errorText === 'net::ERR_ABORTED') aborted++
    end(request)
  }
  await page.goto('about:blank')
  page.on('request', begin).on('requestfinished', end).on('requestfailed', failed)
  const started = performance.now()
  try {
    await page.goto(PAGES[name].path, { waitUntil: 'commit' })
    let first: number | undefined
    for (;;) {
      const { figures, waits, error } = await page.evaluate(() => {
        const content = document.querySelector('#content, .wall')
        return {
          figures:
            content?.querySelector('[data-value], tbody td, .wall-number:not([data-awaited]), [data-testid$=total]') !==
              null && content !== null,
          waits: content === null || content.querySelector('.late, .wall-number[data-awaited]') !== null,
          error: document.querySelector('#content [role=alert]')?.textContent,
        }
      })
      if (error) throw new Error(`${name} shows an error: ${error}`)
      const now = performance.now()
      if (figures) first ??= now - started
      if (waits) changedAt = now
      const isQuiet = pending.size === 0 && now - changedAt > QUIET_MS
      // A page that never settles counts with all the time it was given.
      if (isQuiet || now - started > PATIENCE_MS)
        return {
          name,
          // A page with an empty state has no figures to wait for.
          first: first ?? (isQuiet ? changedAt : now) - started,
          settled: (isQuiet ? changedAt : now) - started,
          requests,
          aborted,
        }
      await page.waitForTimeout(50)
    }
  } finally {
    page.off('request', begin).off('requestfinished', end).off('requestfailed', failed)
  }
}
