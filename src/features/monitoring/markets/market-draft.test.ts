import { expect, test } from 'vitest'
import type { MarketConnector } from '#contracts/http/monitoring/markets.ts'
import { connectorOf, draftOf, hostsOf, NEW_MARKET, readRule, writeRule } from './market-draft.ts'

const data = { kind: 'store', region: 'cn', home: '', enabled: true } as const
const rule = (select: string, attribute = '', pattern = '') => ({ select, attribute, pattern })
const request = { url: 'http://m.example/?q={keyword}', form: '', encoding: 'gb18030', firstPage: 0, pages: 4 } as const

test('[MON-01] a connector comes out of the editor as it went in', () => {
  const connectors: MarketConnector[] = [
    { kind: 'manual' },
    {
      kind: 'html',
      ...request,
      items: 'li',
      fields: { name: rule('a', 'title', '(.+) | (.+)'), download: rule('', 'href') },
      detail: null,
    },
    {
      kind: 'json',
      ...request,
      items: 'list',
      fields: { name: rule('t') },
      detail: { kind: 'html', fields: { download: rule('a', 'href') } },
    },
    {
      kind: 'json',
      ...request,
      form: 'q={keyword}',
      items: '',
      fields: { name: rule('t'), page: rule('p') },
      detail: { kind: 'json', fields: { download: rule('data.url') } },
    },
    { kind: 'sitemap', ...request, contains: '/app/', detail: { kind: 'html', fields: { name: rule('h1') } } },
  ]
  for (const connector of connectors)
    expect(
      connectorOf(draftOf({ names: { zh: '甲', en: 'A' }, data, connector, hosts: [], interval_ms: 500 })),
    ).toEqual(connector)
})

test('a form that is no longer shown is not sent', () => {
  const form = 'q={keyword}'
  expect(connectorOf({ ...NEW_MARKET, way: 'html', form })).toMatchObject({ form })
  expect(connectorOf({ ...NEW_MARKET, way: 'rss', form })).toMatchObject({ form: '' })
})

test('rules and hosts are read as they are written', () => {
  expect(readRule('a.x | href')).toEqual(rule('a.x', 'href'))
  expect(writeRule(rule('a', '', '(\\d|x)'))).toBe('a |  | (\\d|x)')
  expect(readRule(writeRule(rule('a', '', '(\\d|x)')))).toEqual(rule('a', '', '(\\d|x)'))
  expect(hostsOf({ ...NEW_MARKET, hosts: 'A.example, .b.example\n\nc.example' })).toEqual([
    'a.example',
    '.b.example',
    'c.example',
  ])
})
