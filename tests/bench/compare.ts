import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import type { BenchLine } from './bench-line.ts'
import { medianInterval } from './median-interval.ts'
import { samplePackage, scanCost } from './scan.ts'
import { sendLoad } from './send-load.ts'

/**
 * `npm run bench -- compare REVISION [ingest|queries|first-paint|scan-cpu|scan-memory …]`: this checkout against an earlier revision, measured in
 * alternating pairs (BENCH_PAIRS, 9 by default) in one run. Prints for each figure the median of new / old and its
 * 95 % interval; a figure passes when the interval excludes a loss above 5 %.
 */
const TOP = resolve(import.meta.dirname, '../..')
const LOSS = 0.05
const PAIRS = Number(process.env['BENCH_PAIRS'] ?? 9)
/** Load before ingest is measured, so that the code of both sides is compiled. */
const WARM_MS = 8000

type Side = { folder: string }
/** One figure of one side, better the higher (`rate`) or the lower (`time`). `open` prepares a side for all its runs. */
type Measure = {
  better: 'rate' | 'time'
  /** The largest loss that passes, 5 % by default. */
  loss?: number
  open(side: Side): Promise<{ run(): Promise<number>; close(): Promise<void> }>
}

export async function compare(revision: string, wanted: readonly string[]): Promise<BenchLine[]> {
  // A short path: in revisions before the short socket folder, the PostgreSQL of the tests does not start at a longer one.
  const scratch = mkdtempSync(join(tmpdir(), 'aw-'))
  const old: Side = { folder: join(scratch, 'old') }
  const now: Side = { folder: TOP }
  try {
    execFileSync('git', ['worktree', 'add', '--detach', old.folder, revision], { cwd: TOP, stdio: 'ignore' })
    for (const side of [old, now])
      execFileSync(process.execPath, ['scripts/bootstrap.mjs', 'build'], { cwd: side.folder, stdio: 'ignore' })
    const lines: BenchLine[] = []
    for (const [name, measure] of Object.entries(MEASURES)) {
      if (wanted.length && !wanted.includes(name)) continue
      const sides = [await measure.open(old), await measure.open(now)] as const
      const ratios: number[] = []
      try {
        for (let pair = 0; pair < PAIRS; pair++) {
          const values: [number, number] = [0, 0]
          for (const side of pair % 2 ? ([1, 0] as const) : ([0, 1] as const)) values[side] = await sides[side].run()
          const [before, after] = values
          ratios.push(after / before)
          console.error(`${name}, pair ${pair + 1} of ${PAIRS}: ${before.toFixed(4)} -> ${after.toFixed(4)}`)
        }
      } finally {
        for (const side of sides) await side.close()
      }
      lines.push(judge(name, measure, ratios))
    }
    return lines
  } finally {
    execFileSync('git', ['worktree', 'remove', '--force', old.folder], { cwd: TOP, stdio: 'ignore' })
    rmSync(scratch, { recursive: true, force: true })
  }
}

function judge(name: string, { better, loss = LOSS }: Measure, ratios: readonly number[]): BenchLine {
  const { median, low, high } = medianInterval(ratios)
  const ok = better === 'rate' ? low >= 1 - loss : high <= 1 + loss
  const round = (value: number) => Math.round(value * 1000) / 1000
  return {
    name: `${name}: new / old`,
    value: round(median),
    unit: better === 'rate' ? 'ratio of rates' : 'ratio of times',
    peer: 'the named revision',
    peer_value: 1,
    ratio: round(median),
    limit: better === 'rate' ? `low >= ${1 - loss}` : `high <= ${1 + loss}`,
    ok,
    detail: { low: round(low), high: round(high), pairs: ratios.length },
  }
}

const MEASURES: Record<string, Measure> = {
  ingest: { better: 'rate', open: openIngest },
  queries: { better: 'time', open: openQueries },
  'first-paint': { better: 'time', open: async (side) => ({ run: () => firstPaint(side), close: async () => {} }) },
  // Limits of the detection: 10 %.
  'scan-cpu': { better: 'time', loss: 0.1, open: async (side) => scanMeasure(side, 'cpuSeconds') },
  'scan-memory': { better: 'time', loss: 0.1, open: async (side) => scanMeasure(side, 'peakMb') },
}

/** The same package, scanned by the command line that the side has built. */
function scanMeasure(side: Side, figure: 'cpuSeconds' | 'peakMb') {
  const cli = join(side.folder, 'dist/node/cli.js')
  return { run: async () => scanCost(samplePackage(), cli)[figure], close: async () => {} }
}

/** A program of this folder in the checkout of a side; it stays for all runs, and a slow moment of the machine hits both sides. */
async function openSide(side: Side, program: string, ...args: string[]) {
  const path = join('tests/bench', program)
  if (side.folder !== TOP) {
    const text = readFileSync(join(TOP, path), 'utf8')
    const moved = Object.entries(MOVED).filter(([, old]) => existsSync(join(side.folder, old.replace('#', ''))))
    writeFileSync(
      join(side.folder, path),
      moved.reduce((all, [now, old]) => all.replaceAll(now, old), text),
    )
  }
  const child = fork(path, args, { cwd: side.folder, execArgv: ['--import', 'tsx'] })
  const [first] = await once(child, 'message')
  return {
    first,
    async ask(): Promise<number> {
      child.send('measure')
      const [value] = await once(child, 'message')
      return value as number
    },
    async close() {
      const exited = once(child, 'exit') // 'close' does not follow a disconnect
      child.disconnect()
      await exited
    },
  }
}
/** Modules that the programs import, and where earlier revisions had them. */
const MOVED = { '#domain/query.ts': '#contracts/query.ts' }

/** Events accepted and durable per second. */
async function openIngest(side: Side) {
  const { first, close } = await openSide(side, 'collector-side.ts')
  const { port, key } = first as { port: number; key: string }
  let runs = 0
  const load = async (milliseconds: number) => {
    const report = await sendLoad(port, key, milliseconds, runs++)
    if (report.refused > 0) throw new Error(`${side.folder}: ${report.refused} batches were refused`)
    return (report.events / report.milliseconds) * 1000
  }
  await load(WARM_MS)
  return { run: () => load(Number(process.env['BENCH_SECONDS'] ?? 4) * 1000), close }
}

/** Geometric mean over the query shapes, in ms. */
async function openQueries(side: Side) {
  const { ask, close } = await openSide(side, 'store-side.ts', process.env['BENCH_ROWS'] ?? '1000000')
  return { run: ask, close }
}

/** Milliseconds to the first contentful paint of the login page: median of five fresh browser contexts. */
async function firstPaint(side: Side): Promise<number> {
  const port = await freePort()
  const data = mkdtempSync(join(tmpdir(), 'aw-paint-'))
  const server = spawn(process.execPath, ['dist/node/main.js'], {
    cwd: side.folder,
    env: { ...process.env, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port), APPWARDEN_DATA: data },
    stdio: 'ignore',
  })
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  try {
    const url = `http://127.0.0.1:${port}`
    for (
      let tries = 0;
      !(await fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ));
      tries++
    ) {
      if (tries > 600) throw new Error('the server does not answer')
      await sleep(100)
    }
    const times: number[] = []
    for (let round = 0; round < 5; round++) {
      const context = await browser.newContext({ viewport: { width: 1366, height: 768 } })
      const page = await context.newPage()
      await page.goto(`${url}/login`, { waitUntil: 'load' })
      const time = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime
      const handle = await page.waitForFunction(time)
      times.push((await handle.jsonValue()) as number)
      await context.close()
    }
    return times.sort((a, b) => a - b)[2] as number
  } finally {
    await browser.close()
    server.kill('SIGTERM')
    await ended(server)
    rmSync(data, { recursive: true, force: true })
  }
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((done) => (child.exitCode === null ? child.once('close', () => done()) : done()))
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => done(port))
    })
  })
}
