import { RE2JS } from 're2js'
import type { Connector, ConnectorFields, FieldRule, ListingItem } from './connector.ts'
import { LISTING_FIELDS } from './connector.ts'
import { parseJsonPath, valuesAt } from './json-path.ts'
import { type MarkupElement, readMarkup, textOf } from './markup-tree.ts'
import { parseSelector, selectAll } from './select-markup.ts'

/** Items of one page. A page of a site has fewer; the index of a repository is one file with many. */
const MOST_ITEMS = { html: 500, json: 2000 } as const
/** Values of one item among which a field is looked for. */
const MOST_VALUES = 100
const LONGEST_VALUE = 2000

export interface ReadListing {
  readonly items: readonly ListingItem[]
  /** Why it could not be read as the connector says; '' otherwise. */
  readonly problem: '' | 'not-json' | 'selector'
  /** There were more items than are read. */
  readonly isCut: boolean
}

type Listing = Exclude<Connector, { kind: 'manual' }>

/** The items of a page of a market. A page without items gives none, whatever else is on it. */
export function readListing(connector: Listing, text: string): ReadListing {
  switch (connector.kind) {
    case 'json':
      return readJson(text, connector.items, connector.fields)
    case 'html':
      return readHtml(text, connector.items, connector.fields)
    case 'rss':
      return readFeed(text, connector.fields)
    default:
      return readSitemap(text, connector.contains)
  }
}

/** The fields of the page of one item. */
export function readDetail(detail: { kind: 'html' | 'json'; fields: ConnectorFields }, text: string): ListingItem {
  const { items } =
    detail.kind === 'json' ? readJson(text, '', detail.fields) : htmlItems([readMarkup(text)], detail.fields)
  return items[0] ?? {}
}

/** Pages of applications in a sitemap (or of other sitemaps, in an index of them). */
function readSitemap(text: string, contains: string): ReadListing {
  const root = readMarkup(text, true)
  const items = selectAll(root, parseSelector('loc')!, 50_000)
    .map((one) => ({ page: cut(textOf(one)) }))
    .filter(({ page }) => page.includes(contains))
  return { items, problem: '', isCut: false }
}

function readJson(text: string, path: string, fields: ConnectorFields): ReadListing {
  // Some interfaces answer as a call of a function.
  const plain = text.trim().replace(/^[\w.$]{1,80}\s*\(([\s\S]*)\)\s*;?$/, '$1')
  let value: unknown
  try {
    value = JSON.parse(plain)
  } catch {
    // A market that answers something else than it declares.
    return { items: [], problem: 'not-json', isCut: false }
  }
  const steps = parseJsonPath(path)
  if (!steps) return { items: [], problem: 'selector', isCut: false }
  const most = MOST_ITEMS.json
  const found = valuesAt(value, steps, most + 1).flatMap((one) => (Array.isArray(one) ? one.slice(0, most + 1) : [one]))
  const items = found.slice(0, most).map((one) =>
    itemOf(fields, ({ select }) => {
      const inside = parseJsonPath(select)
      return (inside ? valuesAt(one, inside, MOST_VALUES) : []).flatMap((each) =>
        typeof each === 'string' || typeof each === 'number' || typeof each === 'boolean' ? [String(each)] : [],
      )
    }),
  )
  return { items: items.filter(isNotEmpty), problem: '', isCut: found.length > most }
}

function readHtml(text: string, items: string, fields: ConnectorFields): ReadListing {
  const selector = parseSelector(items)
  if (!selector) return { items: [], problem: 'selector', isCut: false }
  return htmlItems(selectAll(readMarkup(text), selector, MOST_ITEMS.html + 1), fields)
}

/** Items of RSS or Atom: name, page and file are what the formats call them unless the connector says otherwise. */
function readFeed(text: string, fields: ConnectorFields): ReadListing {
  const entries = selectAll(readMarkup(text, true), parseSelector('item, entry')!, MOST_ITEMS.html + 1)
  const rule = (select: string, attribute = ''): FieldRule => ({ select, attribute, pattern: '' })
  const { items, isCut } = htmlItems(entries, {
    name: rule('title'),
    page: rule('link'),
    download: rule('enclosure', 'url'),
    ...fields,
  })
  // The address in a feed of Atom is an attribute.
  return {
    items: items.map((one, at) => (one.page ? one : { ...one, ...hrefOf(entries[at]) })).filter(isNotEmpty),
    problem: '',
    isCut,
  }
}

function hrefOf(entry: MarkupElement | undefined): { page?: string } {
  const [link] = entry ? selectAll(entry, parseSelector('link')!, 1) : []
  const href = link?.attributes.get('href')
  return href ? { page: cut(href) } : {}
}

function htmlItems(elements: readonly MarkupElement[], fields: ConnectorFields): ReadListing {
  const most = MOST_ITEMS.html
  const items = elements.slice(0, most).map((element) =>
    itemOf(fields, ({ select, attribute, pattern }) => {
      const selector = select === '' ? undefined : parseSelector(select)
      if (select !== '' && !selector) return []
      // Without a pattern the first one is meant.
      const found = selector ? selectAll(element, selector, pattern ? MOST_VALUES : 1) : [element]
      return found.map((one) => (attribute ? (one.attributes.get(attribute) ?? '') : textOf(one)))
    }),
  )
  return { items, problem: '', isCut: elements.length > most }
}

/** @param read the values that a rule leads to; a field is the first of them that its pattern fits */
function itemOf(fields: ConnectorFields, read: (rule: FieldRule) => readonly string[]): ListingItem {
  const item: Record<string, string> = {}
  for (const field of LISTING_FIELDS) {
    const rule = fields[field]
    for (const value of rule ? read(rule) : []) {
      const meant = patternPart(cut(value), rule!.pattern)
      if (meant) item[field] = meant
      if (meant || !rule!.pattern) break
    }
  }
  return item
}

/** RE2 takes time linear in the text, whatever the expression. */
function patternPart(value: string, pattern: string): string | undefined {
  if (!pattern) return value
  const expression = compiled(pattern)
  const matcher = expression?.matcher(value)
  if (!matcher?.find()) return undefined
  return (matcher.groupCount() > 0 ? matcher.group(1) : matcher.group()) ?? undefined
}

/** Undefined if it is no expression of RE2. */
export function compiled(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern.slice(0, 300))
  } catch {
    // Written in the editor of a connector, which refuses it when it is saved.
    return undefined
  }
}

const cut = (text: string): string => text.slice(0, LONGEST_VALUE).trim()
const isNotEmpty = (item: ListingItem): boolean => Object.keys(item).length > 0

/** '3.2万次下载', '12,345', '1.5M+' as a number; null where nothing is said. */
export function countOf(text: string | undefined): number | null {
  const [, digits = '', unit = ''] = /(\d[\d,.]*)\s*([万亿kKmMbB]?)/.exec(text ?? '') ?? []
  if (!digits) return null
  const scale = { 万: 1e4, 亿: 1e8, k: 1e3, m: 1e6, b: 1e9 }[unit.toLowerCase()] ?? 1
  const plain = unit ? digits.replaceAll(',', '') : digits.replaceAll(/,|\.(?=\d{3}(?:\D|$))/g, '')
  const value = Math.round(Number(plain) * scale)
  return Number.isSafeInteger(value) ? value : null
}
