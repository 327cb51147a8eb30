import { expect, test } from 'vitest'
import { judgeResult } from '../detect/result/judge-result.ts'
import type { ItemResult, ScanResult } from '../detect/result/scan-result.ts'
import { cyclonedxOf } from './cyclonedx.ts'
import type { ReportPart, ReportReader } from './report-context.ts'
import { scanReport } from './scan-report.ts'

const text = (word: string) => ({ zh: `${word}中`, en: `${word} en` })
const item = (id: string, over: Partial<ItemResult>): ItemResult => ({
  id,
  category: 'network',
  level: 'high',
  confidence: 'high',
  name: text(id),
  verdict: 'fail',
  reason: null,
  findings: [
    {
      fingerprint: '0123456789abcdef',
      owner: { kind: 'own', sdk: null },
      evidence: {
        entry: 'classes.dex',
        offset: 16,
        class: 'com.example.A',
        method: 'go(I)V',
        line: 7,
        snippet: ['const v0'],
      },
      detail: text('found'),
    },
  ],
  hits: 1,
  owner: 'own',
  threat: text('threat'),
  advice: text('advice'),
  references: { masvs: ['MASVS-NETWORK-1'], maswe: [], mastg: [], cwe: ['CWE-319'], cve: [], gbt: [] },
  ...over,
})
const result: ScanResult = {
  schema: 'appwarden-scan/1',
  package: {
    kind: 'apk',
    platform: 'android',
    name: '示例',
    id: 'com.example',
    version: '1.2',
    build: '12',
    minSdk: '24',
    targetSdk: '35',
    size: 2_097_152,
    md5: 'a'.repeat(32),
    sha1: 'b'.repeat(40),
    sha256: 'c'.repeat(64),
    mainClass: '',
    abis: ['arm64-v8a'],
    dexCount: 1,
    classCount: 3,
    packer: null,
    signed: true,
    schemes: ['v2'],
  },
  rules: { pack: 'p', version: '1', items: 3 } as ScanResult['rules'],
  kinds: ['static', 'sdk'],
  score: { value: 90, grade: 'high', deductions: [{ item: 'cleartext', points: 10 }], formula: text('formula') },
  counts: { high: 1, middle: 0, low: 0, info: 0 },
  items: [
    item('cleartext', {}),
    item('fine', { verdict: 'pass', findings: [], hits: 0, owner: null }),
    item('muted', { level: 'middle' }),
  ],
  certificates: [],
  permissions: [],
  components: [],
  sdks: [
    {
      id: 'getui',
      name: { zh: '个推', en: 'Getui' },
      vendor: '每日互动',
      category: 'push',
      country: 'CN',
      version: '3.1',
      state: 'called',
      personalInfo: ['device_id'],
      permissions: [],
      evidence: [{ entry: 'classes.dex', offset: -1 }],
      confidence: 'high',
    },
  ],
  domains: [],
  privacy: [],
  content: [],
  libraries: [{ entry: 'lib/arm64-v8a/libx.so', abi: 'arm64-v8a', name: 'libx.so' }],
  coverage: {
    classes: 3,
    classesRead: 3,
    methods: 9,
    methodsRead: 9,
    entries: 4,
    entriesRead: 4,
    ownPrefixes: ['com.example'],
    obfuscated: 0,
  },
  notAssessed: [],
}
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
  expect(words).toContain('未通过门禁')
})

test('each reader gets his part, in one language, without what is suppressed', () => {
  expect(shown('en', 'manager')).not.toContain('threat en')
  expect(shown('en', 'regulator')).toContain('Personal information checks')
  for (const reader of ['manager', 'developer', 'regulator'] as const) {
    expect(shown('en', reader)).not.toMatch(/cleartext中|高危|未通过/)
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
