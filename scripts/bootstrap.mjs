// What package.json's scripts run on a fresh clone: plain JavaScript on Node alone, since node_modules may be missing.
//   node scripts/bootstrap.mjs demo|start|build|test|check|bench|soak|screenshots|test:fault|… [arguments]
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findJavac } from './build-sdk-android.mjs'

const top = fileURLToPath(new URL('..', import.meta.url))
process.chdir(top)
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) fail(`Node 20.19 or later is needed, this is ${process.version}`)

const rest = process.argv.slice(3)
const tasks = {
  build: () => {},
  start: () => serve(),
  demo: () => serve({ APPWARDEN_DEMO: '1', APPWARDEN_DATA: 'data/demo' }),
  test: () => end(node('scripts/test.mjs', ...rest)),
  'test:all': () => end(node('scripts/test.mjs', 'all')),
  check: async () => end(await check()),
  bench: () => end(source('tests/bench/main.ts', ...rest)),
  soak: () => end(source('tests/soak/main.ts', ...rest)),
  screenshots: () => end(source('tests/screenshots/main.ts', ...rest)),
  'test:fault': () => end(source('tests/fault/main.ts', ...rest)),
  fuzz: () => end(source('tests/fuzz/main.ts', ...rest)),
  'detection-report': () => end(source('tests/detection-report/main.ts', ...rest)),
  'test:monitoring': () => end(source('tests/monitoring-load/main.ts', ...rest)),
  'monitoring-report': () => end(source('tests/monitoring-report/main.ts', ...rest)),
  package: () => end(node('scripts/package.mjs', ...rest)),
  'test:package': () => end(node('scripts/test.mjs', 'package')),
  'test:update': () => end(node('scripts/test.mjs', 'update', ...rest)),
  'test:session': () => end(node('scripts/test.mjs', 'session', ...rest)),
  'test:looks': () => end(node('scripts/test.mjs', 'looks')),
  'test:hardening': () => end(source('tests/host-runtime/main.ts', ...rest)),
  'test:corpus': () => end(node('scripts/test.mjs', 'corpus')),
  'test:cluster': () => notBuilt('The cluster tests', 'cluster adapters'),
}
const name = process.argv[2]
const task = tasks[name]
if (!task) fail(`usage: bootstrap.mjs ${Object.keys(tasks).join('|')}`)
install()
if (name !== 'check') build()
await task()

/** npm ci, unless node_modules holds exactly what the lock says. */
function install() {
  const locked = packagesOf('package-lock.json')
  const present = packagesOf('node_modules/.package-lock.json')
  const same =
    present &&
    Object.entries(locked).every(([path, { version, optional }]) =>
      present[path] ? present[path].version === version : optional || path === '',
    )
  if (same) return
  step('Installing packages', () => {
    const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
    const npm = process.env.npm_execpath
    return npm
      ? spawnSync(process.execPath, [npm, ...args], { stdio: 'inherit' }).status
      : spawnSync('npm', args, { stdio: 'inherit', shell: process.platform === 'win32' }).status
  })
}

function packagesOf(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : undefined
}

/** Both bundles, unless dist was made from these very sources. Built beside and moved in, so a killed build leaves no half. */
function build() {
  const stamp = 'dist/.sources'
  const sources = digest()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return
  step('Building', () => {
    rmSync(stamp, { force: true })
    const vite = 'node_modules/vite/bin/vite.js'
    return (
      node(vite, 'build', '--logLevel=warn') ||
      node(vite, 'build', '--ssr', '--logLevel=warn') ||
      node('scripts/build-sdk.mjs')
    )
  })
  mkdirSync('dist', { recursive: true })
  writeFileSync(`${stamp}.new`, sources)
  renameSync(`${stamp}.new`, stamp)
}

/** A hash over names and contents of everything that goes into dist. */
function digest() {
  const hash = createHash('sha256')
  const add = (path) => {
    if (!existsSync(path)) return
    if (statSync(path).isDirectory()) for (const one of readdirSync(path).sort()) add(join(path, one))
    else if (!/[.]test[.]tsx?$/.test(path)) hash.update(`${path}\0`).update(readFileSync(path)).update('\0')
  }
  for (const path of 'runtime contracts domain engines storage server realtime src mocks sdk cli public index.html'.split(
    ' ',
  ))
    add(path)
  for (const path of 'package-lock.json tsconfig.json vite.config.ts vite.chunks.ts tailwind.config.ts package.json'.split(
    ' ',
  ))
    add(path)
  for (const path of 'scripts/build-sdk.mjs scripts/build-sdk-android.mjs scripts/build-sdk-session.mjs scripts/build-sdk-zip.mjs'.split(
    ' ',
  ))
    add(path)
  // A compiler that was installed later makes what was missing.
  hash.update(String(Boolean(findJavac())))
  return hash.digest('hex')
}

/** The server runs in this very process, so that signals and the exit code are its own. */
async function serve(env = {}) {
  // npm hands a SIGTERM to its shell, which dies and leaves us behind: follow it.
  const parent = process.ppid
  if (process.env.npm_lifecycle_event)
    setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGTERM'), 250).unref()
  for (const [name, value] of Object.entries({ NODE_ENV: 'production', ...env })) process.env[name] ??= value
  await import(new URL('../dist/node/main.js', import.meta.url).href)
}

/** The fast part while developing: types, lint and dead code at the same time, then units and components, which share their modules. */
async function check() {
  const tools = [
    ['node_modules/typescript/bin/tsc', '-p', '.'],
    ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
    ['node_modules/knip/bin/knip.js'],
  ]
  const statuses = await Promise.all(
    tools.map((args) =>
      once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit').then(([status]) => status ?? 1),
    ),
  )
  return (
    Math.max(...statuses) ||
    node(
      'node_modules/vitest/vitest.mjs',
      'run',
      '--no-isolate',
      '--project',
      'unit',
      '--project',
      'component',
      ...rest,
    )
  )
}

function notBuilt(what, area) {
  fail(`${what} are not built yet: they come with the ${area}.`, 2)
}

function source(file, ...args) {
  return node('--import', 'tsx', file, ...args)
}

function node(...args) {
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1
}

function step(what, work) {
  const at = Date.now()
  console.error(`${what} …`)
  if (work() !== 0) fail(`${what} failed`)
  console.error(`${what}: ${((Date.now() - at) / 1000).toFixed(1)} s`)
}

function end(status) {
  process.exit(status)
}

function fail(message, status = 1) {
  console.error(message)
  process.exit(status)
}
