import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parse } from 'acorn'
import { afterAll, describe, expect, test } from 'vitest'
import { protectScript } from '#engines/jsguard/protect-script.ts'
import { PRESETS, SCRIPT_OPTIONS } from '#engines/jsguard/script-options.ts'

/** What public tools restore of protected scripts, where SCRIPT_SUITES_DIR (else the folder beside the project) has them installed. */
const modules = resolve(process.env['SCRIPT_SUITES_DIR'] || '..', 'node_modules')
const folder = mkdtempSync(join(tmpdir(), 'script-restorers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const SECONDS = 60

type Tool = {
  name: string
  needs: readonly string[]
  /** What it makes of the script; undefined where it ends without a result. */
  restore: (file: string) => string | undefined
  /** Points by which a text may get more readable: literals that it puts together again. */
  gain: number
}

const TOOLS: readonly Tool[] = [
  {
    name: 'obfuscator-io-deobfuscator',
    needs: ['obfuscator-io-deobfuscator/dist/cli.js'],
    restore(file) {
      const out = `${file}.restored.js`
      run([join(modules, 'obfuscator-io-deobfuscator/dist/cli.js'), file, '-o', out])
      return existsSync(out) ? readFileSync(out, 'utf8') : undefined
    },
    gain: 10,
  },
  {
    name: 'webcrack',
    // Its decoder needs a compiled module; without one it starts nothing.
    needs: ['webcrack/dist/cli.js', 'isolated-vm/out/isolated_vm.node'],
    restore(file) {
      const { status, stdout } = run([join(modules, 'webcrack/dist/cli.js'), file])
      return status === 0 && stdout ? stdout : undefined
    },
    // A version that decodes strings is no failure of ours: docs/areas/js-protection.md says that anyone who runs the code reads them.
    gain: 100,
  },
]

function run(args: readonly string[]) {
  return spawnSync(process.execPath, [...args], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    timeout: SECONDS * 1000,
    input: '',
    env: { PATH: process.env['PATH'] },
  })
}

/** String literals and property names of three characters and more. */
function wordsOf(code: string): string[] {
  const found = new Set<string>()
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const one of node) walk(one)
      return
    }
    if (typeof node !== 'object' || node === null) return
    const { type, value, name, property, key, computed } = node as Record<string, unknown>
    const named = (type === 'MemberExpression' ? property : type === 'Property' ? key : undefined) as
      | { type: string; name?: string }
      | undefined
    if (type === 'Literal' && typeof value === 'string') found.add(value)
    if (named?.type === 'Identifier' && !computed && named.name) found.add(named.name)
    if (name === undefined || type !== 'Identifier') for (const one of Object.values(node)) walk(one)
  }
  walk(parse(code, { ecmaVersion: 'latest', sourceType: 'script' }))
  return [...found].filter((word) => word.length >= 3)
}

const original = readFileSync('node_modules/minimist/index.js', 'utf8')
const words = wordsOf(original)
const readable = (text: string) => Math.round((100 * words.filter((word) => text.includes(word)).length) / words.length)

for (const tool of TOOLS) {
  const missing = tool.needs.filter((path) => !existsSync(join(modules, path)))
  const why = missing.length > 0 ? ` (skipped: no ${missing.join(', ')} in SCRIPT_SUITES_DIR)` : ''
  describe.skipIf(missing.length > 0)(`${tool.name}${why}`, () => {
    test(`[JS-01] what ${tool.name} restores of minimist is no more than what is published`, {
      timeout: 300_000,
    }, () => {
      const shares = PRESETS.map((preset) => {
        const options = { ...SCRIPT_OPTIONS, preset }
        const { code } = protectScript(Buffer.from(original), { name: 'index.js', seed: 1, options })
        const file = join(folder, `${tool.name}-${preset}.js`)
        writeFileSync(file, code)
        const restored = tool.restore(file)
        const text = Buffer.from(code).toString('utf8')
        return { preset, shipped: readable(text), restored: restored === undefined ? undefined : readable(restored) }
      })
      process.stdout.write(
        `${tool.name}: ${shares.map(({ preset, shipped, restored }) => `${preset} ${shipped} % -> ${restored === undefined ? 'no result' : `${restored} %`}`).join(', ')}\n`,
      )
      const [low, medium, high] = shares as [(typeof shares)[0], (typeof shares)[0], (typeof shares)[0]]
      // Low hides no string, high most of them.
      expect(low.shipped).toBeGreaterThan(90)
      expect(medium.shipped).toBeLessThan(low.shipped)
      expect(high.shipped).toBeLessThan(medium.shipped)
      for (const { preset, shipped, restored = 0 } of shares)
        expect(restored - shipped, preset).toBeLessThanOrEqual(tool.gain)
    })
  })
}
