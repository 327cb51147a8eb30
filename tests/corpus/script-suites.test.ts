import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { protectScript } from '#engines/jsguard/protect-script.ts'
import { type Preset, SCRIPT_OPTIONS } from '#engines/jsguard/script-options.ts'

/**
 * The test suites of lodash, underscore and dayjs before and after protection. Copies of their repositories lie in SCRIPT_SUITES_DIR (else
 * beside the project), with what the suites need installed there; docs/areas/js-protection.md says how.
 */
const suites = resolve(process.env['SCRIPT_SUITES_DIR'] || '..')
const folder = mkdtempSync(join(tmpdir(), 'script-suites-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Suite = {
  name: string
  /** Files of the copy, and packages beside it, without which it cannot run. */
  needs: readonly string[]
  parts: readonly string[]
  /** Scripts that are protected. */
  scripts: (copy: string) => string[]
  prepare?: (copy: string) => void
  /** Results by name: `ok …` or `not ok …`, in order. */
  run: (copy: string) => string[]
  /** Results that a preset changes, each for a reason that is known. */
  differences: Partial<Record<Preset, readonly string[]>>
  /** Results that fail without protection too. */
  failing: readonly RegExp[]
  least: number
}

/** Results of the last try of each test: asynchronous ones are tried again where a busy machine was too slow for them. */
const HOOK = `
const { appendFileSync } = require('node:fs')
const Module = require('node:module')
const load = Module._load
const seen = new Set()
Module._load = function (request, ...rest) {
  const loaded = load.call(this, request, ...rest)
  const QUnit = /^(qunitjs|qunit-extras)$/.test(request) && (loaded.QUnit ?? loaded)
  if (QUnit && typeof QUnit.testDone === 'function' && !seen.has(QUnit)) {
    seen.add(QUnit)
    QUnit.testDone(({ module, name, assertions }) => {
      for (const { result, message } of assertions)
        appendFileSync(process.env.SUITE_LOG, JSON.stringify([result, module, name, message ?? '']) + '\\n')
    })
  }
  return loaded
}
`

function node(args: readonly string[], cwd: string, env: Record<string, string> = {}) {
  return spawnSync(process.execPath, [...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    timeout: 280_000,
    input: '',
    env: { PATH: process.env['PATH'], TZ: 'UTC', ...env },
  })
}

const SUITES: readonly Suite[] = [
  {
    name: 'lodash',
    needs: ['lodash/test/test.js', 'lodash/node_modules/lodash', 'node_modules/qunitjs', 'node_modules/qunit-extras'],
    parts: ['lodash.js', 'test', 'package.json', 'node_modules/lodash'],
    scripts: () => ['lodash.js'],
    run(copy) {
      const [hook, log] = [join(copy, 'hook.cjs'), join(copy, 'results.log')]
      writeFileSync(hook, HOOK)
      node(['--require', hook, 'test/test.js'], copy, { SUITE_LOG: log })
      const lines = readFileSync(log, 'utf8').trim().split('\n')
      return lines.map((line) => {
        const [isRight, ...names] = JSON.parse(line) as [boolean, ...string[]]
        return `${isRight ? 'ok' : 'not ok'} ${names.join(' > ').replace(/took \d+ms/, 'took some ms')}`
      })
    },
    // It replaces Buffer by a getter that recognises lodash by the name and the source of its caller, which protection changes.
    differences: { low: ['isBuffer'], medium: ['isBuffer'] },
    failing: [],
    least: 6800,
  },
  {
    name: 'underscore',
    needs: ['underscore/test/objects.js', 'node_modules/qunit'],
    parts: ['underscore-umd.js', 'underscore-node.cjs', 'underscore-node-f.cjs', 'test', 'package.json'],
    scripts: () => ['underscore-umd.js'],
    // Such a depth takes more of the stack than the machine gives to longer frames.
    prepare(copy) {
      for (const name of ['arrays.js', 'objects.js']) {
        const file = join(copy, 'test', name)
        writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/\b100000\b/g, '5000'))
      }
    },
    run(copy) {
      const tests = readdirSync(join(copy, 'test')).filter((name) => name.endsWith('.js'))
      const args = [join(suites, 'node_modules/qunit/bin/qunit.js'), ...tests.map((name) => join('test', name))]
      let results = resultLines(node(args, copy).stdout)
      // Tests of throttle and debounce wait for milliseconds that a busy machine does not keep: what was right once is right.
      for (let tries = 1; tries < 8 && results.some((line) => /^not ok Functions > /.test(line)); tries++) {
        const again = resultLines(node(args, copy).stdout)
        results = results.map((line, at) => (again[at]?.startsWith('ok ') ? again[at] : line))
      }
      return results
    },
    differences: {},
    // They need its build step.
    failing: [/^not ok Tree-shaking > /],
    least: 200,
  },
  {
    name: 'dayjs',
    needs: ['dayjs/src/index.js', 'node_modules/moment-timezone', 'node_modules/mockdate'],
    parts: ['src', 'test', 'types', 'package.json'],
    scripts: (copy) =>
      readdirSync(join(copy, 'src'), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.js'))
        .map((name) => join('src', name)),
    prepare(copy) {
      writeFileSync(
        join(copy, 'vitest.config.mjs'),
        // Locales import the package by its name, which Jest finds in its package.json.
        `export default {
  resolve: { alias: [{ find: /^dayjs$/, replacement: ${JSON.stringify(join(copy, 'src/index.js'))} }] },
  test: { globals: true, include: ['test/**/*.test.js'], setupFiles: ['./jest-names.js'], maxWorkers: 1 },
}\n`,
      )
      // The suite is written for Jest, whose names these are.
      writeFileSync(join(copy, 'jest-names.js'), 'globalThis.jest = Object.assign({ genMockFunction: vi.fn }, vi)\n')
    },
    run(copy) {
      const report = join(copy, 'results.json')
      node([resolve('node_modules/vitest/vitest.mjs'), 'run', '--reporter=json', `--outputFile=${report}`], copy)
      type Report = { testResults: { name: string; assertionResults: { status: string; fullName: string }[] }[] }
      const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
      return testResults
        .flatMap(({ name, assertionResults }) =>
          assertionResults.map(
            ({ status, fullName }) =>
              `${status === 'passed' ? 'ok' : 'not ok'} ${name.slice(copy.length + 1)} > ${fullName}`,
          ),
        )
        .sort()
    },
    differences: {},
    // A function whose source this engine reads as a date, and an hour that happens twice, of which moment takes the other one.
    failing: [/ > Parse rejects invalid values$/, / > DST edge cases vs moment parses the fall-back overlap /],
    least: 640,
  },
]

function resultLines(tap: string): string[] {
  return tap
    .split('\n')
    .filter((line) => /^(not )?ok \d/.test(line))
    .map((line) => line.replace(/^((?:not )?ok) \d+ /, '$1 '))
}

function copyOf(suite: Suite, preset?: Preset): string {
  const copy = join(folder, `${suite.name}-${preset ?? 'original'}`)
  for (const part of suite.parts)
    if (existsSync(join(suites, suite.name, part))) {
      mkdirSync(dirname(join(copy, part)), { recursive: true })
      cpSync(join(suites, suite.name, part), join(copy, part), { recursive: true })
    }
  suite.prepare?.(copy)
  if (preset)
    for (const name of suite.scripts(copy)) {
      const path = join(copy, name)
      const result = protectScript(readFileSync(path), { name, seed: 1, options: { ...SCRIPT_OPTIONS, preset } })
      expect(result.strength, name).toBe(preset)
      writeFileSync(path, result.code)
    }
  return copy
}

for (const suite of SUITES) {
  const missing = suite.needs.filter((path) => !existsSync(join(suites, path)))
  const why = missing.length > 0 ? ` (skipped: no ${missing.join(', ')} in SCRIPT_SUITES_DIR)` : ''
  describe.skipIf(missing.length > 0)(`the suite of ${suite.name}${why}`, { timeout: 1_200_000 }, () => {
    test(`[JS-01] the suite of ${suite.name} gives the same result names at low and medium, but for differences that are explained`, () => {
      if (!existsSync(join(folder, 'node_modules')))
        symlinkSync(join(suites, 'node_modules'), join(folder, 'node_modules'))
      const before = suite.run(copyOf(suite))
      expect(before.length).toBeGreaterThan(suite.least)
      const failed = before.filter((line) => line.startsWith('not ok'))
      expect(failed.filter((line) => !suite.failing.some((known) => known.test(line)))).toEqual([])
      for (const preset of ['low', 'medium'] as const) {
        const after = suite.run(copyOf(suite, preset))
        expect(after.length, preset).toBe(before.length)
        const changed = after.filter((line, at) => line !== before[at])
        const known = suite.differences[preset] ?? []
        process.stdout.write(`${suite.name} ${preset}: ${before.length} results, ${changed.length} differ\n`)
        expect(changed.filter((line) => !known.some((name) => line.includes(name)))).toEqual([])
        expect(changed, preset).toHaveLength(known.length)
      }
    })
  })
}
