import type { MarketConnector } from '#contracts/http/monitoring/markets.ts'
import type { ListingItem } from '#engines/listing/connector.ts'
import { encodeKeyword, type ListingCharset } from '#engines/listing/encode-text.ts'
import { readDetail, readListing } from '#engines/listing/read-listing.ts'
import { type SuggestedRules, suggestDetail, suggestRules } from '#engines/listing/suggest-rules.ts'
import { type MarketPage, MarketProblem, type MarketSession } from './market-fetcher.ts'

export interface ListingRequestOf {
  readonly url: string
  readonly form: string
  readonly encoding: ListingCharset
  readonly firstPage: number
  readonly pages: number
}

export interface Suggestion {
  readonly connector: Exclude<MarketConnector, { kind: 'manual' }>
  /** Items that it reads on the page, and the first of them that holds the keyword. */
  readonly items: number
  readonly sample: ListingItem
}

/** Pages of items that are opened for one answer. */
const MOST_DETAILS = 3

/**
 * Asks a market once, with an address whose answer nothing is known of, and suggests how its entries may be read: each suggestion is tried on
 * the very page, and where the list names no file, on the page of one item. A page of an item that is refused costs its suggestion alone. Rejects
 * with MarketProblem where the list, or all that was asked for, was refused.
 */
export async function suggestConnectors(
  session: MarketSession,
  request: ListingRequestOf,
  keyword: string,
): Promise<Suggestion[]> {
  const fill = (text: string) =>
    text
      .replaceAll('{keyword}', encodeKeyword(keyword, request.encoding))
      .replaceAll('{page}', String(request.firstPage))
  const page = await session.page({ url: fill(request.url), form: fill(request.form) })
  const found: Suggestion[] = []
  let details = 0
  let refused: MarketProblem | undefined
  for (const rules of suggestRules(page.text, keyword)) {
    const list = connectorOf(request, rules)
    const { items } = readListing(list, page.text)
    const word = keyword.trim().toLowerCase()
    const item = items.find(({ name }) => name?.toLowerCase().includes(word)) ?? items[0]
    if (!item) continue
    if (item.download) {
      found.push({ connector: list, items: items.length, sample: item })
      continue
    }
    if (!item.page || details++ >= MOST_DETAILS || !URL.canParse(item.page, page.url)) continue
    let opened: MarketPage
    try {
      opened = await session.page({ url: new URL(item.page, page.url).href, form: '' })
    } catch (error) {
      // What is found already stays, also when the time is over.
      if (!(error instanceof MarketProblem)) throw error
      refused ??= error
      continue
    }
    const detail = suggestDetail(opened.text)
    if (!detail) continue
    // What the list says of an item is not asked for again.
    const fields = Object.fromEntries(
      Object.entries(detail.fields).filter(([field]) => field !== 'page' && !(field in item)),
    )
    const sample = { ...item, ...readDetail({ kind: 'html', fields }, opened.text) }
    if (sample.download)
      found.push({ connector: { ...list, detail: { kind: 'html', fields } }, items: items.length, sample })
  }
  if (refused && found.length === 0) throw refused
  return found
}

function connectorOf(request: ListingRequestOf, rules: SuggestedRules): Suggestion['connector'] {
  const { kind, items, fields, contains } = rules
  if (kind === 'sitemap') return { kind, ...request, form: '', contains, detail: { kind: 'html', fields: {} } }
  return { kind, ...request, items, fields, detail: null }
}
