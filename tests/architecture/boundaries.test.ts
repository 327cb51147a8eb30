import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const folders = 'runtime contracts domain engines storage server realtime src mocks tests sdk cli scripts'.split(' ')
const tool = resolve('node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
type Report = {
  modules: { source: string }[]
  summary: { violations: { rule: { name: string }; from: string; to: string }[] }
}

/** The report on the folders below `cwd`, judged by our own rules. */
function cruise(cwd: string): Promise<Report> {
  const present = folders.filter((folder) => existsSync(join(cwd, folder)))
  const args = [tool, '--config', resolve('.dependency-cruiser.cjs'), '-T', 'json', ...present]
  return new Promise((done, fail) => {
    execFile(process.execPath, args, { cwd, maxBuffer: 1 << 28 }, (_error, stdout, stderr) => {
      if (stdout) done(JSON.parse(stdout) as Report)
      else fail(new Error(stderr))
    })
  })
}

test('no arrow between folders is broken, and every source was read', { timeout: 120_000 }, async () => {
  const report = await cruise(process.cwd())
  const read = new Set(report.modules.map((one) => one.source))
  const onDisk = folders
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name))))
    .filter((name) => /(?<![.]d)[.]tsx?$/.test(name))
  expect(onDisk.length).toBeGreaterThan(20)
  expect(onDisk.filter((name) => !read.has(name))).toEqual([])
  expect(report.summary.violations.map((one) => `${one.rule.name}: ${one.from} -> ${one.to}`)).toEqual([])
})

test('canary: planted imports are found', { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'canary-'))
  const planted = {
    'contracts/a.ts': "import { e } from '#engines/e.ts'\nexport const a = e\n",
    'engines/e.ts': "import type { S } from '../server/s.ts'\nexport const e: S = 1\n",
    'engines/geo/g.ts': 'export const g = 1\n',
    'realtime/r.ts': "export { g } from '#engines/geo/g.ts'\nexport { e } from '#engines/e.ts'\n",
    'server/s.ts': 'export type S = number\n',
    'src/app/router.ts': 'export const router = 1\n',
    'src/features/g/v/v.ts': "export { router } from '#src/app/router.ts'\n",
    'src/shared/w.ts': "export * from '#src/features/g/v/v.ts'\n",
    'src/features/g/x/x.tsx': "export const X = () => <b>{String(import('#src/features/g/y/y.ts'))}</b>\n",
    'src/features/g/y/y.ts': "export * from '../../../nothing.ts'\n",
  }
  for (const [name, text] of Object.entries(planted)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  cpSync('package.json', join(folder, 'package.json'))
  const report = await cruise(folder)
  rmSync(folder, { recursive: true })
  expect(report.summary.violations.map((one) => `${one.rule.name} ${one.from}`).sort()).toEqual([
    'contracts-arrows contracts/a.ts',
    'engines-arrows engines/e.ts',
    'feature-alone src/features/g/x/x.tsx',
    'features-below-app src/features/g/v/v.ts',
    'realtime-arrows realtime/r.ts',
    'resolved src/features/g/y/y.ts',
    'shared-below-features src/shared/w.ts',
  ])
})
