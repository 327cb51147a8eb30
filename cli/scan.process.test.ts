import { closeSync, ftruncateSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ScanResultSchema } from '#contracts/detection/scan-result.ts'
import { compareCommand } from './compare.ts'
import { scanCommand } from './scan.ts'

const PACKAGE = 'node_modules/io.appium.settings/apks/settings_apk-debug.apk'
const NOW = Date.UTC(2026, 10, 21, 12)
let folder: string
let json: string

function run(command: typeof scanCommand, ...args: string[]) {
  let text = ''
  const code = command(args, (line) => (text += line), NOW)
  return { code, text }
}
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'scan-'))
  json = join(folder, 'result.json')
  run(scanCommand, PACKAGE, '--format', 'json', '--out', json)
})
afterAll(() => rmSync(folder, { recursive: true }))

test('[DET-03] the same package, rules and day give the same bytes of JSON, and what the schema says', () => {
  const first = readFileSync(json, 'utf8')
  expect(run(scanCommand, PACKAGE, '--format', 'json').text).toBe(first.trimEnd())
  const result = ScanResultSchema.parse(JSON.parse(first))
  // The server reads a result by its schema: its bytes are the same, the order of fields included.
  expect(JSON.stringify(result)).toBe(first.trimEnd())
  expect(result.package.id).toBe('io.appium.settings')
})

describe('the exit code', () => {
  test('the exit code of a scan is 0 when the gate passes and 1 when it does not', () => {
    expect(run(scanCommand, PACKAGE, '--strategy', 'surface', '--gate', 'none').code).toBe(0)
    const failed = run(scanCommand, PACKAGE, '--strategy', 'surface', '--gate', 'score=100,middle=0')
    expect(failed.code).toBe(1)
    expect(failed.text).toContain('is below 100')
    const strategy = join(folder, 'strategy.json')
    writeFileSync(
      strategy,
      JSON.stringify({ items: ['android-debuggable'], gate: { forbidden: ['android-debuggable'] } }),
    )
    expect(run(scanCommand, PACKAGE, '--strategy', strategy, '--lang', 'zh').text).toContain('应用可被调试')
  })
  test('is 2 for an archive that was cut, which is called damaged', () => {
    const cut = join(folder, 'cut.apk')
    writeFileSync(cut, readFileSync(PACKAGE).subarray(0, 100_000))
    const { code, text } = run(scanCommand, cut)
    expect(code).toBe(2)
    expect(text).toMatch(/^damaged ZIP: /)
  })
  test('is 2 for what is no package or not understood', () => {
    const rubbish = join(folder, 'rubbish.apk')
    writeFileSync(rubbish, 'no package')
    for (const args of [
      [],
      [PACKAGE, PACKAGE],
      [join(folder, 'none.apk')],
      [rubbish],
      [PACKAGE, '--kinds', 'dynamic'],
      [PACKAGE, '--kinds', 'x'],
      [PACKAGE, '--gate', 'high=x'],
      [PACKAGE, '--strategy', rubbish],
      [PACKAGE, '--format', 'pdf'],
      [PACKAGE, '--type', 'x'],
      [PACKAGE, '--date', 'today'],
      [PACKAGE, '--wrong'],
      [PACKAGE, '--type', 'constructor'],
      [PACKAGE, '--date', '2026-02-31'],
      ['/dev/zero'],
      [folder],
    ])
      expect(run(scanCommand, ...args), args.join(' ')).toMatchObject({ code: 2 })
    expect(run(compareCommand, json).code).toBe(2)
    const half = join(folder, 'half.json')
    writeFileSync(half, readFileSync(json).subarray(0, 1000))
    expect(run(compareCommand, half, PACKAGE)).toMatchObject({
      code: 2,
      text: expect.stringContaining('no whole JSON'),
    })
    const huge = join(folder, 'huge.apk')
    const descriptor = openSync(huge, 'w')
    ftruncateSync(descriptor, 3 * 2 ** 30)
    closeSync(descriptor)
    expect(run(scanCommand, huge)).toMatchObject({ code: 2, text: expect.stringContaining('more than 2 GB') })
    expect(run(compareCommand, huge, json).code).toBe(2)
  })
})

test('SARIF 2.1.0 names a rule an item and a result a finding, each with a stable fingerprint and a location', () => {
  const { text } = run(scanCommand, PACKAGE, '--format', 'sarif')
  const log = JSON.parse(text)
  const [{ tool, results, artifacts }] = log.runs
  expect(log.version).toBe('2.1.0')
  expect(artifacts[0].hashes['sha-256']).toMatch(/^[0-9a-f]{64}$/)
  expect(results.length).toBeGreaterThan(5)
  for (const one of results) {
    expect(tool.driver.rules[one.ruleIndex].id).toBe(one.ruleId)
    expect(one.partialFingerprints['appwarden/v1']).toMatch(/^[0-9a-f]{16}$/)
    expect(one.locations[0].physicalLocation.artifactLocation.uri).not.toBe('')
    expect(['error', 'warning', 'note']).toContain(one.level)
  }
})

test('CycloneDX 1.6 lists the components with their versions, the same on one day', () => {
  const { text } = run(scanCommand, PACKAGE, '--format', 'cyclonedx')
  const bom = JSON.parse(text)
  expect(bom).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    metadata: { timestamp: '2026-11-21T00:00:00.000Z' },
  })
  const artifacts = bom.components.filter(({ purl }: { purl?: string }) => purl?.startsWith('pkg:maven/'))
  expect(artifacts.length).toBeGreaterThan(10)
  for (const one of artifacts) expect(one.version, one.name).toMatch(/^\d/)
  expect(run(scanCommand, PACKAGE, '--format', 'cyclonedx').text).toBe(text)
  expect(run(scanCommand, PACKAGE, '--format', 'spdx')).toMatchObject({
    code: 2,
    text: expect.stringContaining('cyclonedx'),
  })
})

describe('compare', () => {
  test('finds no difference between a package and its own result', () => {
    const { code, text } = run(compareCommand, PACKAGE, json)
    expect(code).toBe(0)
    expect(text).toMatch(/new 0 {2}fixed 0 {2}unchanged \d+/)
  })
  test('lists added and removed items, and fails its gate for a new high item', () => {
    const older = ScanResultSchema.parse(JSON.parse(readFileSync(json, 'utf8')))
    const index = older.items.findIndex((item) => item.verdict === 'fail')
    const items = older.items.map((item, at) =>
      at === index ? { ...item, level: 'high', verdict: 'pass', findings: [], hits: 0, owner: null } : item,
    )
    const before = join(folder, 'before.json')
    const newer = { ...older, items: older.items.map((item, at) => (at === index ? { ...item, level: 'high' } : item)) }
    const after = join(folder, 'after.json')
    writeFileSync(before, JSON.stringify({ ...older, items, permissions: older.permissions.slice(1) }))
    writeFileSync(after, JSON.stringify(newer))
    const { code, text } = run(compareCommand, before, after)
    expect(code).toBe(1)
    expect(text).toContain(`+ High    ${older.items[index]?.id}`)
    expect(text).toContain(`+ permission ${older.permissions[0]?.name}`)
    const chinese = run(compareCommand, before, after, '--lang', 'zh').text
    expect(chinese).toMatch(/^命中 {6}新增 \d+ {2}已修复 \d+ {2}未变 \d+$/m)
    expect(chinese).toContain(`+ 权限 ${older.permissions[0]?.name}`)
    expect(run(compareCommand, before, after, '--gate', 'none').code).toBe(0)
    expect(run(compareCommand, after, before).code).toBe(0)
  })
})
