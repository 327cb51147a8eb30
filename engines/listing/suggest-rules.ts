import type { ConnectorFields, FieldRule, ListingField } from './connector.ts'
import { type MarkupElement, readMarkup, textOf } from './markup-tree.ts'
import { parseSelector, selectAll } from './select-markup.ts'

/** How a page may be read: what its items are, and where their fields. */
export interface SuggestedRules {
  readonly kind: 'html' | 'json' | 'rss' | 'sitemap'
  readonly items: string
  /** Of a sitemap: what the addresses of items have in common. */
  readonly contains: string
  readonly fields: ConnectorFields
}

const MOST = 6
const MOST_NODES = 20_000
/** Bounds of what is looked at: pages come from anyone. */
const MOST_LEAVES = 500
const MOST_NAMES = 20
const MOST_SELECTORS = 60
/** Selectors that are tried on one page, each of which walks it: what a page costs is bounded, however its names are nested. */
const MOST_TRIED = 1500
interface Budget {
  left: number
}
const PACKAGE = /^[a-z]\w*(?:\.\w+){2,}$/i
const VERSION = /^\d+(?:\.\d+)+$/
const IN_TEXT = '(\\d+(?:\\.\\d+)+)'
const FILE_NAME = /^(.+?)[_-](\d+(?:\.\d+)+)\.(?:apk|ipa|xapk|apks)$/i
const IS_FILE = /\.(?:apk|apks|xapk|ipa)\b|\/(?:files?|go|down(?:load)?s?|dl|get)\/|attachment/i
const IS_PICTURE = /\.(?:png|jpe?g|gif|webp|svg|ico)(?:[?#]|$)/i
const rule = (select: string, attribute = '', pattern = ''): FieldRule => ({ select, attribute, pattern })

/**
 * How the entries of a page may be read, the likeliest way first: what repeats around a name that holds the keyword. A page without the
 * keyword, or of no known kind, gives none.
 * @param mostTried selectors that are tried; what was found by then is the answer
 */
export function suggestRules(text: string, keyword: string, mostTried = MOST_TRIED): SuggestedRules[] {
  const word = keyword.trim().toLowerCase()
  if (!word) return []
  const plain = text.trim()
  if (/^[[{]/.test(plain) || /^[\w.$]{1,80}\s*\(\s*[[{]/.test(plain)) return ofJson(plain, word)
  const head = plain.slice(0, 1000)
  if (/<(?:rss|feed)\b/i.test(head)) return [{ kind: 'rss', items: '', contains: '', fields: {} }]
  if (/<(?:urlset|sitemapindex)\b/i.test(head)) return ofSitemap(plain)
  return ofHtml(readMarkup(plain), word, { left: mostTried })
}

/** Where the page of one item has its file, and what else it says. */
export function suggestDetail(text: string): { kind: 'html'; fields: ConnectorFields } | undefined {
  const fields = fieldsOf(readMarkup(text), '', { left: MOST_TRIED })
  return fields.download ? { kind: 'html', fields } : undefined
}

type Json = Record<string, unknown>

function ofJson(text: string, word: string): SuggestedRules[] {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^[\w.$]{1,80}\s*\(([\s\S]*)\)\s*;?$/, '$1'))
  } catch {
    // Not JSON after all: nothing to suggest.
    return []
  }
  const found: SuggestedRules[] = []
  let nodes = 0
  const walk = (node: unknown, path: string, depth: number): void => {
    if (typeof node !== 'object' || node === null || depth > 8 || nodes++ > MOST_NODES || found.length >= MOST) return
    const isList = Array.isArray(node)
    const children = Object.entries(node as Json)
    const entries = children.filter(([, one]) => typeof one === 'object' && one !== null).map(([, one]) => one)
    const isCollection = entries.length > 0 && entries.length === children.length
    const like = isCollection && entries.find((one) => leaves(one).some(([, leaf]) => holds(leaf, word)))
    // A list in which one entry holds the word by itself, not in a list of its own.
    const fields = like ? jsonFields(like, word) : undefined
    if (fields?.name && (isList || entries.length > 1))
      found.push({ kind: 'json', items: isList ? path : `${path}[*]`, contains: '', fields })
    for (const [key, one] of children) {
      if (isList && found.length) break
      walk(one, isList ? `${path}[${key}]` : path ? `${path}.${key}` : key, depth + 1)
    }
  }
  walk(value, '', 0)
  return found
}

/** Texts and numbers of one entry with their paths; of lists inside it the first value alone. */
function leaves(
  node: unknown,
  path = '',
  depth = 0,
  budget = { left: MOST_LEAVES },
): [path: string, value: string | number][] {
  if (budget.left-- <= 0) return []
  if (typeof node === 'string' || typeof node === 'number') return [[path, node]]
  if (typeof node !== 'object' || node === null || depth > 5) return []
  return Object.entries(node as Json)
    .slice(0, 60)
    .flatMap(([key, one]) => {
      if (/[.[\]]/.test(key)) return []
      const at = Array.isArray(node) ? `${path}[${key}]` : path ? `${path}.${key}` : key
      return leaves(one, at, depth + 1, budget)
    })
}

const holds = (value: string | number, word: string): boolean =>
  typeof value === 'string' && value.length < 200 && value.toLowerCase().includes(word)

function jsonFields(entry: unknown, word: string): ConnectorFields {
  const fields: Partial<Record<ListingField, FieldRule>> = {}
  for (const [path, value] of leaves(entry)) {
    const text = String(value)
    const key = path.toLowerCase()
    const file = FILE_NAME.exec(text)
    if (!fields.name && holds(value, word) && !isAddress(text)) {
      fields.name = file ? rule(path, '', '^(.+?)[_-]\\d+(?:\\.\\d+)+\\.\\w+$') : rule(path)
      if (file) fields.version = rule(path, '', '[_-](\\d+(?:\\.\\d+)+)\\.\\w+$')
    } else if (!fields.package && PACKAGE.test(text)) fields.package = rule(path)
    else if (!fields.version && /^v?\d+(?:\.\d+)+$/i.test(text) && typeof value === 'string')
      fields.version = VERSION.test(text) ? rule(path) : rule(path, '', IN_TEXT)
    else if (isAddress(text) && !IS_PICTURE.test(text)) {
      if (!fields.download && (IS_FILE.test(text) || /down|apk|file/.test(key))) fields.download = rule(path)
      else fields.page ??= rule(path)
    } else if (!fields.downloads && typeof value === 'number' && /down|dl|install|count/.test(key))
      fields.downloads = rule(path)
  }
  return fields
}

const isAddress = (text: string): boolean => /^(?:https?:\/\/|\/|\.\.?\/)\S+$/.test(text)

/** Pages of items of a sitemap are those whose addresses differ in their last part alone, most of them first. */
function ofSitemap(text: string): SuggestedRules[] {
  const counts = new Map<string, number>()
  for (const one of selectAll(readMarkup(text, true), parseSelector('loc')!, MOST_NODES)) {
    const part = /^https?:\/\/[^/]+(\/.*\/)[^/]+$/.exec(textOf(one))?.[1]
    if (part) counts.set(part, (counts.get(part) ?? 0) + 1)
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST)
    .map(([contains]) => ({ kind: 'sitemap', items: '', contains, fields: {} }))
}

function ofHtml(root: MarkupElement, word: string, budget: Budget): SuggestedRules[] {
  const found = new Map<string, { rules: SuggestedRules; score: number }>()
  let seen = 0
  let names = 0
  const walk = (element: MarkupElement): void => {
    for (const child of element.children) {
      if (typeof child === 'string' || seen++ > MOST_NODES) continue
      if (child.name === 'title') continue
      if (budget.left > 0 && names < MOST_NAMES && holds(ownText(child), word)) {
        names++
        consider(child)
      }
      walk(child)
    }
  }
  /** Each element around the name may be the item; what repeats, has a link and is small is likeliest. */
  const consider = (named: MarkupElement): void => {
    for (let item: MarkupElement | null = named, up = 0; item?.parent && up < 6; item = item.parent, up++) {
      if (['body', 'html', 'head', 'title'].includes(item.name)) break
      const items = itemSelector(root, item, budget)
      if (!items || found.has(items.select)) continue
      const fields = fieldsOf(item, word, budget)
      if (!fields.name || !(fields.page || fields.download)) continue
      const score = items.count * 4 + Object.keys(fields).length * 3 - up
      found.set(items.select, { rules: { kind: 'html', items: items.select, contains: '', fields }, score })
    }
  }
  walk(root)
  return [...found.values()]
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ rules }) => rules)
}

/** A selector of an item and those like it: by its class, else by its name below a parent with an id or a class. */
function itemSelector(
  root: MarkupElement,
  item: MarkupElement,
  budget: Budget,
): { select: string; count: number } | undefined {
  const { parent } = item
  if (!parent) return undefined
  const around = markOf(parent) ?? (parent.parent ? markOf(parent.parent) : undefined)
  const own = classOf(item)
  const choices = own ? [`${item.name}${own}`] : around ? [`${around} ${item.name}`] : []
  for (const select of choices) {
    if (budget.left-- <= 0) return undefined
    const read = parseSelector(select)
    const all = read ? selectAll(root, read, 200) : []
    if (all.includes(item)) return { select, count: all.length }
  }
  return undefined
}

const WORD = /^[\w-]+$/
const classOf = (element: MarkupElement): string => {
  const [first] = (element.attributes.get('class') ?? '').split(/\s+/).filter((one) => WORD.test(one))
  return first ? `.${first}` : ''
}
function markOf(element: MarkupElement): string | undefined {
  const id = element.attributes.get('id') ?? ''
  if (WORD.test(id)) return `${element.name}#${id}`
  const own = classOf(element)
  return own ? `${element.name}${own}` : undefined
}

/** The fields inside of an item, or of the page of an item where `word` is ''. */
function fieldsOf(item: MarkupElement, word: string, budget: Budget): ConnectorFields {
  const fields: Partial<Record<ListingField, FieldRule>> = {}
  let selectors = 0
  let seen = 0
  const take = (field: ListingField, element: MarkupElement, attribute = '', pattern = '') => {
    if (fields[field] || selectors > MOST_SELECTORS) return
    selectors++
    const found = element === item ? '' : within(item, element, budget)
    if (found !== undefined) fields[field] = rule(found, attribute, pattern)
  }
  const look = (element: MarkupElement): void => {
    if (seen++ > MOST_NODES) return
    const own = ownText(element)
    if (word && holds(own, word)) take('name', element)
    if (!word && element.name === 'h1') take('name', element)
    for (const [name, value] of element.attributes) {
      if (name === 'class' || name === 'id' || name === 'style' || name === 'name') continue
      if (PACKAGE.test(value) && !IS_FILE.test(value)) take('package', element, name)
      else if (IS_FILE.test(value) && !IS_PICTURE.test(value) && isLink(name, value)) take('download', element, name)
      else if (name === 'href' && element.name === 'a' && !/^(?:#|javascript:)/i.test(value))
        take('page', element, name)
    }
    if (PACKAGE.test(own)) take('package', element)
    else {
      const inside = /[:：\s]([a-z]\w*(?:\.\w+){2,})$/i.exec(own)?.[1]
      if (inside && PACKAGE.test(inside)) take('package', element, '', '([A-Za-z]\\w*(?:\\.\\w+){2,})')
    }
    if (VERSION.test(own)) take('version', element)
    else if (/(?:^|[^\w.])v?\d+(?:\.\d+)+/i.test(own) && !PACKAGE.test(own) && own.length < 200)
      take('version', element, '', IN_TEXT)
    for (const child of element.children) if (typeof child !== 'string') look(child)
  }
  look(item)
  return fields
}

const ownText = ({ children }: MarkupElement): string =>
  children
    .filter((one) => typeof one === 'string')
    .join(' ')
    .trim()

const isLink = (name: string, value: string): boolean =>
  /^(?:href|data-.+|src)$/.test(name) && (isAddress(value) || /^[\w./?=&%-]+$/.test(value))

/** A selector of an element inside of an item: the shortest that finds it first. */
function within(item: MarkupElement, element: MarkupElement, budget: Budget): string | undefined {
  const { attributes, name, parent } = element
  const own = classOf(element)
  const place = parent ? parent.children.filter((one) => typeof one !== 'string').indexOf(element) + 1 : 0
  const href = attributes.get('href') ?? ''
  const part = IS_FILE.exec(href)?.[0]
  const above = parent && parent !== item ? markOf(parent) : undefined
  const choices = [
    own && `${name}${own}`,
    ...(name === 'meta' && attributes.has('name') ? [`meta[name="${attributes.get('name')}"]`] : []),
    ...[...attributes.keys()].filter((one) => one.startsWith('data-')).map((one) => `${name}[${one}]`),
    name,
    above && `${above} ${name}`,
    part && `${name}[href*="${part}"]`,
    `${name}:nth-child(${place})`,
    parent && parent !== item ? `${parent.name}:nth-child(${placeOf(parent)}) ${name}` : '',
  ]
  return choices
    .filter((one): one is string => Boolean(one))
    .find((one) => {
      if (budget.left-- <= 0) return false
      const read = parseSelector(one)
      return read && selectAll(item, read, 1)[0] === element
    })
}

const placeOf = ({ parent, ...element }: MarkupElement): number =>
  parent
    ? parent.children.filter((one) => typeof one !== 'string').findIndex((one) => one.children === element.children) + 1
    : 0
