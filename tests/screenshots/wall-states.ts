import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import type { RunningServer } from '../support/running-server.ts'
import { faultsOf, type Look, openLook } from './looks.ts'

type State = {
  search: string
  /** Done before the page opens, and undone after the picture. */
  before?: (server: RunningServer) => () => void
  /** Milliseconds until the picture; a wall needs some seconds of events. */
  after?: number
}

/** A process that hangs, as seen by everyone else. */
const hung = (name: string) => (server: RunningServer) => {
  const pid = server.processes().get(name)
  if (pid === undefined) throw new Error(`no ${name}`)
  process.kill(pid, 'SIGSTOP')
  return () => void process.kill(pid, 'SIGCONT')
}

const STATES: Readonly<Record<string, State>> = {
  loading: { search: '', after: 400 },
  china: { search: '' },
  world: { search: 'area=world' },
  globe: { search: 'area=globe' },
  province: { search: 'area=440000' },
  pirated: { search: 'area=pirated' },
  day: { search: 'line=day' },
  'low-power': { search: 'graphics=low' },
  paused: { search: 'mode=paused' },
  'store hangs': { search: '', before: hung('store'), after: 12_000 },
  'relay hangs': { search: '', before: hung('relay'), after: 30_000 },
}

const SHAPES = [
  [1920, 1080, 'wall'],
  [3840, 1080, 'wide'],
  [1080, 1920, 'portrait'],
  [390, 844, 'phone'],
] as const

/** A picture of the wall in each state (1920 x 1080, dark, both languages) and, live, in each shape, in `out`/walls. Returns what is wrong. */
export async function takeWalls(
  browser: Browser,
  server: RunningServer,
  token: string,
  { out, only }: { out: string; only: (name: string) => boolean },
): Promise<string[]> {
  const folder = join(out, 'walls')
  mkdirSync(folder, { recursive: true })
  const faults: string[] = []
  const take = async (name: string, look: Look, { search, before, after = 25_000 }: State) => {
    const undo = before?.(server)
    const page = await openLook(browser, look)
    try {
      page.on('pageerror', (error) => faults.push(`${name}: uncaught ${error.message}`))
      await page.goto(`${server.url}/maps?wall=1${search && `&${search}`}#token=${token}`)
      await page.waitForTimeout(after)
      for (const fault of await faultsOf(page)) faults.push(`${name}: ${fault}`)
      await page.screenshot({ path: join(folder, `${name}.png`), timeout: 120_000 })
    } finally {
      await page.context().close()
      undo?.()
    }
  }
  for (const language of ['zh', 'en'] as const) {
    for (const [name, state] of Object.entries(STATES))
      if (only(name)) await take(`${name.replace(' ', '-')}-${language}`, ['dark', language, 1920, 1080, ''], state)
    for (const [width, height, shape] of SHAPES)
      if (only(shape)) await take(`${shape}-${language}`, ['dark', language, width, height, ''], { search: '' })
  }
  if (only('light')) await take('light-zh', ['light', 'zh', 1920, 1080, ''], { search: '' })
  return faults
}
