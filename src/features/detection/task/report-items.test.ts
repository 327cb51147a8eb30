import { expect, test } from 'vitest'
import type { ItemLine } from '#contracts/http/detection/result.ts'
import { countBy, matches, readReportFilter, reportItem, sortedItems } from './report-items.ts'

const line = (id: string, change: Partial<ItemLine> = {}): ItemLine => ({
  id,
  category: 'manifest',
  level: 'high',
  confidence: 'high',
  name: { zh: id, en: id },
  verdict: 'fail',
  reason: null,
  hits: 1,
  owner: 'own',
  threat: { zh: '', en: '' },
  advice: { zh: '', en: '' },
  references: { masvs: [], maswe: [], mastg: [], cwe: [], cve: [], gbt: [] },
  suppressed: 0,
  muted: false,
  suppression: null,
  ...change,
})
const all = [
  line('old-high'),
  line('new-low', { level: 'low' }),
  line('sdk-high', { owner: 'sdk' }),
  line('muted', { muted: true }),
  line('passed', { verdict: 'pass', owner: null, hits: 0, category: 'network' }),
  line('unseen', { verdict: 'not_assessed', owner: null, hits: 0, category: 'network' }),
].map((one) =>
  reportItem(
    one,
    new Map([
      ['new-low', 'new'],
      ['old-high', 'unchanged'],
      ['sdk-high', 'unchanged'],
      ['passed', 'unchanged'],
    ]),
    new Map([
      ['old-high', 10],
      ['muted', 10],
    ]),
  ),
)
const filter = (search: string) => readReportFilter(new URLSearchParams(search))
const shown = (search: string) =>
  sortedItems(all.filter((one) => matches(one, filter(search)))).map((one) => one.item.id)

test('[DET-03] failed items stand first: new ones, then by level, own code before SDKs', () => {
  expect(shown('')).toEqual(['new-low', 'old-high', 'sdk-high'])
  expect(shown('verdict=all')).toEqual(['new-low', 'old-high', 'sdk-high', 'unseen', 'passed', 'muted'])
})

test('[DET-03] a suppressed item costs nothing and is listed apart; an item that passed is neither new nor unchanged', () => {
  expect(shown('verdict=suppressed')).toEqual(['muted'])
  expect(all.find((one) => one.item.id === 'muted')?.points).toBe(0)
  expect(all.find((one) => one.item.id === 'passed')?.change).toBeNull()
})

test('filters of the address narrow together, and words they do not know are left out', () => {
  expect(shown('level=high&owner=sdk')).toEqual(['sdk-high'])
  expect(shown('change=unchanged')).toEqual(['old-high', 'sdk-high'])
  expect(shown('verdict=all&category=network')).toEqual(['unseen', 'passed'])
  expect(filter('verdict=nonsense&level=extreme&owner=me&change=x')).toEqual({
    verdict: 'fail',
    level: null,
    category: null,
    owner: null,
    change: null,
    find: '',
  })
})

test('each choice of a filter is counted with the other filters kept, so that a count is what a click shows', () => {
  const at = filter('level=high')
  const levels = countBy(all, at, 'level', (one) => one.item.level)
  expect(Object.fromEntries(levels)).toEqual({ high: 2, low: 1 })
  for (const [level, count] of levels) expect(shown(`level=${level}`).length).toBe(count)
  const verdicts = countBy(all, at, 'verdict', (one) => one.verdict)
  for (const [verdict, count] of verdicts) expect(shown(`level=high&verdict=${verdict}`).length).toBe(count)
})
