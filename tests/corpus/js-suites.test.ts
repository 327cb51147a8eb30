import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { protectScript } from '#engines/jsguard/protect-script.ts'
import { PRESETS, type Preset, SCRIPT_OPTIONS } from '#engines/jsguard/script-options.ts'

/** The test suites of other people's packages give the same results before and after their code was protected. */

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'js-suites-'))
  // Next to the copies, where their tests find what they need.
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A copy of the package as it is, or with its code protected. */
function copyOf(name: string, preset?: Preset): string {
  const copy = join(folder, `${name}-${preset ?? 'original'}`)
  cpSync(join('node_modules', name), copy, { recursive: true })
  const files = name === 'minimist' ? ['index.js'] : readdirSync(join(copy, 'lib')).map((file) => join('lib', file))
  if (preset)
    for (const file of files) {
      const path = join(copy, file)
      const before = readFileSync(path)
      const result = protectScript(before, { name: file, seed: 1, options: { ...SCRIPT_OPTIONS, preset } })
      expect(result.strength).toBe(preset)
      writeFileSync(path, result.code)
    }
  return copy
}

/** Each assertion of the suite: whether it held, and its name. */
function suite(copy: string): string[] {
  const tests = readdirSync(join(copy, 'test')).filter((name) => name.endsWith('.js'))
  const args = [resolve('node_modules/tape/bin/tape'), ...tests.map((name) => join('test', name))]
  const { stdout } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8', maxBuffer: 2 ** 28 })
  return stdout
    .split('\n')
    .filter((line) => /^(not )?ok \d/.test(line))
    .map((line) => line.replace(/^((?:not )?ok) \d+ /, '$1 '))
}

// The packages bring their tests along.
for (const [name, least] of [
  ['minimist', 150],
  ['qs', 700],
] as const)
  test(`[JS-01] the suite of ${name} gives the same result names at every preset`, () => {
    expect(existsSync(join('node_modules', name, 'test'))).toBe(true)
    const before = suite(copyOf(name))
    expect(before.length).toBeGreaterThan(least)
    expect(before.filter((line) => line.startsWith('not'))).toEqual([])
    for (const preset of PRESETS) expect(suite(copyOf(name, preset)), preset).toEqual(before)
  }, 180_000)
