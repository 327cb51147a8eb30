import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

/** Markets (MON-01): places that offer packages, and how each is asked. */

export const MARKET_KINDS = {
  store: { zh: '应用商店', en: 'App store' },
  download: { zh: '下载站', en: 'Download site' },
  forum: { zh: '论坛', en: 'Forum' },
  drive: { zh: '网盘', en: 'Cloud drive' },
  mini: { zh: '小程序平台', en: 'Mini programs' },
  other: { zh: '其他', en: 'Other' },
} as const
export type MarketKind = keyof typeof MARKET_KINDS
export const MARKET_KIND_NAMES = Object.keys(MARKET_KINDS) as [MarketKind, ...MarketKind[]]

export const MARKET_REGIONS = {
  cn: { zh: '中国大陆', en: 'Mainland China' },
  overseas: { zh: '海外', en: 'Overseas' },
} as const
export type MarketRegion = keyof typeof MARKET_REGIONS

/** Why nothing, or not all, is known of what a market offers. */
export const MARKET_PROBLEMS = {
  manual: { zh: '需人工查看，没有自动连接方式', en: 'No connector: people look at it' },
  robots: { zh: '该渠道的 robots.txt 不允许', en: 'Its robots.txt refuses' },
  name: { zh: '域名无法解析，可能没有外网', en: 'Its name cannot be resolved, perhaps there is no internet' },
  unreachable: { zh: '无法连接', en: 'Cannot be reached' },
  time: { zh: '超时未答复', en: 'No whole answer in time' },
  status: { zh: '返回错误状态', en: 'Answers with an error' },
  busy: { zh: '渠道限流', en: 'It limits requests' },
  size: { zh: '答复大小超过上限', en: 'Its answer is above the limit' },
  unpacked: { zh: '答复解压后超过上限', en: 'Its answer is above the limit when unpacked' },
  broken: { zh: '答复不完整或损坏', en: 'Its answer is incomplete or damaged' },
  'refused-address': { zh: '地址指向内网，已拒绝', en: 'It leads to an address that is not public' },
  'foreign-host': { zh: '地址不在该渠道声明的主机内', en: 'It leads to a host that is not declared' },
  redirects: { zh: '跳转次数过多', en: 'Too many redirects' },
  'not-json': { zh: '答复不是 JSON', en: 'Its answer is not JSON' },
  selector: { zh: '连接方式与页面不符', en: 'Its page does not fit the connector' },
  partial: { zh: '只读到它所提供内容的一部分', en: 'Only a part of what it offers was read' },
  platform: {
    zh: '仅提供 iOS 应用，本应用没有 IPA 包可比对',
    en: 'It offers iOS applications only, and this application has no IPA to compare with',
  },
  nofile: {
    zh: '有名称或包名相近的条目，但该渠道不提供安装包，需人工查看',
    en: 'It has entries that look like the application but offers no files: people look at them',
  },
  untried: {
    zh: '连接方式依公开资料编写、未在本机试过，没有读到条目，无法说明有没有盗版',
    en: 'Its connector was written from public documentation and not tried here; it read no entries, which says nothing',
  },
  space: { zh: '存放副本的空间已满', en: 'There is no room for more copies' },
  stopped: { zh: '监测已停止', en: 'Monitoring was stopped' },
  internal: { zh: '内部错误', en: 'Internal error' },
} as const
export type MarketProblemKey = keyof typeof MARKET_PROBLEMS
export const MarketProblemSchema = z.enum(Object.keys(MARKET_PROBLEMS) as [MarketProblemKey, ...MarketProblemKey[]])

const text = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .refine((value) => !/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(value))
const address = text(1000).regex(/^https?:\/\/[^\s]+$/)
const FieldRuleSchema = z.strictObject({ select: text(300), attribute: text(60), pattern: text(300) })
const FieldsSchema = z.partialRecord(
  z.enum(['name', 'package', 'version', 'page', 'download', 'downloads', 'developer']),
  FieldRuleSchema,
)
const DetailSchema = z.strictObject({ kind: z.enum(['html', 'json']), fields: FieldsSchema })
const request = {
  url: address,
  form: text(1000),
  encoding: z.enum(['utf-8', 'gb18030', 'big5']),
  firstPage: z.int().min(0).max(1000),
  pages: z.int().min(1).max(20),
}
/** The connector of engines/listing as the editor writes it. */
export const ConnectorSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('manual') }),
  z.strictObject({
    kind: z.literal('html'),
    ...request,
    items: text(300).min(1),
    fields: FieldsSchema,
    detail: DetailSchema.nullable(),
  }),
  z.strictObject({
    kind: z.literal('json'),
    ...request,
    items: text(300),
    fields: FieldsSchema,
    detail: DetailSchema.nullable(),
  }),
  z.strictObject({
    kind: z.literal('rss'),
    ...request,
    items: text(300),
    fields: FieldsSchema,
    detail: DetailSchema.nullable(),
  }),
  z.strictObject({ kind: z.literal('sitemap'), ...request, contains: text(200), detail: DetailSchema }),
])
export type MarketConnector = z.infer<typeof ConnectorSchema>

const marketId = z
  .string()
  .max(60)
  .regex(/^[a-z0-9][a-z0-9-]*$/)
const host = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^\.?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)
const KindSchema = z.enum(MARKET_KIND_NAMES)
const RegionSchema = z.enum(['cn', 'overseas'])

const MarketSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: KindSchema,
  region: RegionSchema,
  /** '' where it has none that anyone may open. */
  home: z.string(),
  /** Address of its search page for people, with `{keyword}`; '' where none is known. */
  search: z.string(),
  connector_kind: z.enum(['manual', 'html', 'json', 'rss', 'sitemap']),
  /** Its connector was written from public documentation and has not had a good trial in this installation. */
  untried: z.boolean(),
  /** It ended its service: no run asks it. */
  closed: z.boolean(),
  /** Came with the product; `own` ones can be deleted. */
  built_in: z.boolean(),
  enabled: z.boolean(),
  /** Of the newest run that asked it; null: never asked. */
  asked_at: z.number().nullable(),
  /** '' after an answer; null: never asked. */
  problem: MarketProblemSchema.or(z.literal('')).nullable(),
  /** Pirated copies that are offered there; null where its last answer does not say. */
  pirated: z.number().nullable(),
})
export type Market = z.infer<typeof MarketSchema>

export const markets = endpoint({
  method: 'GET',
  path: '/api/monitor/markets/',
  summary: 'Markets with the last answer of each and what the caller may see of what was found there',
  access: ['channel.manage', 'monitor.view', 'asset.monitor'],
  query: z.object({
    search: z.string().trim().max(100).default(''),
    kind: KindSchema.or(z.literal('')).default(''),
    region: RegionSchema.or(z.literal('')).default(''),
    /** Whether it can be asked without people. */
    asked: z.enum(['', 'connector', 'untried', 'manual', 'closed']).default(''),
    offset: z.coerce.number().int().min(0).max(100_000).default(0),
    limit: z.coerce.number().int().min(1).max(1000).default(50),
  }),
  response: z.object({
    data: z.array(MarketSchema),
    total: z.number(),
    /** Of all markets, whatever is asked for; `closed` ones are in none of the others. */
    counts: z.object({
      all: z.number(),
      connector: z.number(),
      untried: z.number(),
      manual: z.number(),
      closed: z.number(),
      own: z.number(),
    }),
    /** Origins of simulated markets that this installation admits; none in production. */
    simulated: z.array(z.string()),
  }),
})

export const marketDetail = endpoint({
  method: 'GET',
  path: '/api/monitor/markets/detail/',
  summary: 'One market with its connector, hosts and pace',
  access: ['channel.manage'],
  query: z.object({ id: marketId }),
  response: z.object({
    data: MarketSchema,
    names: z.object({ zh: z.string(), en: z.string() }),
    connector: ConnectorSchema,
    hosts: z.array(z.string()),
    interval_ms: z.number(),
    /** Public documentation that the connector was written from; '' otherwise. */
    source: z.string(),
  }),
  errors: ['data.missing'],
})

const marketBody = {
  names: z.strictObject({ zh: text(60).min(1), en: text(60).min(1) }),
  kind: KindSchema,
  region: RegionSchema,
  home: address.or(z.literal('')),
  /** Hosts that may be asked beside those of the connector's own address; `.example.com` is all below it. */
  hosts: z.array(host).max(20),
  interval_ms: z.int().min(200).max(600_000),
  connector: ConnectorSchema,
}

export const tryMarket = endpoint({
  method: 'POST',
  path: '/api/monitor/markets/try/',
  summary: 'Ask a market once with a connector that is not saved: address check, robots, first page, items',
  access: ['channel.manage'],
  body: z.object({ ...marketBody, keyword: text(60).min(1) }),
  response: z.object({
    /** Key to save this very connector with; '' where the trial found nothing. */
    trial: z.string(),
    problem: MarketProblemSchema.or(z.literal('')),
    detail: z.string(),
    pages: z.number(),
    items: z.number(),
    candidates: z.array(
      z.object({
        name: z.string(),
        package: z.string(),
        version: z.string(),
        downloads: z.number().nullable(),
        page: z.string(),
        /** '' where the connector names no files. */
        download: z.string(),
      }),
    ),
  }),
  errors: ['monitor.connector'],
  audit: false,
})

const said = z.string()
export const suggestMarket = endpoint({
  method: 'POST',
  path: '/api/monitor/markets/suggest/',
  summary:
    'Ask a market once with an address and a keyword, and suggest how its entries may be read; a suggestion is saved after a trial like every connector',
  access: ['channel.manage'],
  body: z.object({
    hosts: marketBody.hosts,
    interval_ms: marketBody.interval_ms,
    ...request,
    keyword: text(60).min(1),
  }),
  response: z.object({
    problem: MarketProblemSchema.or(z.literal('')),
    detail: z.string(),
    /** The likeliest first, each with what it reads of the first entry that has the keyword. */
    suggestions: z.array(
      z.object({
        connector: ConnectorSchema,
        items: z.number(),
        sample: z.object({ name: said, package: said, version: said, page: said, download: said }),
      }),
    ),
  }),
  audit: false,
})

export const saveMarket = endpoint({
  method: 'POST',
  path: '/api/monitor/markets/save/',
  summary: 'Save an own market, or another connector of a built-in one; a connector needs one good trial',
  access: ['channel.manage'],
  body: z.object({
    id: marketId.or(z.literal('')),
    ...marketBody,
    enabled: z.boolean().default(true),
    trial: z.string().max(64).default(''),
  }),
  response: z.object({ id: z.string() }),
  errors: ['data.missing', 'monitor.trial', 'monitor.connector', 'quota.reached'],
})

export const deleteMarkets = endpoint({
  method: 'POST',
  path: '/api/monitor/markets/delete/',
  summary: 'Delete own markets; a built-in one gets its own connector back',
  access: ['channel.manage'],
  body: z.object({ ids: z.array(marketId).min(1).max(200) }),
  response: z.object({ deleted: z.number() }),
  errors: ['data.missing'],
})
