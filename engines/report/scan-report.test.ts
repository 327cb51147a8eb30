import { expect, test } from 'vitest'
import { judgeResult } from '../detect/result/judge-result.ts'
import { cyclonedxOf } from './cyclonedx.ts'
import type { ReportPart, ReportReader } from './report-context.ts'
import { reportTerms } from './report-terms-fixture.ts'
import { scanReport } from './scan-report.ts'
import { scanResult as result, reportText as text } from './scan-result-fixture.ts'

const gate = {
  min_score: 95,
  max: { high: 0, middle: null, low: null },
  forbidden: [],
  own_only: false,
  need_assessed: false,
  need_signature: true,
}
const judged = judgeResult(result, (id) => id === 'muted', gate)
const input = {
  terms: reportTerms,
  result,
  judged,
  issuer: 'AppWarden',
  logo: null,
  footer: '',
  operator: 'a@b.c',
  strategy: text('full'),
  date: '2026-11-21 21:00',
  made: 0,
  kindNames: {},
  categoryName: (one: string) => one,
}
const FACTS = ['basic', 'certificates', 'permissions', 'sdks', 'risks', 'details', 'privacy'] as const
const CHAPTERS: Record<ReportReader, readonly ReportPart[]> = {
  manager: ['first_steps', 'risks'],
  developer: [...FACTS, 'components', 'domains', 'content', 'passed'],
  regulator: FACTS,
}
const shown = (language: 'zh' | 'en', reader: ReportReader) =>
  JSON.stringify(scanReport({ ...input, language, reader, parts: CHAPTERS[reader] }))

test('[DET-04] chapters come as the platform chose them, between the verdict and what was not looked at', () => {
  const headings = (parts: readonly ReportPart[], reader: ReportReader = 'developer') =>
    scanReport({ ...input, language: 'en', reader, parts, footer: 'Confidential' }).blocks.flatMap((block) =>
      block.kind === 'heading' && block.level === 1 ? [block.text] : [],
    )
  const [first, ...rest] = headings([])
  expect(rest).toHaveLength(1)
  const some = headings(['permissions', 'basic'])
  expect([some[0], some.at(-1)]).toEqual([first, rest[0]])
  expect(some).toHaveLength(4)
  expect(headings(['risks', 'privacy'])).toEqual(headings(['privacy', 'risks']))
  expect(headings(['risks', 'privacy'], 'regulator')).not.toEqual(headings(['risks', 'privacy']))
})

test('[DET-03] the first page adds up: verdict and gate, points by level, what to mend first with its gain, and coverage', () => {
  const { front, blocks } = scanReport({ ...input, language: 'en', reader: 'developer', parts: CHAPTERS.developer })
  if (!front) throw new Error('no first page')
  expect(front.verdict).toMatchObject({ text: 'Must not be released', tone: 'bad' })
  expect(front.conditions.filter(({ met }) => !met)).toHaveLength(judged.gate.reasons.length)
  expect(front.score.taken.reduce((sum, { points }) => sum + points, front.score.value)).toBe(100)
  expect(front.first.rows).toMatchObject([{ level: 'high', gain: '+10 points', anchor: 'cleartext' }])
  expect(blocks).toContainEqual(expect.objectContaining({ kind: 'heading', anchor: 'cleartext' }))
  expect(front.coverage.parts.reduce((sum, { count }) => sum + count, 0)).toBe(result.items.length)
  const without = scanReport({ ...input, language: 'en', reader: 'manager', parts: CHAPTERS.manager }).front
  expect(without?.first.rows[0]?.anchor).toBeNull()
})

test('where every failed item costs one point no list of deductions repeats it, and references are links', () => {
  const items = result.items.map((item) => ({ ...item, level: 'low' as const }))
  const low = { ...input, judged: judgeResult({ ...result, items }, () => false, gate) }
  const tables = (of: typeof input) =>
    scanReport({ ...of, language: 'en', reader: 'developer', parts: [] }).blocks.filter(({ kind }) => kind === 'table')
  expect(tables(low)).toHaveLength(0)
  expect(tables(input)).toHaveLength(1)
  expect(shown('en', 'developer')).toContain('https://cwe.mitre.org/data/definitions/319.html')
  expect(shown('en', 'developer')).toContain('https://mas.owasp.org/MASVS/controls/MASVS-NETWORK-1/')
})

test('[DET-03] a report holds basic information, certificate, permissions, SDKs and risk items with level, threat, result, advice', () => {
  const words = shown('zh', 'developer')
  for (const one of [
    '基本信息',
    '签名证书',
    '权限',
    'SDK 列表',
    '个推',
    'cleartext中',
    '高危',
    'threat中',
    'advice中',
    'com.example.A.go():7',
    'CWE-319',
  ])
    expect(words).toContain(one)
  expect(words).toContain('不可发布')
})

test('each reader gets his part, in one language, without what is suppressed', () => {
  expect(shown('en', 'manager')).not.toContain('threat en')
  expect(shown('en', 'regulator')).toContain('Personal information checks')
  for (const reader of ['manager', 'developer', 'regulator'] as const) {
    expect(shown('en', reader)).not.toMatch(/cleartext中|高危|不可发布/)
    expect(shown('zh', reader)).not.toContain('muted中')
    expect(shown('zh', reader)).toBe(shown('zh', reader))
  }
})

test('the bill of materials names package, SDKs with version, and libraries', () => {
  const bom = cyclonedxOf(result, 0) as { serialNumber: string; components: { name: string; version?: string }[] }
  expect(bom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(bom.components.map(({ name, version }) => [name, version])).toEqual([
    ['Getui', '3.1'],
    ['libx.so', undefined],
  ])
})
