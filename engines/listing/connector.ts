import type { ListingCharset } from './encode-text.ts'

/** How a market is asked: data that its editor writes. */
export type Connector =
  | { readonly kind: 'manual' }
  | (ListingRequest & {
      readonly kind: 'html' | 'json' | 'rss'
      /** Of one item: a selector, or for JSON the path of an array. Feeds have items by themselves. */
      readonly items: string
      readonly fields: ConnectorFields
      /** The page of an item, where the list does not say all. */
      readonly detail: { readonly kind: 'html' | 'json'; readonly fields: ConnectorFields } | null
    })
  | (ListingRequest & {
      readonly kind: 'sitemap'
      /** Part of the addresses that are pages of applications. */
      readonly contains: string
      readonly detail: { readonly kind: 'html' | 'json'; readonly fields: ConnectorFields }
    })

export interface ListingRequest {
  /** With `{keyword}` and `{page}`; a sitemap has none. */
  readonly url: string
  /** Body of a form that is posted; '' asks with GET. */
  readonly form: string
  /** In which the keyword is written into address and form. */
  readonly encoding: ListingCharset
  readonly firstPage: number
  readonly pages: number
}

export const LISTING_FIELDS = ['name', 'package', 'version', 'page', 'download', 'downloads', 'developer'] as const
export type ListingField = (typeof LISTING_FIELDS)[number]

/** Where a field is: a selector or path, an attribute instead of the text, and the part of it that is meant. */
export interface FieldRule {
  readonly select: string
  readonly attribute: string
  /** A regular expression (RE2) whose first group, or whole match, is the value; '' takes all. */
  readonly pattern: string
}

export type ConnectorFields = Partial<Readonly<Record<ListingField, FieldRule>>>
/** What was read of one item; fields that are not there are absent. */
export type ListingItem = Partial<Readonly<Record<ListingField, string>>>
