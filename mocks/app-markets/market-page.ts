import type { Connector } from '#engines/listing/connector.ts'
import { encodeText, type ListingCharset } from '#engines/listing/encode-text.ts'

/** What a market offers; the package is served under its number. */
export interface Offer {
  readonly name: string
  /** As the page says, which need not be what the package says. */
  readonly package: string
  readonly version: string
  readonly downloads: number
  readonly developer: string
  readonly bytes: Uint8Array
}

export interface MarketAnswer {
  readonly status?: number
  readonly type: string
  readonly body: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/** Offers of one market that fit a keyword, and the part of them that one page has. */
export interface Shown {
  readonly offers: readonly { readonly id: number; readonly offer: Offer }[]
  readonly page: number
  readonly pages: number
}

/** How one market writes its pages, and the connector with which they are read. */
export interface MarketShape {
  /** @param origin of the market, `http://127.0.0.1:8901` */
  readonly connector: (origin: string) => Connector
  /** Answers a path of the market other than a package; undefined: no such page. `q` is the keyword, decoded. */
  readonly answer: (
    path: string,
    parameters: URLSearchParams,
    shown: (keyword: string, page: number) => Shown,
    origin: string,
  ) => MarketAnswer | undefined
  readonly charset: ListingCharset
}

/** What differs between markets of one kind of page. */
export interface ShapeOptions {
  /** Begins every class and key, so that no two markets have one in common. */
  readonly prefix: string
  readonly charset: ListingCharset
  /** Elements around a list. */
  readonly depth: number
}

export const escaped = (text: string | number): string =>
  String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

export const inside = (html: string, { depth, prefix }: ShapeOptions): string =>
  Array.from({ length: depth }).reduce<string>(
    (inner, _, at) => `<div class="${prefix}-wrap${at}">${inner}</div>`,
    html,
  )

/** A page in the market's encoding, which the answer or the page itself declares. */
export function htmlPage(title: string, body: string, { charset, depth }: ShapeOptions): MarketAnswer {
  const name = charset === 'gb18030' ? 'gb2312' : charset
  const declares = depth % 2 === 0
  const meta = declares ? `<meta charset="${name}">` : ''
  const text = `<!DOCTYPE html><html><head>${meta}<title>${escaped(title)}</title></head><body>${body}</body></html>`
  return { type: declares ? 'text/html' : `text/html; charset=${name}`, body: encodeText(text, charset) }
}

export const rule = (select: string, attribute = '', pattern = '') => ({ select, attribute, pattern })

export const request = (url: string, charset: ListingCharset, pages = 3, form = '', firstPage = 1) =>
  ({ url, form, encoding: charset, firstPage, pages }) as const
