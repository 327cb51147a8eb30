import type { MarketProblemKey } from '#contracts/http/monitoring/markets.ts'
import type { Connector, ListingItem } from '#engines/listing/connector.ts'
import { encodeKeyword } from '#engines/listing/encode-text.ts'
import { countOf, readDetail, readListing } from '#engines/listing/read-listing.ts'
import { plainLabel, textLikeness } from '#engines/similarity/label-likeness.ts'
import { type MarketPage, MarketProblem, type MarketSession } from './market-fetcher.ts'

/** What of an application is looked for. */
export interface Wanted {
  readonly keywords: readonly string[]
  /** Application ids of its packages. */
  readonly packages: readonly string[]
  /** Ids under which it is offered by its maker, in a market where each id is there once: entries with them are no copies. */
  readonly own?: readonly string[]
}

/** An item of a market that may be a copy. */
export interface Candidate {
  readonly name: string
  /** As the market says; '' where it does not. */
  readonly package: string
  readonly version: string
  /** What the market says of its own downloads; null where it says nothing. */
  readonly downloads: number | null
  readonly developer: string
  /** Page of the item, else the list that it is on. */
  readonly page: string
  readonly download: string
}

export interface AskedMarket {
  readonly candidates: readonly Candidate[]
  readonly pages: number
  readonly items: number
  /** There was more than is looked at. */
  readonly isPartial: boolean
  /** Items that may be copies, of a market whose connector names no files: people look at them. */
  readonly leads: readonly Lead[]
  /** Items were read that should lead to a file, and none did. */
  readonly isWithoutFiles: boolean
  /** The connector reads names of items; without, a copy under another id is not found. */
  readonly readsNames: boolean
  /** Why the first page of an item that could not be read was refused; '' where all were read. */
  readonly refusal: string
}

export interface Lead {
  readonly name: string
  /** Of the item, else of the list that it is on. */
  readonly page: string
}

/** Pages of items that one run opens in one market. */
const MOST_DETAILS = 60
/** After so many of them were refused no more are asked for. */
const MOST_REFUSALS = 5
const MOST_CANDIDATES = 100
const MOST_LEADS = 20
/** From which likeness on a name is worth a look: the packages decide afterwards. */
const NEAR_NAME = 0.6
const NEAR_PACKAGE = 0.8

/**
 * Asks one market for an application: every keyword, page by page until a page brings nothing new, and the pages of items where the list
 * does not name a file. Rejects with MarketProblem where the market cannot be asked; one that refuses pages of items was asked in part.
 */
export async function askMarket(session: MarketSession, connector: Connector, wanted: Wanted): Promise<AskedMarket> {
  if (connector.kind === 'manual') throw new MarketProblem('manual', 'this market is looked at by people')
  const found = new Map<string, Candidate>()
  let pages = 0
  let items = 0
  const opened = new Set<string>()
  const leads = new Map<string, Lead>()
  const hasFiles = namesFiles(connector)
  let isPartial = false
  let [looked, files, refusals, refusal] = [0, 0, 0, '']
  const searches = usesKeyword(connector.url, connector.form) ? wanted.keywords : ['']
  for (const keyword of searches) {
    const seen = new Set<string>()
    for (let at = 0; at < connector.pages; at++) {
      const encoded = encodeKeyword(keyword, connector.encoding)
      const fill = (text: string) =>
        text.replaceAll('{keyword}', encoded).replaceAll('{page}', String(connector.firstPage + at))
      const page = await session.page({ url: fill(connector.url), form: fill(connector.form) })
      pages++
      const listing = readListing(connector, page.text)
      if (listing.problem) throw new MarketProblem(listing.problem, `${page.url} cannot be read as the connector says`)
      if (listing.isCut) isPartial = true
      const fresh = listing.items.filter((item) => {
        const key = `${item.page ?? ''} ${item.download ?? ''} ${item.package ?? ''} ${item.name ?? ''}`
        if (key.trim() === '' || seen.has(key)) return false
        seen.add(key)
        return true
      })
      if (!fresh.length) break
      items += fresh.length
      for (const item of fresh) {
        const needsDetail = connector.detail !== null && item.page !== undefined && !item.download
        if (!needsDetail) {
          count(item)
          if (isNear(item, wanted)) add(item, page.url, page.url)
          continue
        }
        // A name that is known and far from what is looked for needs no second page.
        if (item.name !== undefined && !isNear(item, wanted)) continue
        const url = absolute(item.page!, page.url)
        // Opened for another keyword.
        if (opened.has(url)) continue
        if (opened.size >= MOST_DETAILS || refusals >= MOST_REFUSALS) {
          isPartial = true
          continue
        }
        opened.add(url)
        const detail = await detailOf(url)
        if (!detail) continue
        pages++
        const whole = { ...item, ...readDetail(connector.detail!, detail.text), page: url }
        count(whole)
        if (isNear(whole, wanted)) add(whole, detail.url, page.url)
      }
      if (!connector.url.includes('{page}') && !connector.form.includes('{page}')) break
    }
  }
  return {
    candidates: [...found.values()],
    ...{ pages, items, isPartial, refusal },
    leads: [...leads.values()],
    isWithoutFiles: hasFiles && looked > 0 && files === 0,
    readsNames: readsNames(connector),
  }

  function count({ download }: ListingItem): void {
    looked++
    if (download) files++
  }

  /** Undefined where the market refuses it. */
  async function detailOf(url: string): Promise<MarketPage | undefined> {
    try {
      return await session.page({ url, form: '' })
    } catch (error) {
      if (!(error instanceof MarketProblem) || error.problem === 'stopped') throw error
      refusal ||= `${url}: ${error.message}`
      // Who limits requests is left alone.
      refusals += error.problem === 'busy' ? MOST_REFUSALS : 1
      return undefined
    }
  }

  function add(item: ListingItem, base: string, list: string): void {
    if (!hasFiles) {
      if (wanted.own?.includes(item.package ?? '')) return
      const address = item.page ? absolute(item.page, base) : ''
      // Screens link it.
      const page = /^https?:/.test(address) ? address : list
      const name = item.name ?? item.package ?? ''
      const key = `${page} ${name}`
      if (leads.size < MOST_LEADS || leads.has(key)) leads.set(key, { name, page })
      else isPartial = true
    }
    if (!item.download) return
    const download = absolute(item.download, base)
    if (!/^https?:/.test(download)) return
    if (found.size >= MOST_CANDIDATES && !found.has(download)) {
      isPartial = true
      return
    }
    found.set(download, {
      name: item.name ?? '',
      package: item.package ?? '',
      version: item.version ?? '',
      downloads: countOf(item.downloads),
      developer: item.developer ?? '',
      page: item.page ? absolute(item.page, base) : list,
      download,
    })
  }
}

/** Can the connector lead to files at all? An official store has none that anyone may take. */
function namesFiles(connector: Exclude<Connector, { kind: 'manual' }>): boolean {
  const { detail } = connector
  if (detail?.fields.download || connector.kind === 'rss') return true
  return connector.kind !== 'sitemap' && connector.fields.download !== undefined
}

function readsNames(connector: Exclude<Connector, { kind: 'manual' }>): boolean {
  const { detail } = connector
  if (detail?.fields.name || connector.kind === 'rss') return true
  return connector.kind !== 'sitemap' && connector.fields.name !== undefined
}

/** Why an answer does not say all of what a market offers; undefined where it does. */
export function doubtOf(
  { pages, items, isPartial, leads, isWithoutFiles, readsNames, refusal }: Omit<AskedMarket, 'candidates'>,
  { untried, source }: { untried: boolean; source: string },
): readonly [problem: MarketProblemKey, detail: string] | undefined {
  if (untried && items === 0) return ['untried', source]
  if (leads.length) return ['nofile', '']
  if (untried && isWithoutFiles) return ['partial', `no file was read of any of ${items} items: ${source}`]
  if (refusal) return ['partial', refusal]
  if (!readsNames) return ['partial', 'names are not read: an application with another id is not found']
  return isPartial ? ['partial', `${items} items on ${pages} pages`] : undefined
}

const usesKeyword = (...texts: readonly string[]): boolean => texts.some((text) => text.includes('{keyword}'))

/** Is the item worth a download? Its package is one of ours or nearly, or its name is or holds one of the names. */
export function isNear(item: Pick<ListingItem, 'name' | 'package'>, { keywords, packages }: Wanted): boolean {
  const id = item.package ?? ''
  if (id && packages.some((one) => one === id || textLikeness(one.slice(0, 200), id.slice(0, 200)) >= NEAR_PACKAGE))
    return true
  const name = plainLabel(item.name ?? '').slice(0, 100)
  if (!name) return false
  return keywords.some((keyword) => {
    const wanted = plainLabel(keyword).slice(0, 100)
    return wanted !== '' && (name.includes(wanted) || textLikeness(name, wanted) >= NEAR_NAME)
  })
}

function absolute(address: string, base: string): string {
  return URL.canParse(address, base) ? new URL(address, base).href : ''
}
