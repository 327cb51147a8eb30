import type { MarketConnector, MarketKind, MarketRegion } from '#contracts/http/monitoring/markets.ts'

export const FIELD_NAMES = ['name', 'package', 'version', 'download', 'page', 'downloads', 'developer'] as const
export type FieldName = (typeof FIELD_NAMES)[number]
export type Way = MarketConnector['kind']
type Fields = Partial<Record<string, { select: string; attribute: string; pattern: string }>>

/** A market as its editor holds it: every field as text. */
export interface MarketDraft {
  readonly zh: string
  readonly en: string
  readonly kind: MarketKind
  readonly region: MarketRegion
  readonly home: string
  readonly hosts: string
  readonly interval: string
  readonly way: Way
  readonly url: string
  readonly form: string
  readonly encoding: 'utf-8' | 'gb18030' | 'big5'
  readonly firstPage: string
  readonly pages: string
  readonly items: string
  readonly contains: string
  readonly fields: Readonly<Record<FieldName, string>>
  readonly hasDetail: boolean
  readonly detailKind: 'html' | 'json'
  readonly detailFields: Readonly<Record<FieldName, string>>
  readonly enabled: boolean
}

const NO_FIELDS = Object.fromEntries(FIELD_NAMES.map((name) => [name, ''])) as Record<FieldName, string>

export const NEW_MARKET: MarketDraft = {
  ...{ zh: '', en: '', kind: 'download', region: 'cn', home: '', hosts: '', interval: '3000', way: 'html' },
  ...{ url: '', form: '', encoding: 'utf-8', firstPage: '1', pages: '3', items: '', contains: '' },
  ...{ fields: NO_FIELDS, hasDetail: false, detailKind: 'html', detailFields: NO_FIELDS, enabled: true },
}

/** `select | attribute | pattern`; a pattern may hold bars of its own. */
export function readRule(text: string): { select: string; attribute: string; pattern: string } {
  const [select = '', attribute = '', ...pattern] = text.split(' | ')
  return { select: select.trim(), attribute: attribute.trim(), pattern: pattern.join(' | ').trim() }
}

export function writeRule({
  select,
  attribute,
  pattern,
}: {
  select: string
  attribute: string
  pattern: string
}): string {
  return pattern ? `${select} | ${attribute} | ${pattern}` : attribute ? `${select} | ${attribute}` : select
}

const fieldsOf = (texts: Readonly<Record<FieldName, string>>): Fields =>
  Object.fromEntries(FIELD_NAMES.filter((name) => texts[name].trim()).map((name) => [name, readRule(texts[name])]))
const textsOf = (fields: Fields): Record<FieldName, string> =>
  Object.fromEntries(FIELD_NAMES.map((name) => [name, fields[name] ? writeRule(fields[name]) : ''])) as Record<
    FieldName,
    string
  >

/** Feeds and sitemaps are not asked with a form. */
export const hasForm = ({ way }: Pick<MarketDraft, 'way'>): boolean => way === 'html' || way === 'json'

/** The connector that a draft describes. */
export function connectorOf(draft: MarketDraft): MarketConnector {
  const { way, url, form, encoding, items } = draft
  if (way === 'manual') return { kind: 'manual' }
  const request = {
    url: url.trim(),
    form: hasForm(draft) ? form.trim() : '',
    encoding,
    firstPage: Number(draft.firstPage) || 0,
    pages: Number(draft.pages) || 1,
  }
  const detail = { kind: draft.detailKind, fields: fieldsOf(draft.detailFields) }
  if (way === 'sitemap') return { kind: way, ...request, contains: draft.contains.trim(), detail }
  return {
    kind: way,
    ...request,
    items: items.trim(),
    fields: fieldsOf(draft.fields),
    detail: draft.hasDetail ? detail : null,
  }
}

export const hostsOf = ({ hosts }: MarketDraft): string[] =>
  hosts
    .split(/[\s,]+/)
    .map((one) => one.trim().toLowerCase())
    .filter(Boolean)
    .slice(0, 20)

/** The draft with a connector that was suggested for its address; names, kind, hosts and address stay. */
export function withConnector(draft: MarketDraft, connector: MarketConnector): MarketDraft {
  if (connector.kind === 'manual') return draft
  const { detail } = connector
  const rules =
    connector.kind === 'sitemap'
      ? { contains: connector.contains, items: '', fields: NO_FIELDS }
      : { contains: '', items: connector.items, fields: textsOf(connector.fields) }
  return {
    ...draft,
    ...rules,
    way: connector.kind,
    hasDetail: detail !== null,
    detailKind: detail?.kind ?? 'html',
    detailFields: textsOf(detail?.fields ?? {}),
  }
}

export function draftOf(market: {
  names: { zh: string; en: string }
  data: { kind: MarketKind; region: MarketRegion; home: string; enabled: boolean }
  connector: MarketConnector
  hosts: readonly string[]
  interval_ms: number
}): MarketDraft {
  const { names, data, connector, hosts, interval_ms } = market
  const basics = {
    ...NEW_MARKET,
    ...{ zh: names.zh, en: names.en, kind: data.kind, region: data.region, home: data.home, enabled: data.enabled },
    ...{ hosts: hosts.join('\n'), interval: String(interval_ms), way: connector.kind },
  }
  if (connector.kind === 'manual') return basics
  const { url, form, encoding, firstPage, pages, detail } = connector
  const request = {
    url,
    form,
    encoding,
    firstPage: String(firstPage),
    pages: String(pages),
    hasDetail: detail !== null,
    detailKind: detail?.kind ?? 'html',
  }
  const detailFields = textsOf(detail?.fields ?? {})
  if (connector.kind === 'sitemap') return { ...basics, ...request, contains: connector.contains, detailFields }
  return { ...basics, ...request, items: connector.items, fields: textsOf(connector.fields), detailFields }
}
