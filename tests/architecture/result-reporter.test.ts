import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const FILES = {
  'vitest.config.js': 'export default {}',
  'hook.test.js': `
    import { beforeAll, describe, expect, test } from 'vitest'
    describe('outer', () => {
      beforeAll(() => { throw new Error('no database') })
      test('one', () => {})
      test.skip('two', () => {})
      describe('inner', () => { test('three', () => {}) })
    })
    describe('sound', () => {
      test('four', () => expect(1).toBe(1))
      test('five', (context) => context.skip())
      test('six', () => expect(1).toBe(2))
    })`,
  'load.test.js': `import './none.js'`,
}

test('[A0] a suite that cannot start counts as failed, and so does each of its tests except those marked to be skipped', () => {
  mkdirSync('reports', { recursive: true })
  const folder = mkdtempSync(resolve('reports/reporter-'))
  try {
    mkdirSync(join(folder, 'reports'))
    for (const [name, source] of Object.entries(FILES)) writeFileSync(join(folder, name), source)
    const reporter = resolve('scripts/result-reporter.mjs')
    const vitest = resolve('node_modules/vitest/vitest.mjs')
    const args = [vitest, 'run', `--reporter=${reporter}`]
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')))
    const { status } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env })
    expect(status).toBe(1)
    const { failures, seconds, ...sums } = JSON.parse(readFileSync(join(folder, 'reports/vitest.json'), 'utf8'))
    // Failed: the file that does not load; the suite 'outer' with its tests 'one' and 'three'; 'six'.
    expect(sums).toEqual({ passed: 1, failed: 5, skipped: 2, flaky: [] })
    expect(Object.keys(seconds).sort()).toEqual(['hook.test.js', 'load.test.js'])
    expect(failures.map((one: { name: string }) => one.name).sort()).toEqual([
      'hook.test.js: outer: the suite cannot start',
      'hook.test.js: sound > six',
      'load.test.js: the suite cannot start',
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
