// Runs every suite that this machine can run and ends with one line summed over all of them: N passed, N failed, N skipped.
// Of the files that take long it runs a sample, by the commit (TEST_SEED names another); `all` runs every one.
// A suite that this machine lacks a program for counts as skipped, with its name and the reason. A suite that cannot start counts as failed,
// and so does each of its tests. Every failure is repeated at the end, after the minutes of each suite.
//   node scripts/test.mjs [all|vitest|e2e|looks|fault|package|update KILLS SEED|session MESSAGES SEED …]
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { findJavac } from './build-sdk-android.mjs'
import { longFiles, sampleTests } from './sample-tests.mjs'

const wanted = process.argv.slice(2)
const everything = wanted.includes('all')
const sum = { passed: 0, failed: 0, skipped: 0 }
const notes = []
/** Seconds by suite, in the order they ran. */
const spent = {}
/** Seconds by test file. */
const seconds = {}
process.env.TEST_SEED ??= commit()
rmSync('reports', { recursive: true, force: true })
mkdirSync('reports')

if (wanted.length === 0) takeSample()
if (wants('lint')) timed('types, lint, dead code', lint)
if (wants('vitest')) {
  installJavac()
  installBouncyCastle()
  installSlapd()
  installHostRuntime()
  installEmulators()
  findBrowser()
  timed('vitest', vitest)
}
if (wanted.includes('corpus')) timed('corpus', () => vitest('tests/corpus'))
// Builds the delivered archives first, which takes minutes: `npm run test:package`.
if (wanted.includes('package')) timed('package', packages)
// Ten kills of an update and ten of a rollback, or as many as are named, take most of an hour: `npm run test:update -- KILLS SEED`.
if (wanted.includes('update')) timed('update', updates)
// 10,000 messages through every pair of SDKs, or as many as are named: `npm run test:session -- MESSAGES SEED`.
if (wanted.includes('session')) timed('session', sessions)
if (wants('fault')) timed('faults', fault)
if (wants('e2e')) timed('browser', e2e)
// What is judged in all four combinations of language and theme (tests/e2e/support/looks.ts), of which `npm test` takes two: `npm run test:looks`.
if (wanted.includes('looks')) timed('looks', () => e2e('--grep', 'accessible|axe finds'))

// The record that samples are taken by: after a whole run it belongs into tests/.
if (everything) writeFileSync('reports/long-files.json', `${JSON.stringify(longFiles(seconds), undefined, 2)}\n`)
for (const note of notes) console.log(note)
console.log(
  `minutes: ${Object.entries(spent)
    .map(([suite, seconds]) => `${suite} ${(seconds / 60).toFixed(1)}`)
    .join(', ')}`,
)
console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`)
process.exitCode = sum.failed || sum.passed === 0 ? 1 : 0

function wants(suite) {
  return wanted.length === 0 || everything || wanted.includes(suite)
}

function commit() {
  return spawnSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).stdout?.trim() || '0'
}

/** vite.config.ts and tests/e2e/playwright.config.ts leave out what TEST_LEFT_OUT names. */
function takeSample() {
  const { taken, left } = sampleTests(process.env.TEST_SEED)
  process.env.TEST_LEFT_OUT = left.join()
  notes.push(
    `sample ${process.env.TEST_SEED}: ${taken.length} of ${taken.length + left.length} long files; \`npm run test:all\` runs every one`,
  )
}

function timed(suite, work) {
  const at = performance.now()
  work()
  spent[suite] = (performance.now() - at) / 1000
}

function count(passed, failed, skipped) {
  sum.passed += passed
  sum.failed += failed
  sum.skipped += skipped
}

/** Types, lint and dead code: one test each. */
function lint() {
  const tools = {
    types: ['node_modules/typescript/bin/tsc', '-p', '.'],
    lint: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
    'dead code': ['node_modules/knip/bin/knip.js'],
  }
  for (const [name, args] of Object.entries(tools)) {
    const ok = run(args) === 0
    if (!ok) notes.push(`failed: ${name}`)
    count(ok ? 1 : 0, ok ? 0 : 1, 0)
  }
}

/** `only`: files to run; everything without it. */
function vitest(...only) {
  const file = 'reports/vitest.json'
  const reporters = ['--reporter=default', '--reporter=./scripts/result-reporter.mjs']
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...only]
  const status = run(args, { APPWARDEN_BUNDLES: resolve('dist/node') })
  if (!existsSync(file)) return missing('vitest')
  const { passed, failed, skipped, flaky, failures, seconds: times } = JSON.parse(readFileSync(file, 'utf8'))
  Object.assign(seconds, times)
  for (const name of flaky) notes.push(`passed only on a retry: ${name}`)
  for (const { name, message } of failures) notes.push(`failed: ${name}\n${why(message)}`)
  count(passed, failed || (status ? 1 : 0), skipped)
  // Two files at a time: the sum is about twice the minutes that passed.
  const slowest = Object.entries(times).sort(([, a], [, b]) => b - a)
  console.log(
    `slowest files, s: ${slowest
      .slice(0, 15)
      .map(([name, time]) => `${name} ${time.toFixed(0)}`)
      .join(', ')}`,
  )
}

/** The delivered archives, built once for all files. Each keeps two cores busy: one after the other. */
function packages() {
  findBrowser()
  const folder = mkdtempSync(join(tmpdir(), 'appwarden-packages-'))
  process.env.APPWARDEN_PACKAGES = folder
  chmodSync(folder, 0o755)
  vitest('--project', 'package', '--no-file-parallelism')
  rmSync(folder, { recursive: true })
}

function updates() {
  const [kills = '10', seed = String(Date.now() % 100_000)] = wanted.slice(wanted.indexOf('update') + 1)
  Object.assign(process.env, { UPDATE_KILLS: kills, UPDATE_SEED: seed })
  findBrowser()
  vitest('--project', 'package', 'tests/package/update.delivered.test.ts')
  notes.push(`update: ${kills} kills of each, seed ${seed}`)
}

function sessions() {
  const [messages = '10000', seed = String(Date.now() % 1_000_000)] = wanted.slice(wanted.indexOf('session') + 1)
  Object.assign(process.env, { SESSION_MESSAGES: messages, SESSION_SEED: seed })
  installJavac()
  findBrowser()
  vitest('--project', 'contract', 'sdk/session/pairs', 'sdk/session/browser')
  notes.push(`session: ${messages} messages through each pair, seed ${seed}`)
}

function findBrowser() {
  const chromium = findChromium()
  if (chromium) process.env.CHROMIUM = chromium
}

/** Faults under load, against the built server. Its program ends with the line `N passed, N failed`. */
function fault() {
  const { status, stdout } = spawnSync(process.execPath, ['--import', 'tsx', 'tests/fault/main.ts', '3'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  })
  process.stdout.write(stdout)
  const last = /^(\d+) passed, (\d+) failed$/m.exec(stdout)
  if (!last) return missing('fault')
  count(Number(last[1]), Number(last[2]) || (status ? 1 : 0), 0)
}

/** `only`: arguments that choose tests; without it everything, in two of the four looks, by the seed. */
function e2e(...only) {
  const args = ['node_modules/@playwright/test/cli.js', 'test', '-c', 'tests/e2e', ...only]
  if (only.length > 0) process.env.E2E_LOOKS = 'all'
  const chromium = findChromium()
  const file = resolve('reports/playwright.json')
  if (!chromium) {
    run([...args, '--list', '--reporter=json'], { PLAYWRIGHT_JSON_OUTPUT_FILE: file })
    const skipped = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).suites.flatMap(specsOf).length : 1
    notes.push(
      `skipped: tests/e2e (${skipped}): no Chromium here and it could not be installed (apt-get install chromium)`,
    )
    return count(0, 0, skipped)
  }
  const status = run([...args, '--reporter=list,json'], { PLAYWRIGHT_JSON_OUTPUT_FILE: file, CHROMIUM: chromium })
  if (!existsSync(file)) return missing('e2e')
  const { stats, suites } = JSON.parse(readFileSync(file, 'utf8'))
  for (const { file, title, tests } of suites.flatMap(specsOf))
    for (const { status, results } of tests) {
      const name = `tests/e2e/${file}`
      seconds[name] = (seconds[name] ?? 0) + results.reduce((sum, one) => sum + one.duration, 0) / 1000
      if (status === 'flaky' || status === 'unexpected')
        notes.push(
          `${status === 'flaky' ? 'passed only on a retry' : 'failed'}: ${file}: ${title}\n${why(results[0]?.error?.message)}${shownAt(results[0])}`,
        )
    }
  if (status || stats.flaky) serverComplaints()
  count(stats.expected + stats.flaky, stats.unexpected || (status ? 1 : 0), stats.skipped)
}

/** Warnings and errors of the servers that the browser tests used, the most frequent first: tests provoke some of them. */
function serverComplaints() {
  for (const file of readdirSync('reports').filter((name) => /^e2e-server-\d+\.log$/.test(name))) {
    const times = new Map()
    for (const line of readFileSync(join('reports', file), 'utf8').split('\n')) {
      const [, at, rest] = /^\S+ (\S+) +((?:warn|error|fatal)\b.*)$/.exec(stripVTControlCharacters(line)) ?? []
      if (!rest) continue
      // The same complaint about another object is counted with it.
      const kind = rest.replace(/[0-9a-f]{8,}|\d+/g, '#')
      const known = times.get(kind) ?? { first: at, count: 0, rest }
      times.set(kind, { ...known, last: at, count: known.count + 1 })
    }
    const most = [...times.values()].sort((a, b) => b.count - a.count).slice(0, 20)
    for (const { first, last, count, rest } of most)
      notes.push(`${file}: ${count} times, ${first} to ${last}: ${rest.slice(0, 300)}`)
  }
}

/** What the page showed when the test failed: its headings, messages and states, so that a run whose folder is gone explains itself. */
function shownAt(result) {
  const path = result?.attachments?.find(({ name }) => name === 'error-context')?.path
  if (!path || !existsSync(path)) return ''
  const lines = readFileSync(path, 'utf8').split('\n')
  const shown = lines
    .filter(
      (line, at) =>
        /^ *- (alert|status|heading|progressbar|paragraph|dialog)\b/.test(line) ||
        // What a message says may be in the lines below it.
        lines.slice(Math.max(0, at - 4), at).some((above) => /^ *- alert\b/.test(above)),
    )
    .slice(0, 30)
  return shown.map((line) => `\n    page: ${line.trim().slice(0, 200)}`).join('')
}

/** The system's Chromium, installed from the system's packages where we may (root on Debian and its kin). */
function findChromium() {
  const places = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
  const find = () => places.find((one) => one && existsSync(one))
  if (find() || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return find()
  installPackages('chromium', 'fonts-noto-cjk')
  return find()
}

/** A Java compiler for the tests of the Android SDK, which skip with that reason without one; and the jar that was missing. */
function installJavac() {
  if (findJavac() || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  installPackages('default-jdk-headless')
  if (findJavac()) run(['scripts/build-sdk.mjs'])
}

/** An independent implementation of the national algorithms, for the tests of sdk/session. */
function installBouncyCastle() {
  if (existsSync('/usr/share/java/bcprov.jar') || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  installPackages('libbcprov-java')
}

/** A directory for the tests of LDAP sign-in, which skip with that reason without one. */
function installSlapd() {
  if (existsSync('/usr/sbin/slapd') || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  installPackages('slapd')
}

/** ART, smali and a compiler for the tests that run dex files (docs/host-runtime.md), which skip with that reason without them. */
function installHostRuntime() {
  const present = (path) => existsSync(path)
  const folder = existsSync('/usr/lib')
    ? readdirSync('/usr/lib').find((name) => present(`/usr/lib/${name}/android/libart.so.0`))
    : undefined
  const all =
    folder &&
    present(`/usr/lib/${folder}/android/libnativeloader.so.0`) &&
    present('/usr/bin/smali') &&
    present('/usr/bin/g++')
  if (all || process.getuid?.() !== 0 || !present('/usr/bin/apt-get')) return
  const libraries = [
    'libart',
    'libbacktrace',
    'libbase',
    'liblog',
    'libziparchive',
    'libnativebridge',
    'libnativeloader',
  ]
  installPackages(...libraries.map((name) => `android-${name}`), 'libsmali-java', 'g++')
}

/** Emulators of ARM and a compiler for the interpreter of virtualised methods, whose tests skip with that reason without them. */
function installEmulators() {
  const all = ['qemu-aarch64', 'qemu-arm', 'clang', 'ld.lld'].every((name) => existsSync(`/usr/bin/${name}`))
  if (all || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  installPackages('qemu-user', 'clang', 'lld')
}

function installPackages(...names) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit', env })
  spawnSync('apt-get', ['install', '-y', '-qq', ...names], { stdio: ['ignore', 'ignore', 'inherit'], env })
}

function specsOf(suite) {
  return [...suite.specs, ...(suite.suites ?? []).flatMap(specsOf)]
}

/** The first lines of an error, without the terminal's colours. */
function why(message = '') {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
  const plain = message.replace(/\u001b\[[\d;]*m/g, '')
  return plain
    .split('\n')
    .slice(0, 12)
    .map((line) => `    ${line}`)
    .join('\n')
}

function missing(suite) {
  notes.push(`failed: ${suite} left no report`)
  count(0, 1, 0)
}

function run(args, env = {}) {
  return spawnSync(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1
}
