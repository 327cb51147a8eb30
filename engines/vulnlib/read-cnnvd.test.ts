import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeEntries } from './merge-entries.ts'
import { readCnnvdEntry } from './read-cnnvd.ts'
import { isProblem, readNvdEntry } from './read-nvd.ts'
import type { Vulnerability } from './vulnerability.ts'

const PARTS = {
  name: '<name>Example SDK 缓冲区错误漏洞</name>',
  id: '<vuln-id>CNNVD-202601-1234</vuln-id>',
  published: '<published>2026-01-02</published>',
  modified: '<modified>2026-03-04</modified>',
  severity: '<severity>高危</severity>',
  type: '<vuln-type>缓冲区错误</vuln-type>',
  text: '<vuln-descript>Example SDK 1.4 之前版本存在缓冲区错误 &lt;漏洞&gt;。</vuln-descript>',
  other: '<other-id><cve-id>CVE-2026-12345</cve-id></other-id>',
  solution: '<vuln-solution>升级到 1.4。</vuln-solution>',
  refs: '<refs><ref><ref-url>https://example.com/a</ref-url></ref><ref><ref-url>javascript:alert(1)</ref-url></ref></refs>',
  software: '<vuln-software-list><product>cpe:/a:example:sdk_core:1.3</product></vuln-software-list>',
}
const entry = (over: Partial<typeof PARTS> = {}) => `<entry>${Object.values({ ...PARTS, ...over }).join('')}</entry>`

test('[VULN-01] an entry of CNNVD becomes one of the library, under the CVE number that it names', () => {
  expect(readCnnvdEntry(entry())).toMatchObject({
    number: 'CVE-2026-12345',
    level: 'high',
    levelBasis: 'vendor',
    type: 'memory_corruption',
    component: 'example sdk core',
    name: { zh: 'Example SDK 缓冲区错误漏洞' },
    introduction: { zh: 'Example SDK 1.4 之前版本存在缓冲区错误 <漏洞>。' },
    advice: { zh: '升级到 1.4。' },
    source: 'CNNVD CNNVD-202601-1234',
    references: ['https://example.com/a'],
    released: '2026-01-02',
    updated: '2026-03-04',
    cvss: null,
    ranges: [{ vendor: 'example', product: 'sdk_core', version: '1.3' }],
  })
  expect(readCnnvdEntry(entry({ other: '' }))).toMatchObject({ number: 'CNNVD-202601-1234' })
})

test('[VULN-01] what is incomplete, or no entry at all, is named', () => {
  expect(readCnnvdEntry(entry({ severity: '' }))).toEqual({ number: 'CNNVD-202601-1234', problem: 'score' })
  expect(readCnnvdEntry(entry({ text: '' }))).toEqual({ number: 'CNNVD-202601-1234', problem: 'text' })
  expect(readCnnvdEntry(entry({ id: '<vuln-id>1</vuln-id>' }))).toEqual({ number: '1', problem: 'number' })
  const bomb = `<!DOCTYPE a [<!ENTITY b "${'c'.repeat(99)}">]>${entry()}`
  for (const one of [undefined, '', '<a/>', entry().slice(0, -8), bomb])
    expect(readCnnvdEntry(one)).toEqual({ number: '', problem: 'shape' })
})

test('any text is an entry or a problem', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom(...(Object.keys(PARTS) as (keyof typeof PARTS)[])), (text, key) => {
      for (const one of [text, entry({ [key]: text }), entry({ [key]: PARTS[key].replace('>', `>${text}`) })])
        expect(typeof isProblem(readCnnvdEntry(one))).toBe('boolean')
    }),
  )
})

test('of one number, Chinese texts come from CNNVD, and score and ranges from NVD, in whichever order they are imported', () => {
  const cnnvd = readCnnvdEntry(entry()) as Vulnerability
  const nvd = readNvdEntry({
    cve: {
      id: 'CVE-2026-12345',
      published: '2026-01-01T00:00:00.000',
      lastModified: '2026-02-03T00:00:00.000',
      descriptions: [{ lang: 'en', value: 'A heap overflow in Example.' }],
      metrics: { cvssMetricV31: [{ cvssData: { baseScore: 9.8 } }] },
      configurations: [
        {
          nodes: [{ cpeMatch: [{ criteria: 'cpe:2.3:a:example:sdk_core:*:*', versionEndExcluding: '1.4' }] }],
        },
      ],
    },
  }) as Vulnerability
  const merged = mergeEntries(nvd, cnnvd)
  expect(merged).toMatchObject({
    level: 'super',
    cvss: 9.8,
    introduction: { zh: cnnvd.introduction.zh, en: 'A heap overflow in Example.' },
    advice: { zh: '升级到 1.4。', en: '' },
    updated: '2026-03-04',
    confirmedBy: ['NVD', 'CNNVD'],
    ranges: [{ vendor: 'example', product: 'sdk_core', before: '1.4' }],
  })
  expect(mergeEntries(cnnvd, nvd)).toEqual(merged)
  expect(mergeEntries(nvd, { ...nvd, cvss: 5 })).toMatchObject({ cvss: 5, confirmedBy: ['NVD'] })
})
