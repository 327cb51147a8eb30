import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isProblem, readNvdEntry } from './read-nvd.ts'

const good = {
  cve: {
    id: 'CVE-2026-12345',
    vulnStatus: 'Analyzed',
    published: '2026-01-02T03:04:05.678',
    lastModified: '2026-02-03T00:00:00.000',
    descriptions: [
      { lang: 'es', value: 'no' },
      { lang: 'en', value: 'A heap overflow in Example.' },
    ],
    metrics: { cvssMetricV31: [{ cvssData: { baseScore: 9.8 } }] },
    weaknesses: [{ description: [{ lang: 'en', value: 'CWE-787' }] }],
    configurations: [{ nodes: [{ cpeMatch: [{ criteria: 'cpe:2.3:a:example:sdk_core:1.0:*:*:*:*:*:*:*' }] }] }],
    references: [{ url: 'https://example.com/advisory' }, { url: 'javascript:alert(1)' }],
  },
}

test('[VULN-01] an entry of the NVD becomes one of the library', () => {
  expect(readNvdEntry(good)).toMatchObject({
    number: 'CVE-2026-12345',
    level: 'super',
    type: 'out_of_bounds',
    component: 'example sdk core',
    cvss: 9.8,
    released: '2026-01-02',
    updated: '2026-02-03',
    references: ['https://example.com/advisory'],
  })
})

test('[VULN-01] what is incomplete, rejected or no entry at all is named, never guessed', () => {
  const change = (over: object) => readNvdEntry({ cve: { ...good.cve, ...over } })
  expect(change({ metrics: {} })).toEqual({ number: 'CVE-2026-12345', problem: 'score' })
  expect(change({ descriptions: [] })).toEqual({ number: 'CVE-2026-12345', problem: 'text' })
  expect(change({ vulnStatus: 'Rejected' })).toEqual({ number: 'CVE-2026-12345', problem: 'rejected' })
  expect(change({ id: 'CVE-1' })).toEqual({ number: 'CVE-1', problem: 'number' })
  expect(readNvdEntry(null)).toEqual({ number: '', problem: 'shape' })
})

test('any JSON is an entry or a problem', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(...Object.keys(good.cve)), (value, key) => {
      for (const one of [value, { cve: value }, { cve: { ...good.cve, [key]: value } }])
        expect(typeof isProblem(readNvdEntry(one))).toBe('boolean')
    }),
  )
})
