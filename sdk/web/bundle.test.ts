import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SdkManifest, SdkManifestSchema } from '#contracts/http/sdk.ts'
import { SDK_VERSION } from './version.ts'

const TOP = resolve(import.meta.dirname, '../..')
let folder: string
let manifest: SdkManifest

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'aw-sdk-build-'))
  // Without a compiler, so that the reason shows, and the build stays quick.
  const env = { ...process.env, APPWARDEN_JAVAC: '' }
  const { status, stderr } = spawnSync(process.execPath, [join(TOP, 'scripts/build-sdk.mjs'), folder], {
    env,
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
  manifest = SdkManifestSchema.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('[SDK-01] the web SDK is one file of less than 8 kB compressed, as a script and as a module', () => {
  for (const id of ['web-script', 'web-module']) {
    const file = manifest.files.find((one) => one.id === id)
    const bytes = readFileSync(join(folder, file?.name ?? ''))
    expect(gzipSync(bytes, { level: 9 }).length).toBeLessThan(8000)
    expect(bytes.toString()).not.toMatch(/\bimport\s*[({'"]|sourceMappingURL/)
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(file?.sha256)
    expect(file?.size).toBe(bytes.length)
  }
  expect(manifest.version).toBe(SDK_VERSION)
})

test('[SDK-01] where no Java compiler is, the jar is named as missing and the source is there', () => {
  expect(manifest.missing).toEqual([{ id: 'android-jar', platform: 'android', reason: 'javac' }])
  const source = manifest.files.find(({ id }) => id === 'android-source')
  expect(
    readFileSync(join(folder, source?.name ?? ''))
      .subarray(0, 4)
      .toString('latin1'),
  ).toBe('PK\x03\x04')
})

test('[SDK-01] the client of the interface is one file that needs nothing but Node, and says how it is used', () => {
  const file = manifest.files.find(({ id }) => id === 'client-module')
  const path = join(folder, file?.name ?? '')
  const imports = [...readFileSync(path, 'utf8').matchAll(/^import .* from ["'](.*)["'];?$/gm)].map(([, from]) => from)
  expect(imports.length).toBeGreaterThan(0)
  expect(imports.filter((from) => !from?.startsWith('node:'))).toEqual([])
  const shown = spawnSync(process.execPath, [path, 'scan'], { encoding: 'utf8', env: {} })
  expect([shown.status, shown.stderr]).toEqual([2, expect.stringContaining('APPWARDEN_TOKEN')])
})
