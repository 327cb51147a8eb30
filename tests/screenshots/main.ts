import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { startAdbServer } from '#mocks/phone/adb-server.ts'
import { type RunningServer, startServer, waitFor } from '../support/running-server.ts'
import { makeDetections, phoneForPictures } from './detection-data.ts'
import { takeDetectionPictures } from './detection-pictures.ts'
import { takeEveryPage } from './every-page.ts'
import { EVERY_LOOK } from './looks.ts'
import { takeWalls } from './wall-states.ts'

/**
 * `npm run screenshots`: pictures of every page in each look, of the wall in each state and shape, and of assets and detection in their
 * states, from running servers: a demo that has imported for some minutes, and one with made detections. They go to reports/screens
 * (SCREENSHOTS_OUT), LOOK/PAGE.png. What a machine can see wrong (wider than the window, layout shift of 0.05 and more, an error that
 * shows, an error in the console) is printed at the end, and the exit code is 1.
 *   npm run screenshots -- [docs] [pages] [walls] [detection] [NAME…]
 * `docs` takes the pictures of docs/screens alone and puts them there; `pages`, `walls` and `detection` one of the three parts; names narrow
 * them. SCREENSHOTS_LOOKS=zh-light,en-dark-phone takes those looks, SCREENSHOTS_WARM_SECONDS lets the demo import for longer.
 */
const PARTS = ['pages', 'walls', 'detection'] as const
/** What docs/screens has of a demo: picture there, picture that is taken. */
const DOCS: Readonly<Record<string, string>> = {
  'wall-1920x1080': 'walls/china-zh',
  'wall-1920x1080-en': 'walls/china-en',
  'wall-3840x1080': 'walls/wide-zh',
  'wall-1080x1920': 'walls/portrait-zh',
  'attack-analysis-zh-light': 'zh-light/attack_analysis',
  'user-analysis-en-dark': 'en-dark/user_analysis',
}
const DOCS_DETECTION: Readonly<Record<string, readonly string[]>> = {
  'zh-light': [
    'application-of-apk',
    'assets',
    'assets-file',
    'assets-file-ios',
    'assets-file-partial',
    'assets-upload',
    'detection-compare',
    'detection-dynamic',
    'detection-failed',
    'detection-new',
    'detection-offers',
    'detection-policy',
    'detection-privacy',
    'detection-privacy-detail',
    'detection-progress',
    'detection-report-compared',
    'detection-report-permissions',
    'detection-report-privacy',
    'detection-rule-bench',
    'detection-self-check',
    'detection-self-check-application',
    'detection-strategies',
    'detection-strategy',
    'detection-suppressions',
    'detection-tasks',
    'detection-vulnerabilities',
    'detection-words',
    'detection-words-test',
    'settings-reports',
    'vulnerability-entry',
    'vulnerability-library',
  ],
  'en-dark': [
    'assets',
    'detection-compare',
    'detection-new',
    'detection-offers',
    'detection-progress',
    'detection-report-compared',
    'detection-suppressions',
  ],
  'zh-light-phone': ['assets', 'detection-item', 'detection-report', 'detection-suppressions', 'detection-tasks'],
}
const SCREENS = 'docs/screens'
const ARGS = ['--no-sandbox', '--disable-dev-shm-usage', '--use-angle=swiftshader', '--enable-unsafe-swiftshader']
const WARM_MS = Number(process.env['SCREENSHOTS_WARM_SECONDS'] ?? 150) * 1000

const asked = process.argv.slice(2)
const isDocs = asked.includes('docs')
const names = asked.filter((one) => one !== 'docs' && !PARTS.some((part) => part === one))
const isAsked = (part: (typeof PARTS)[number]) => asked.includes(part) || !PARTS.some((one) => asked.includes(one))
const named = (name: string) => names.length === 0 || names.includes(name)
const wantedLooks = process.env['SCREENSHOTS_LOOKS']?.split(',')
const looks = EVERY_LOOK.filter(([, , , , suffix]) => !wantedLooks || wantedLooks.includes(suffix))
const out = isDocs
  ? mkdtempSync(join(tmpdir(), 'appwarden-screens-'))
  : (process.env['SCREENSHOTS_OUT'] ?? 'reports/screens')

const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: ARGS })
const faults: string[] = []
try {
  if (isAsked('detection')) await takeDetections()
  if (isAsked('pages') || isAsked('walls')) await takeDemo()
  if (isDocs) {
    mkdirSync(SCREENS, { recursive: true })
    if (isAsked('pages') || isAsked('walls'))
      for (const [there, taken] of Object.entries(DOCS))
        cpSync(join(out, `${taken}.png`), join(SCREENS, `${there}.png`))
    if (isAsked('detection'))
      for (const [look, list] of Object.entries(DOCS_DETECTION))
        for (const name of list)
          cpSync(join(out, look, `${name}.png`), join(SCREENS, `${name}-${look.replace(/^.*-phone$/, 'phone')}.png`))
    rmSync(out, { recursive: true })
  }
} finally {
  await browser.close()
}
for (const fault of faults) console.error(fault)
console.log(`${faults.length} faults; pictures are in ${isDocs ? SCREENS : out}`)
process.exit(faults.length > 0 ? 1 : 0)

async function takeDemo(): Promise<void> {
  const server = await startServer({ env: { APPWARDEN_DEMO: '1' } })
  try {
    const read = <T>(name: string) => JSON.parse(readFileSync(join(server.dataFolder, name), 'utf8')) as T
    let token: string | undefined
    await waitFor(
      () => {
        try {
          token = read<{ displayToken?: string }>('demo-state.json').displayToken
        } catch {
          return false
        }
        return token !== undefined
      },
      120_000,
      'the demo',
    )
    await new Promise((wake) => setTimeout(wake, WARM_MS))
    const taken = new Set(Object.values(DOCS))
    if (isAsked('walls')) faults.push(...(await walls(server, token as string, taken)))
    if (isAsked('pages')) {
      const { administrator } = read<{ administrator: { username: string; password: string } }>('demo-accounts.json')
      for (const look of looks) {
        const only = (name: string) => (isDocs ? taken.has(`${look[4]}/${name}`) : named(name))
        faults.push(...(await takeEveryPage(browser, server.url, administrator, { out, looks: [look], only })))
      }
    }
  } finally {
    await server.stop()
  }
}

function walls(server: RunningServer, token: string, taken: ReadonlySet<string>): Promise<string[]> {
  const only = (name: string) => (isDocs ? taken.has(`walls/${name}-zh`) : named(name))
  return takeWalls(browser, server, token, { out, only })
}

async function takeDetections(): Promise<void> {
  const phone = await startAdbServer([phoneForPictures()])
  const server = await startServer({ env: { ADB_SERVER_SOCKET: `tcp:127.0.0.1:${phone.port}` } })
  try {
    const only = (name: string, look: string) =>
      isDocs ? (DOCS_DETECTION[look]?.includes(name) ?? false) : named(name)
    const bed = await makeDetections(server)
    faults.push(...(await takeDetectionPictures(browser, server, bed, { out, looks, only })))
  } finally {
    await server.stop()
    await phone.close()
  }
}
