import { describe, expect, test } from 'vitest'
import { ConnectorSchema, MARKET_KIND_NAMES } from '#contracts/http/monitoring/markets.ts'
import { parseJsonPath } from '#engines/listing/json-path.ts'
import { compiled, readDetail, readListing } from '#engines/listing/read-listing.ts'
import { parseSelector } from '#engines/listing/select-markup.ts'
import { type AskedMarket, doubtOf } from './ask-market.ts'
import { BUILT_IN, hostsOf, pageToLook } from './market-catalogue.ts'

const HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/
const open = BUILT_IN.filter(({ closed }) => !closed)
const written = BUILT_IN.filter(({ connector }) => connector.kind !== 'manual')
const marketOf = (id: string) => BUILT_IN.find((one) => one.id === id)!
const listing = (id: string, body: unknown) => {
  const { connector } = marketOf(id)
  if (connector.kind === 'manual') throw new Error(`${id} has no connector`)
  return readListing(connector, typeof body === 'string' ? body : JSON.stringify(body))
}

describe('the catalogue', () => {
  test('[MON-01] at least 600 channels that did not end their service, of every kind, in China and elsewhere', () => {
    expect(open.length).toBeGreaterThanOrEqual(600)
    for (const kind of MARKET_KIND_NAMES.filter((one) => one !== 'other'))
      for (const region of ['cn', 'overseas'])
        expect(
          open.filter((one) => one.kind === kind && one.region === region).length,
          `${kind} ${region}`,
        ).toBeGreaterThan(10)
  })

  test('[MON-01] each channel is there once: by id, by both names and by home page', () => {
    const seen = new Map<string, string>()
    for (const { id, names, home } of BUILT_IN)
      for (const text of [
        `id ${id}`,
        `zh ${names.zh.toLowerCase()}`,
        `en ${names.en.toLowerCase()}`,
        `home ${home
          .toLowerCase()
          .replace(/^https?:\/\/(?:www\.)?/, '')
          .replace(/\/$/, '')}`,
      ]) {
        expect(seen.get(text), `${text} of ${id}`).toBeUndefined()
        seen.set(text, id)
      }
  })

  test('[MON-01] each channel has an id, both names, a public host, and a search page that takes the keyword', () => {
    for (const { id, names, home, search } of BUILT_IN) {
      expect(id).toMatch(/^[a-z0-9][a-z0-9-]{0,59}$/)
      expect(names.zh.trim() && names.en.trim(), id).toBeTruthy()
      for (const address of [home, ...(search ? [search.replaceAll('{keyword}', 'x')] : [])]) {
        const url = new URL(address)
        expect(url.hostname, id).toMatch(HOST)
        expect([url.port, url.username, url.password, url.hash], id).toEqual(['', '', '', ''])
      }
      if (search) expect(search, id).toContain('{keyword}')
    }
    expect(pageToLook(marketOf('google-play'), '银行 & co')).toBe(
      'https://play.google.com/store/search?q=%E9%93%B6%E8%A1%8C%20%26%20co&c=apps',
    )
    expect(pageToLook(marketOf('instagram'), 'x')).toBe('https://www.instagram.com/')
  })
})

describe('connectors that were written from public documentation', () => {
  test('[MON-01] each is sound, names its documentation, asks its own hosts and is marked as not tried', () => {
    expect(written.length).toBeGreaterThanOrEqual(100)
    for (const market of written) {
      const { id, connector, source, untried, closed, intervalMs } = market
      expect(ConnectorSchema.safeParse(connector).success, id).toBe(true)
      expect([URL.canParse(source), untried, closed], id).toEqual([true, true, false])
      expect(intervalMs, id).toBeGreaterThanOrEqual(3000)
      for (const host of hostsOf(market)) expect(host.replace(/^\./, ''), id).toMatch(HOST)
      if (connector.kind === 'manual' || connector.kind === 'sitemap') throw new Error(id)
      expect(connector.url, id).not.toContain('{of}')
      const rules = [
        [connector.kind, { select: connector.items, pattern: '' }],
        ...Object.values(connector.fields).map((rule) => [connector.kind, rule] as const),
        ...Object.values(connector.detail?.fields ?? {}).map((rule) => [connector.detail!.kind, rule] as const),
      ] as const
      for (const [kind, { select, pattern }] of rules) {
        if (select)
          expect(kind === 'json' ? parseJsonPath(select) : parseSelector(select), `${id} ${select}`).toBeDefined()
        if (pattern) expect(compiled(pattern), `${id} ${pattern}`).toBeDefined()
      }
    }
    expect(BUILT_IN.filter(({ untried }) => untried)).toEqual(written)
  })

  test('[MON-01] an answer in the documented form is read: App Store, repositories, sources, releases, Aptoide, F-Droid', () => {
    const app = {
      trackName: 'Bank',
      bundleId: 'com.a',
      version: '1.2',
      trackViewUrl: 'https://apps.apple.com/fr/app/1',
      sellerName: 'A',
    }
    expect(listing('app-store-fr', { resultCount: 1, results: [app] }).items).toEqual([
      { name: 'Bank', package: 'com.a', version: '1.2', page: app.trackViewUrl, developer: 'A' },
    ])
    const index = {
      repo: {},
      apps: [],
      packages: {
        'com.a': [
          { packageName: 'com.a', versionName: '2', apkName: 'a_2.apk' },
          { packageName: 'com.a', versionName: '1', apkName: 'a_1.apk' },
        ],
      },
    }
    expect(listing('fdroid-microg', index).items).toEqual([
      { package: 'com.a', version: '2', download: 'a_2.apk' },
      { package: 'com.a', version: '1', download: 'a_1.apk' },
    ])
    const source = {
      apps: [
        {
          name: 'Bank',
          bundleIdentifier: 'com.a',
          developerName: 'A',
          versions: [{ version: '3', downloadURL: 'https://x.example/a.ipa' }],
        },
      ],
    }
    expect(listing('altsource-utm', source).items).toEqual([
      { name: 'Bank', package: 'com.a', version: '3', developer: 'A', download: 'https://x.example/a.ipa' },
    ])
    const aptoide = {
      datalist: {
        list: [
          {
            name: 'Bank',
            package: 'com.a',
            file: { vername: '4', path: 'https://pool.apk.aptoide.com/a.apk' },
            stats: { downloads: 7 },
          },
        ],
      },
    }
    expect(listing('aptoide', aptoide).items).toEqual([
      { name: 'Bank', package: 'com.a', version: '4', download: 'https://pool.apk.aptoide.com/a.apk', downloads: '7' },
    ])
    expect(
      listing('f-droid', { apps: [{ name: 'Bank', url: 'https://f-droid.org/en/packages/com.a' }] }).items,
    ).toEqual([{ name: 'Bank', package: 'com.a', page: 'https://f-droid.org/en/packages/com.a' }])
    const repository = {
      items: [
        { name: 'bank', owner: { login: 'a' }, releases_url: 'https://api.github.com/repos/a/bank/releases{/id}' },
      ],
    }
    expect(listing('github-releases', repository).items).toEqual([
      { name: 'bank', developer: 'a', page: 'https://api.github.com/repos/a/bank/releases' },
    ])
  })

  test('[MON-01] of the files of a release the first package is taken', () => {
    const { connector } = marketOf('github-releases')
    const detail = (connector as { detail: Parameters<typeof readDetail>[0] }).detail
    const file = (name: string) => ({ browser_download_url: `https://github.com/a/bank/releases/download/v5/${name}` })
    const releases = [{ tag_name: 'v5', assets: [file('notes.txt'), file('bank.apk'), file('bank-x86.apk')] }]
    expect(readDetail(detail, JSON.stringify(releases))).toEqual({
      version: 'v5',
      download: file('bank.apk').browser_download_url,
    })
    expect(readDetail(detail, JSON.stringify([{ tag_name: 'v5', assets: [file('notes.txt')] }]))).toEqual({
      version: 'v5',
    })
  })

  test('[MON-01] an index with more entries than are read says that it was cut', () => {
    const many = Object.fromEntries(
      Array.from({ length: 2001 }, (_, at) => [`com.a${at}`, [{ packageName: `com.a${at}`, apkName: `${at}.apk` }]]),
    )
    const read = listing('fdroid-microg', { packages: many })
    expect([read.items.length, read.isCut]).toEqual([2000, true])
    expect(listing('fdroid-microg', { packages: {} }).isCut).toBe(false)
  })

  test('[MON-01] an untried connector that reads nothing, or one that names no files, says nothing of what is offered', () => {
    const asked = (more: Partial<AskedMarket>): AskedMarket => ({
      candidates: [],
      pages: 1,
      items: 5,
      isPartial: false,
      leads: [],
      isWithoutFiles: false,
      readsNames: true,
      refusal: '',
      ...more,
    })
    const untried = { untried: true, source: 'https://example.com/docs' }
    const tried = { untried: false, source: '' }
    expect(doubtOf(asked({ items: 0 }), untried)).toEqual(['untried', 'https://example.com/docs'])
    expect(doubtOf(asked({ items: 0 }), tried)).toBeUndefined()
    expect(doubtOf(asked({}), untried)).toBeUndefined()
    const lead = { name: 'Bank', page: 'https://apps.example/1' }
    expect(doubtOf(asked({ leads: [lead] }), tried)).toEqual(['nofile', ''])
    expect(doubtOf(asked({ isPartial: true }), tried)?.[0]).toBe('partial')
    // Entries without a file: only of a connector that was never seen to find one this says that it may be wrong.
    expect(doubtOf(asked({ isWithoutFiles: true }), untried)?.[0]).toBe('partial')
    expect(doubtOf(asked({ isWithoutFiles: true }), tried)).toBeUndefined()
    expect(doubtOf(asked({ readsNames: false }), tried)?.[0]).toBe('partial')
    expect(doubtOf(asked({ refusal: 'https://x.example/1: status 403' }), tried)).toEqual([
      'partial',
      'https://x.example/1: status 403',
    ])
  })

  test('[MON-01] App Stores and AltStore sources offer iOS applications alone; a pace of Apple is that of its documentation', () => {
    const ios = BUILT_IN.filter(({ platform }) => platform === 'ios').map(({ id }) => id)
    expect(ios.filter((id) => id.startsWith('app-store-')).length).toBeGreaterThanOrEqual(60)
    expect(ios.filter((id) => id.startsWith('altsource-')).length).toBeGreaterThanOrEqual(20)
    expect(written.filter(({ id }) => /^(?:app-store|altsource)-/.test(id)).map(({ id }) => id)).toEqual(ios)
    // About 20 requests a minute, from all of its stores together.
    expect(marketOf('app-store-cn').intervalMs).toBeGreaterThanOrEqual(3000)
  })
})
