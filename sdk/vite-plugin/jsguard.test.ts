import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type JsguardOptions, jsguard } from './jsguard.ts'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'vite-jsguard-'))
  mkdirSync(join(root, 'src'))
  const write = (name: string, text: string) => writeFileSync(join(root, name), text)
  write('index.html', '<!doctype html><script type="module" src="/src/main.js"></script>')
  write(
    'src/main.js',
    `import { fee } from './fee.js'
globalThis.result = [fee(60000), await import('./late.js').then((late) => late.greet('Li'))].join(' ')`,
  )
  write(
    'src/fee.js',
    `export const fee = (amount) => Math.max(2, Math.round(amount * 0.001)) + ' secret currency words'`,
  )
  write('src/late.js', `export const greet = (name) => 'good morning, dear customer ' + name`)
})
afterAll(() => rmSync(root, { recursive: true }))

/** A real build; answers the scripts that it wrote, by name. */
async function built(
  name: string,
  options?: JsguardOptions,
): Promise<{ folder: string; scripts: Record<string, string> }> {
  const outDir = join(root, name)
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: options ? [jsguard(options)] : [],
    build: {
      outDir,
      target: 'es2022',
      sourcemap: true,
      modulePreload: false,
      rolldownOptions: { input: join(root, 'src/main.js'), preserveEntrySignatures: false },
    },
  })
  const folder = join(outDir, 'assets')
  const files = readdirSync(folder).filter((one) => one.endsWith('.js'))
  return { folder, scripts: Object.fromEntries(files.map((one) => [one, readFileSync(join(folder, one), 'utf8')])) }
}

function runBuilt(folder: string): string {
  const main = readdirSync(folder).find((one) => /^(main|index)-.*\.js$/.test(one)) as string
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const code = `await import(${JSON.stringify(join(folder, main))}); console.log(globalThis.result)`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })
  return stdout.trim() || stderr
}

test('[JS-01] a Vite build with the plugin does the same, chunks find each other, and its strings are hidden', async () => {
  const plain = await built('plain')
  const guarded = await built('guarded', { preset: 'medium' })
  expect(Object.keys(plain.scripts).length).toBe(2)
  expect(Object.keys(guarded.scripts).length).toBe(2)
  const expected = '60 secret currency words good morning, dear customer Li'
  expect(runBuilt(plain.folder)).toBe(expected)
  expect(runBuilt(guarded.folder)).toBe(expected)
  expect(Object.values(plain.scripts).join()).toContain('secret currency words')
  expect(Object.values(guarded.scripts).join()).not.toMatch(/secret currency words|dear customer/)
}, 60_000)

test('settings are part of the file names, maps of protected chunks are left out, chunks may be excluded', async () => {
  const low = await built('low', { preset: 'low' })
  const high = await built('high', { preset: 'high', exclude: /late/ })
  expect(Object.keys(low.scripts)).not.toEqual(Object.keys(high.scripts))
  for (const [name, code] of Object.entries(high.scripts)) {
    const isExcluded = name.startsWith('late')
    expect(existsSync(join(high.folder, `${name}.map`)), name).toBe(isExcluded)
    expect(code.includes('dear customer')).toBe(isExcluded)
  }
}, 60_000)

test('the build names parts that were left out of a chunk', () => {
  const warnings: string[] = []
  const code = `var A = class { #p = 1; has(o) { return #p in o } 3 = 'words that are hidden' }; var answer = new A().has(new A()) + String(new A()[3])`
  const bundle = { 'a.js': { type: 'chunk' as const, fileName: 'a.js', code, map: null } }
  const error = (message: string): never => {
    throw new Error(message)
  }
  jsguard().generateBundle.call({ warn: (message) => warnings.push(message), error }, {}, bundle)
  expect(bundle['a.js'].code).not.toContain('words that are hidden')
  expect(warnings).toEqual([expect.stringMatching(/^a\.js: parts that do not fit this code were left out: flow/)])
}, 60_000)
