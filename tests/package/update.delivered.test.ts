import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  RETURN_STEPS,
  UPDATE_PACKAGE_BYTES,
  UPDATE_STEPS,
  type UpdateRecord,
  type UpdateStep,
  type UpdatesAnswer,
} from '#contracts/http/updates.ts'
import { buildPackages } from './build-package.ts'
import { ADMIN, CODE, type Installation, unpackInstallation } from './installation.ts'

/**
 * Updates from this version to one that is really built from it, and back: once through the page, then killed at random points. The same
 * seed gives the same points: `npm run test:update -- KILLS SEED`.
 */
const KILLS = Number(process.env['UPDATE_KILLS'] ?? 1)
const SEED = Number(process.env['UPDATE_SEED'] ?? 14)
const BROWSER = [process.env['CHROMIUM'] ?? '/usr/bin/chromium'].find(existsSync)
const SETTLE_MS = 300_000

type Kind = UpdateRecord['kind']
type Facts = {
  accounts: number
  applications: number
  events: number
  entries: number
  intact: boolean
  package: [number, number]
}

let folder: string
let product: Installation
/** The one that is unpacked, and the one after it. */
let version: string
let next: string
let updateFile: string
let token: string
let key: string
/** What the installation must hold, whatever happens to it. */
let expected: Omit<Facts, 'entries'> & { files: Record<string, string> }
let app: string
let entries = 0
/** How long each step takes when nothing disturbs it, in ms. */
const usual = new Map<UpdateStep, number>()
const report: string[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'appwarden-update-'))
  chmodSync(folder, 0o755)
  const first = buildPackages(process.env['APPWARDEN_PACKAGES'] ?? join(folder, 'packages'), 'next')
  version = first.version
  next = first.next.version
  updateFile = first.next.update
  const env = { APPWARDEN_LICENCE_KEYS: first.publicKey }
  product = await unpackInstallation(first.archive, join(folder, 'home'), env)
  const sample = join(folder, 'sample.apk')
  copyFileSync(resolve('node_modules/io.appium.settings/apks/settings_apk-debug.apk'), sample)
  await product.start()
  token = lastLine(product.run('./appwarden token create --name update --scopes all'))
  key = product.visit('send', token).split(' ')[2] as string
  app = product.visit('upload-app', token, sample)
  const found = facts()
  expect(found).toMatchObject({ accounts: 1, events: 1, intact: true, package: [200, readFileSync(sample).length] })
  const { entries: _, ...rest } = found
  expected = { ...rest, files: hashes() }
})
afterAll(async () => {
  // Together once more: each line was written as it came.
  if (report.length > 0) console.log(report.join('\n'))
  await product?.close()
  rmSync(folder, { recursive: true, force: true })
})

const lastLine = (text: string) => text.split('\n').at(-1) as string
const facts = () => JSON.parse(product.visit('facts', token, app)) as Facts
const updates = () => JSON.parse(product.visit('updates', token)) as UpdatesAnswer

/** Hashes of all stored files by their path. */
function hashes(): Record<string, string> {
  const root = join(product.folder, 'data/files')
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
  return Object.fromEntries(
    paths.map((path) => [path.slice(root.length), createHash('sha256').update(readFileSync(path)).digest('hex')]),
  )
}

/** Something new in tables and event store, which must still be there afterwards. */
function addData(): void {
  product.run(`./appwarden user add round-${expected.accounts}@example.com --role auditor`)
  expected.accounts++
  product.visit('post', key)
  expected.events++
}

/** The version runs, with everything that was there. */
async function expectWhole(version: string): Promise<Facts> {
  expect(basename(readlinkSync(join(product.folder, 'current')))).toBe(version)
  const data = updates()
  expect(data.version).toBe(version)
  expect(data.active).toBeNull()
  // The store may still be behind the journal.
  let found = facts()
  for (let i = 0; i < 60 && found.events < expected.events; i++) {
    await sleep(500)
    found = facts()
  }
  const { files, ...counts } = expected
  expect(found).toMatchObject(counts)
  expect(found.entries).toBeGreaterThanOrEqual(entries)
  entries = found.entries
  expect(hashes()).toEqual(files)
  return found
}

const recordOf = (id: string) =>
  JSON.parse(readFileSync(join(product.folder, `data/updates/records/${id}.json`), 'utf8')) as UpdateRecord
const newestRecord = () => updates().records[0] as UpdateRecord

/** Waits until the update or rollback has ended and the product is well. */
async function settle(id: string): Promise<UpdateRecord> {
  for (const giveUp = Date.now() + SETTLE_MS; Date.now() < giveUp; await sleep(250)) {
    const record = recordOf(id)
    if (record.ended_at !== null && product.isWell()) return record
  }
  throw new Error(
    `${JSON.stringify(recordOf(id))}\n${readFileSync(join(folder, 'home/start.log'), 'utf8').slice(-8000)}`,
  )
}

function learn(record: UpdateRecord): void {
  for (const { name, began_at, ended_at } of record.steps) if (ended_at !== null) usual.set(name, ended_at - began_at)
}
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
const timesOf = ({ steps }: UpdateRecord) =>
  steps.map(({ name, began_at, ended_at }) => `${name} ${seconds((ended_at ?? began_at) - began_at)}`).join(', ')

describe('an update of the delivered package', () => {
  test.skipIf(!BROWSER)(
    '[UPD-01] [UPD-02] through the page: what is no package is refused, the update runs with live progress, the rollback too, and all data and records are there',
    async () => {
      const browser = await openBrowser()
      try {
        const page = await signIn(browser)
        await refuses(page, 'notes.txt', 'text', 'Upload file can only be ZIP format!')
        const large = join(folder, 'large.zip')
        writeFileSync(large, '')
        truncateSync(large, UPDATE_PACKAGE_BYTES + 1)
        await choose(page, large)
        await page.getByRole('alert').getByText('The update package is too large to upgrade').waitFor()
        rmSync(large)
        await refuses(page, 'other.zip', 'no archive', 'Cannot be installed')

        addData()
        await choose(page, updateFile)
        await page.getByText(/^Uploading \d+%$/).waitFor()
        await page.getByText(`Ready to update to ${next}`).waitFor({ timeout: 180_000 })
        expect(updates().status).toBe(202)
        await page.getByRole('button', { name: 'Begin update' }).click()
        await page.getByRole('button', { name: 'Confirm' }).click()
        const seen = await watch(page, next)
        expect(seen.stages.length, seen.stages.join()).toBeGreaterThanOrEqual(4)
        expect(seen.percents).toEqual([...seen.percents].sort((a, b) => a - b))
        const updated = await settle(newestRecord().id)
        learn(updated)
        report.push(
          `update through the page: ${seconds((updated.ended_at as number) - updated.began_at)}: ${timesOf(updated)}`,
        )
        expect([updated.state, updates().status]).toEqual(['updated', 200])
        await expectWhole(next)
        await page.getByRole('button', { name: 'Reload the page' }).click()

        addData()
        await page.getByRole('button', { name: `Roll back to ${version}` }).click()
        await page.getByRole('alertdialog').getByText('All of it is kept').waitFor()
        await page.getByRole('button', { name: 'Confirm' }).click()
        const back = await watch(page, version)
        // Most of it happens while nothing answers the page.
        expect(back.stages.length).toBeGreaterThanOrEqual(1)
        expect(back.percents.length).toBeGreaterThanOrEqual(1)
        const returned = await settle(newestRecord().id)
        learn(returned)
        report.push(
          `rollback through the page: ${seconds((returned.ended_at as number) - returned.began_at)}: ${timesOf(returned)}`,
        )
        expect([returned.state, updates().status]).toEqual(['returned', 200])
        await expectWhole(version)
        const rows = await page.getByTestId('update-records').getByRole('row').allInnerTexts()
        expect(
          rows.slice(1).map((row) =>
            row
              .split(/\s*\t\s*/)
              .filter((cell) => cell !== '')
              .slice(0, 2),
          ),
        ).toEqual([
          [next, version],
          [version, next],
        ])
        expect(rows[1]).toContain('Rolled back')
        expect(rows[2]).toContain('Updated')
        expect(rows[2]).toContain(ADMIN.email)
      } finally {
        await browser.close()
      }
    },
    4 * SETTLE_MS,
  )

  test(
    `[UPD-01] killed at ${KILLS} random points of an update and ${KILLS} of a rollback, the old or the new version runs with all data`,
    async () => {
      const random = randomOf(SEED)
      const points = { update: pointsOf(UPDATE_STEPS, random), rollback: pointsOf(RETURN_STEPS, random) }
      // The test before this one may have failed while an update ran.
      for (const giveUp = Date.now() + SETTLE_MS; !product.isWell() && Date.now() < giveUp; ) await sleep(500)
      const upload = product.visit('upload-update', token, updateFile)
      let current = updates().version
      for (let n = 1; points.update.length + points.rollback.length > 0; ) {
        const kind: Kind = current === next ? 'rollback' : 'update'
        addData()
        const id = kind === 'update' ? product.visit('update', token, upload) : product.visit('roll-back', token)
        // Without measured times of its steps it first runs undisturbed.
        const isKnown = usual.has(kind === 'update' ? 'health' : 'back_health')
        const point = isKnown ? points[kind].shift() : undefined
        let line = `${kind} undisturbed`
        let began = Date.now()
        if (point) {
          await waitForPoint(id, point)
          const killed = await product.kill()
          began = Date.now()
          const { steps, state } = recordOf(id)
          line = `${n++}. ${kind} killed in ${steps.at(-1)?.name ?? 'the beginning'} (${state}), ${killed} processes`
          await product.start()
        }
        const record = await settle(id)
        const took = Date.now() - began
        if (!point) learn(record)
        current = basename(readlinkSync(join(product.folder, 'current')))
        expect([version, next]).toContain(current)
        const found = await expectWhole(current)
        const ends = kind === 'rollback' ? ['returned'] : current === next ? ['updated'] : ['failed', 'returned']
        expect(ends).toContain(record.state)
        if (kind === 'rollback') expect(current).toBe(version)
        report.push(
          `${line} -> ${current} ${record.state} after ${seconds(took)}; ${found.accounts} accounts, ${found.applications} application, ${found.events} events, ${found.entries} audit entries intact, ${Object.keys(expected.files).length} files`,
        )
        console.log(report.at(-1))
      }
    },
    (2 * KILLS + 2) * SETTLE_MS,
  )
})

// ------------------------------------------------------------------------------------------------------------ points

type Point = { step: UpdateStep; share: number }

/** Every step in a random order, then again; and how much of its usual time has passed. */
function pointsOf(steps: readonly UpdateStep[], random: () => number): Point[] {
  const points: Point[] = []
  while (points.length < KILLS) {
    const rest = [...steps]
    while (rest.length > 0 && points.length < KILLS) {
      const [step] = rest.splice(Math.floor(random() * rest.length), 1)
      points.push({ step: step as UpdateStep, share: random() })
    }
  }
  return points
}

/** Returns in the step, or behind it where it was over too soon. */
async function waitForPoint(id: string, { step, share }: Point): Promise<void> {
  for (const giveUp = Date.now() + SETTLE_MS; Date.now() < giveUp; await sleep(2)) {
    const { steps, ended_at } = recordOf(id)
    const at = steps.find(({ name }) => name === step)
    if (at) return void (await sleep(Math.max(0, at.began_at + share * (usual.get(step) ?? 0) - Date.now())))
    if (ended_at !== null) return
  }
}

/** mulberry32 */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

// -------------------------------------------------------------------------------------------------------------- page

/** In the network of the installation. */
async function openBrowser(): Promise<Browser> {
  const wrapper = join(folder, 'browser.sh')
  writeFileSync(wrapper, `#!/bin/sh\nexec ${product.inNetwork([BROWSER as string]).join(' ')} "$@"\n`, { mode: 0o755 })
  return chromium.launch({ executablePath: wrapper, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
}

async function signIn(browser: Browser): Promise<Page> {
  const page = await browser.newPage({ baseURL: product.url, viewport: { width: 1440, height: 900 } })
  page.setDefaultTimeout(60_000)
  await page.addInitScript(() => localStorage.setItem('language', 'en'))
  await page.goto('/login')
  const image = page.getByAltText('Verification image')
  await image.waitFor()
  await expect
    .poll(() => image.evaluate((one) => (one as HTMLImageElement).naturalWidth > 0), { timeout: 30_000 })
    .toBe(true)
  await page.locator('input[type=email]').fill(ADMIN.email)
  await page.locator('input[autocomplete=current-password]').fill(ADMIN.password)
  await page.locator('input[autocomplete=off]').fill(CODE)
  await page.locator('button[type=submit]').click()
  await page.waitForURL(/\/home/)
  await page.goto('/platform/systemupdate')
  await page.getByTestId('update-versions').waitFor()
  return page
}

const choose = (page: Page, path: string) => page.locator('input[type=file]').setInputFiles(path)

async function refuses(page: Page, name: string, text: string, words: string): Promise<void> {
  const path = join(folder, name)
  writeFileSync(path, text)
  await choose(page, path)
  await page.getByText(words).first().waitFor()
}

/** Follows the page until the version runs: the stages and percents that it showed. It never shows the connection message. */
async function watch(page: Page, version: string): Promise<{ stages: string[]; percents: number[] }> {
  const stages = new Set<string>()
  const percents: number[] = []
  for (const giveUp = Date.now() + SETTLE_MS; Date.now() < giveUp; await sleep(200)) {
    const shown = await page.evaluate(() => ({
      stage: document.querySelector('[aria-current=step]')?.textContent ?? '',
      percent: document.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow') ?? '',
      versions: document.querySelector('[data-testid=update-versions]')?.textContent ?? '',
      text: document.body.textContent,
    }))
    expect(shown.text).not.toMatch(/Server connection error|服务器连接异常-\d/)
    if (shown.stage) stages.add(shown.stage)
    if (shown.percent && Number(shown.percent) !== percents.at(-1)) percents.push(Number(shown.percent))
    if (shown.versions === version) return { stages: [...stages], percents }
  }
  throw new Error(`${version} does not run: ${await page.locator('main').textContent()}`)
}
