import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Connector } from './connector.ts'
import { decodePage } from './decode-page.ts'
import { parseJsonPath, valuesAt } from './json-path.ts'
import { decodeEntities, readMarkup, textOf } from './markup-tree.ts'
import { countOf, readDetail, readListing } from './read-listing.ts'
import { readRobots, robotsAllow } from './robots.ts'
import { parseSelector, selectAll } from './select-markup.ts'
import { suggestDetail, suggestRules } from './suggest-rules.ts'

const texts = (html: string, selector: string) =>
  selectAll(readMarkup(html), parseSelector(selector)!, 100).map((one) => textOf(one))
const rule = (select: string, attribute = '', pattern = '') => ({ select, attribute, pattern })
const REQUEST = { url: 'http://m/?q={keyword}', form: '', encoding: 'utf-8', firstPage: 1, pages: 1 } as const

describe('markup', () => {
  test('end tags that HTML leaves out, void elements, attributes of every spelling, entities', () => {
    const html = `<!doctype html><ul><li class="a b">1<li class='b'>2 &amp; &#x4e2d;</ul><p>x<p data-n=7>y<br>z<table><tr><td>q<td>r</table>`
    expect(texts(html, 'li')).toEqual(['1', '2 & 中'])
    expect(texts(html, 'li.a.b')).toEqual(['1'])
    expect(texts(html, 'p')).toEqual(['x', 'y z'])
    expect(texts(html, 'p[data-n="7"]')).toHaveLength(1)
    expect(texts(html, 'tr > td:nth-child(2)')).toEqual(['r'])
    expect(decodeEntities('&lt;&copy;&nosuch;&#0;&#xd800;')).toBe('<©&nosuch;\ufffd\ufffd')
  })

  test('scripts are texts that hold no elements, and are no part of what an element says', () => {
    const html = `<div><script>document.write('<a class="x">no</a>')</script><a class="x">yes</a></div>`
    expect(texts(html, 'a.x')).toEqual(['yes'])
    expect(texts(html, 'div')).toEqual(['yes'])
    expect(textOf(readMarkup('<title>a &amp; b'))).toBe('a & b')
  })

  test('selectors: lists, descendants and children; what is no selector is refused', () => {
    const html = `<div id=main><span><b>1</b></span><b>2</b></div><i href="/app/3">3</i>`
    expect(texts(html, '#main b')).toEqual(['1', '2'])
    expect(texts(html, '#main > b, i')).toEqual(['2', '3'])
    expect(texts(html, 'i[href^="/app/"]')).toEqual(['3'])
    expect(texts(html, "i[href$='4'], i[href*=pp]")).toEqual(['3'])
    for (const wrong of ['', '>', 'a >', 'a,', 'a:hover', 'a[', '..', 'a'.repeat(400)])
      expect(parseSelector(wrong), wrong).toBeUndefined()
  })

  test('any text gives a tree, in time that grows with its length', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'<>/="\' a!-[]?&;lidp', 'script') }),
        fc.boolean(),
        (text, xml) => {
          expect(textOf(readMarkup(text, xml)).length).toBeLessThanOrEqual(text.length + 8)
        },
      ),
    )
    const begun = performance.now()
    readMarkup('<div>'.repeat(200_000))
    readMarkup('<p <'.repeat(100_000))
    readMarkup('<script>'.repeat(50_000))
    readMarkup(`<a ${'x '.repeat(200_000)}>`)
    expect(performance.now() - begun).toBeLessThan(4000)
    expect(selectAll(readMarkup('<b>'.repeat(100_000)), parseSelector('b b b b b b b')!, 1e6).length).toBeLessThan(
      60_000,
    )
  })

  test('a selector takes time that grows with the page alone, however it is written and whatever the page is', () => {
    const steps = (text: string) => parseSelector(text)!
    const begun = performance.now()
    // Each element would be compared with all those above it, step by step.
    const deep = readMarkup('<b>'.repeat(100_000))
    expect(selectAll(deep, steps('x b b b b b b b b b b b'), 1e6)).toEqual([])
    expect(selectAll(deep, steps('x > b b > b b > b b > b b > b b'), 1e6)).toEqual([])
    const wide = readMarkup('<i></i>'.repeat(50_000))
    expect(selectAll(wide, steps('i:nth-child(9999)'), 9)).toHaveLength(1)
    const long = readMarkup(`<div>${'<div>text '.repeat(150)}${'word '.repeat(500_000)}`)
    for (const one of selectAll(long, steps('div'), 500)) expect(textOf(one).length).toBeLessThanOrEqual(20_000)
    readRobots(`Disallow: /x${' '.repeat(400_000)}y\nCrawl-delay${' '.repeat(80_000)}`, 'x')
    expect(performance.now() - begun).toBeLessThan(4000)
  })

  test('steps of a selector: a child is not a descendant, and what fits once need not fit below', () => {
    const html = '<div class=a><p><i>1</i></p></div><p><div class=a><i>2</i></div></p><i>3</i>'
    expect(texts(html, 'div.a i')).toEqual(['1', '2'])
    expect(texts(html, 'div.a > i')).toEqual(['2'])
    expect(texts(html, 'div.a > p > i')).toEqual(['1'])
    expect(texts(html, 'p div i, div p i')).toEqual(['1'])
    expect(texts('<u><u><b><u><i>x</i></u></b></u></u>', 'u > u i')).toEqual(['x'])
  })
})

describe('listings', () => {
  test('[MON-01] a list of HTML with selectors, attributes and a pattern', () => {
    const connector: Connector = {
      kind: 'html',
      ...REQUEST,
      items: 'div.app',
      fields: {
        name: rule('h3'),
        page: rule('a', 'href'),
        package: rule('', 'data-id', 'pkg:(.+)'),
        downloads: rule('.n'),
      },
      detail: null,
    }
    const html = `<div class=app data-id="pkg:com.a"><h3> Bank
      App</h3><a href="/d/1">x</a><i class=n>3.2万次下载</i></div><div class=app></div>`
    expect(readListing(connector, html)).toEqual({
      items: [{ name: 'Bank App', package: 'com.a', page: '/d/1', downloads: '3.2万次下载' }, {}],
      problem: '',
      isCut: false,
    })
    expect(readListing({ ...connector, items: ':::' }, html).problem).toBe('selector')
  })

  test('[MON-01] a list of JSON, also as the call of a function; a page of something else is named', () => {
    const connector: Connector = {
      kind: 'json',
      ...REQUEST,
      items: 'data.list',
      fields: { name: rule('title'), version: rule('info.versions[0]'), downloads: rule('count') },
      detail: null,
    }
    const body = JSON.stringify({
      data: { list: [{ title: 'A', info: { versions: ['1.2'] }, count: 12 }, { __proto__: 1 }] },
    })
    const items = [{ name: 'A', version: '1.2', downloads: '12' }]
    expect(readListing(connector, body)).toEqual({ items, problem: '', isCut: false })
    expect(readListing(connector, `callback(${body});`)).toEqual({ items, problem: '', isCut: false })
    expect(readListing(connector, '<html>')).toEqual({ items: [], problem: 'not-json', isCut: false })
    expect(readDetail({ kind: 'json', fields: { name: rule('a.b') } }, '{"a":{"b":"c"}}')).toEqual({ name: 'c' })
    expect(valuesAt({}, parseJsonPath('constructor.name')!, 9)).toEqual([])
    expect(parseJsonPath('a[[0]')).toBeUndefined()
  })

  test('[MON-01] the items of feeds and sitemaps are read', () => {
    const rss: Connector = { kind: 'rss', ...REQUEST, items: '', fields: {}, detail: null }
    const feed = `<?xml version="1.0"?><rss><channel><title>M</title><item><title><![CDATA[A & B]]></title><link>http://m/1</link><pubDate>x</pubDate></item></channel></rss>`
    expect(readListing(rss, feed).items).toEqual([{ name: 'A & B', page: 'http://m/1' }])
    const atom = `<feed><entry><title>C</title><link rel="alternate" href="http://m/2"/></entry></feed>`
    expect(readListing(rss, atom).items).toEqual([{ name: 'C', page: 'http://m/2' }])
    const map: Connector = { kind: 'sitemap', ...REQUEST, contains: '/app/', detail: { kind: 'html', fields: {} } }
    const xml = '<urlset><url><loc>http://m/app/1</loc></url><url><loc>http://m/news/2</loc></url></urlset>'
    expect(readListing(map, xml).items).toEqual([{ page: 'http://m/app/1' }])
  })

  test('counts as people write them', () => {
    expect(['3.2万次下载', '1,234,567', '1.5M+', '12.345', '', '2亿', '0'].map(countOf)).toEqual([
      32_000,
      1_234_567,
      1_500_000,
      12_345,
      null,
      200_000_000,
      0,
    ])
  })
})

describe('encodings and robots', () => {
  test('[MON-01] a page is decoded by its mark, its answer, its declaration, or its bytes', () => {
    const gbk = Buffer.from([0xd5, 0xc6, 0xc9, 0xcf, 0xd2, 0xf8, 0xd0, 0xd0])
    expect(decodePage(gbk, 'text/html; charset=GBK')).toEqual({ text: '掌上银行', charset: 'gbk' })
    expect(decodePage(gbk, 'text/html').text).toBe('掌上银行')
    expect(decodePage(Buffer.concat([Buffer.from('<meta charset="gb2312">'), gbk]), '').text).toContain('掌上银行')
    expect(decodePage(Buffer.from('\ufeff银'), 'text/html; charset=gbk').text).toBe('银')
    expect(decodePage(Buffer.from('银'), 'text/html; charset=nosuch').text).toBe('银')
  })

  test('[MON-01] robots.txt: the group of the client, the longest rule, wildcards, a delay', () => {
    const robots = readRobots(
      'User-agent: *\nDisallow: /\n\nUser-agent: AppWarden\nUser-agent: other\nDisallow: /private # no\nAllow: /private/list\nDisallow: /*.apk$\nCrawl-delay: 2',
      'AppWardenMonitor',
    )
    expect(robots.delay).toBe(2)
    const paths = ['/', '/private/x', '/private/list?q=1', '/a/b.apk', '/a/b.apk?x']
    expect(paths.map((path) => robotsAllow(robots, path))).toEqual([true, false, true, false, true])
    expect(robotsAllow(readRobots('', 'x'), '/')).toBe(true)
    expect(robotsAllow(readRobots('User-agent: *\nDisallow: /', 'x'), '/y')).toBe(false)
    const slow = readRobots(`User-agent: *\nDisallow: /${'*a'.repeat(500)}$`, 'x')
    expect(robotsAllow(slow, `/${'a'.repeat(20_000)}`)).toBe(false)
  })
})

describe('suggested rules', () => {
  test('[MON-01] what repeats around the keyword is suggested; a page without it gives nothing', () => {
    const html = `<div id=list><div class="row a"><a href="/app/1">Bank</a><i>1.2.3</i><a href="/down/1.apk">get</a></div><div class="row b"><a href="/app/2">Other</a></div></div>`
    const [first] = suggestRules(html, 'bank')
    expect(first).toMatchObject({ kind: 'html', items: 'div.row' })
    expect(readListing({ ...first!, ...REQUEST, kind: 'html', detail: null }, html).items).toEqual([
      { name: 'Bank', version: '1.2.3', page: '/app/1', download: '/down/1.apk' },
      { name: 'Other', page: '/app/2' },
    ])
    expect(suggestRules(html, 'nothing of it')).toEqual([])
    expect(suggestRules('', 'x')).toEqual([])
    expect(suggestRules('{"broken', 'x')).toEqual([])
  })

  test('any text gives suggestions or none, in time that grows with its length', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'<>/="\' a[]{}:,1.', 'script', 'bank') }), (text) => {
        expect(suggestRules(text, 'bank').length).toBeLessThanOrEqual(6)
        suggestDetail(text)
      }),
    )
    const begun = performance.now()
    suggestRules('<div class=a>bank <a href=/file/1>'.repeat(30_000), 'bank')
    suggestRules(`<ul id=x>${'<li><a href="/file/1">bank</a><b>1.2</b>'.repeat(20_000)}</ul>`, 'bank')
    suggestDetail('<a href="/file/1" data-x="a.b.c.d"><b>1.2.3</b>'.repeat(20_000))
    suggestRules(JSON.stringify(Array.from({ length: 20_000 }, () => ({ a: 'bank', b: [{ c: ['bank'] }] }))), 'bank')
    expect(performance.now() - begun).toBeLessThan(6000)
  })
})
