import { z } from 'zod'
import { RISK_TYPES, type RiskType } from '#domain/vocabulary.ts'
import { FINDING_LEVELS, type FindingLevel } from '../detection/kinds.ts'
import { TextSchema } from '../detection/scan-result.ts'
import { PAGE_NAMES, type PageName } from '../pages.ts'
import { endpoint } from './endpoint.ts'

/**
 * The knowledge base: articles of the product in both languages, found by words, pinyin or initials. An article is answered as blocks of
 * plain text, never as markup: what a page shows cannot hold a script.
 */

export const ARTICLE_KINDS = {
  article: { zh: '文章', en: 'Article' },
  solution: { zh: '方案', en: 'Solution' },
  help: { zh: '系统帮助', en: 'System help' },
} as const
export type ArticleKind = keyof typeof ARTICLE_KINDS

export const SOLUTION_KINDS = {
  technical: { zh: '技术方案', en: 'Technical solution' },
  implementation: { zh: '实施方案', en: 'Implementation solution' },
  after_sales: { zh: '售后方案', en: 'After-sales solution' },
} as const
export type SolutionKind = keyof typeof SOLUTION_KINDS

export const ARTICLE_TOPICS = {
  manifest: { zh: '清单与权限', en: 'Manifest and permissions' },
  component: { zh: '组件', en: 'Components' },
  webview: { zh: 'WebView', en: 'WebView' },
  crypto: { zh: '密码', en: 'Cryptography' },
  network: { zh: '网络通信', en: 'Network' },
  storage: { zh: '数据存储与界面', en: 'Storage and screens' },
  code: { zh: '代码', en: 'Code' },
  secrets: { zh: '密钥泄露', en: 'Leaked secrets' },
  native: { zh: '原生库', en: 'Native code' },
  signature: { zh: '签名', en: 'Signatures' },
  resilience: { zh: '对抗与完整性', en: 'Resilience' },
  third_party: { zh: '第三方组件', en: 'Third-party components' },
  privacy: { zh: '个人信息', en: 'Personal information' },
  platform: { zh: '平台使用', en: 'Using the platform' },
} as const
export type ArticleTopic = keyof typeof ARTICLE_TOPICS

/** Languages of code files, by the ending of the file. */
export const CODE_LANGUAGES = {
  kt: { zh: 'Kotlin', en: 'Kotlin' },
  java: { zh: 'Java', en: 'Java' },
  swift: { zh: 'Swift', en: 'Swift' },
  xml: { zh: 'XML', en: 'XML' },
  gradle: { zh: 'Gradle', en: 'Gradle' },
  pro: { zh: 'R8 规则', en: 'R8 rules' },
  c: { zh: 'C', en: 'C' },
  sh: { zh: '命令', en: 'Commands' },
} as const
export type CodeLanguage = keyof typeof CODE_LANGUAGES

export const ARTICLE_PLATFORMS = ['android', 'ios', 'server'] as const

const keysOf = <K extends string>(record: Readonly<Record<K, unknown>>) => Object.keys(record) as [K, ...K[]]
export const ArticleKindSchema = z.enum(keysOf<ArticleKind>(ARTICLE_KINDS))
export const SolutionKindSchema = z.enum(keysOf<SolutionKind>(SOLUTION_KINDS))
export const ArticleTopicSchema = z.enum(keysOf<ArticleTopic>(ARTICLE_TOPICS))
const CodeSchema = z.enum(keysOf<CodeLanguage>(CODE_LANGUAGES))
export const ArticlePlatformSchema = z.enum(ARTICLE_PLATFORMS)
/** Risks of the configuration center that an article concerns. */
export const ArticleRiskSchema = z.enum(keysOf<RiskType>(RISK_TYPES))
/** Pages that a help article explains. */
export const ArticlePageSchema = z.enum(PAGE_NAMES as [PageName, ...PageName[]])
const language = z.enum(['zh', 'en'])
/** Id of an article, of a detection item, or `page:` and the name of a page. */
const articleId = z.string().regex(/^(?:page:[a-z_]{1,40}|[a-z0-9][a-z0-9-]{0,79})$/)

/** A piece of a line. `to`: the id of another article, or an https address. */
const PartSchema = z.object({
  text: z.string(),
  mark: z.enum(['plain', 'strong', 'code']),
  to: z.string().nullable(),
})
export type ArticlePart = z.infer<typeof PartSchema>
const parts = z.array(PartSchema)

export const ArticleBlockSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('heading'), level: z.number(), id: z.string(), text: z.string() }),
  z.object({ kind: z.literal('text'), parts }),
  z.object({ kind: z.literal('note'), parts }),
  z.object({ kind: z.literal('list'), ordered: z.boolean(), items: z.array(parts) }),
  z.object({ kind: z.literal('table'), head: z.array(parts), rows: z.array(z.array(parts)) }),
  /** Commands and examples in the text. */
  z.object({ kind: z.literal('code'), text: z.string() }),
  /** An image of an own article (contracts/http/own-articles.ts), with its size in pixels. */
  z.object({
    kind: z.literal('image'),
    id: z.string(),
    alt: z.string(),
    width: z.number(),
    height: z.number(),
  }),
  /** The same code in several languages; `compiled`: a test of the product compiles it. */
  z.object({
    kind: z.literal('files'),
    files: z.array(z.object({ name: z.string(), language: CodeSchema, text: z.string(), compiled: z.boolean() })),
  }),
])
export type ArticleBlock = z.infer<typeof ArticleBlockSchema>

const LineSchema = z.object({
  id: z.string(),
  kind: ArticleKindSchema,
  topic: ArticleTopicSchema,
  solution: SolutionKindSchema.nullable(),
  platforms: z.array(ArticlePlatformSchema),
  /** Languages of its code files. */
  code: z.array(CodeSchema),
  title: z.string(),
  summary: z.string(),
  minutes: z.number(),
  /** Written by the organisation that runs the platform. */
  own: z.boolean(),
  /** The one language that it was written in, where it has no other. */
  only: language.nullable(),
})
export type ArticleLine = z.infer<typeof LineSchema>

const HitSchema = LineSchema.extend({
  /** Where the body holds the words; '' where the title or the summary does. */
  excerpt: z.string(),
})
export type ArticleHit = z.infer<typeof HitSchema>

export const MOST_ARTICLES = 50

export const articles = endpoint({
  method: 'GET',
  path: '/api/knowledge/articles/',
  summary: 'Articles by words, pinyin or initials, and by kind, topic, platform and language of code, the best first',
  access: 'session',
  query: z.object({
    language,
    text: z.string().trim().max(100).default(''),
    kind: z.union([z.literal(''), ArticleKindSchema]).default(''),
    topic: z.union([z.literal(''), ArticleTopicSchema]).default(''),
    platform: z.union([z.literal(''), ArticlePlatformSchema]).default(''),
    code: z.union([z.literal(''), CodeSchema]).default(''),
    /** Articles about what fails in the newest detections of the caller's applications. */
    mine: z.enum(['', 'yes']).default(''),
    /** Articles of the organisation. */
    own: z.enum(['', 'yes']).default(''),
    offset: z.coerce.number().int().min(0).max(100_000).default(0),
    limit: z.coerce.number().int().min(1).max(MOST_ARTICLES).default(20),
  }),
  response: z.object({
    data: z.array(HitSchema),
    total: z.number(),
    /** Of all articles, whatever is searched. */
    all: z.number(),
    /** What each choice would leave, the other choices applied. */
    facets: z.object({
      kind: z.record(z.string(), z.number()),
      topic: z.record(z.string(), z.number()),
      platform: z.record(z.string(), z.number()),
      code: z.record(z.string(), z.number()),
      /** null: the caller sees no detections. */
      mine: z.number().nullable(),
      own: z.number(),
    }),
    /** Texts to mark in titles and excerpts. */
    marks: z.array(z.string()),
    /** Nothing holds all the words: these articles hold some of them. */
    nearest: z.boolean(),
    milliseconds: z.number(),
  }),
})

const FoundSchema = z.object({
  task: z.string(),
  name: z.string(),
  version: z.string(),
  item: z.string(),
  item_name: TextSchema,
  level: z.enum(keysOf<FindingLevel>(FINDING_LEVELS)),
  ended_at: z.number().nullable(),
})

export const article = endpoint({
  method: 'GET',
  path: '/api/knowledge/article/',
  summary:
    'One article, by its id, by a detection item or by a page, with what fails of its items in the newest detections of the caller',
  access: 'session',
  query: z.object({ language, id: articleId }),
  response: z.object({
    data: LineSchema.extend({
      blocks: z.array(ArticleBlockSchema),
      /** Standards and numbers: of its detection items, and own ones. */
      references: z.array(z.string()),
      items: z.array(z.object({ id: z.string(), name: TextSchema, level: FoundSchema.shape.level })),
      risks: z.array(ArticleRiskSchema),
      pages: z.array(ArticlePageSchema),
      related: z.array(z.object({ id: z.string(), title: z.string() })),
      /** Articles of the organisation about the same items or pages. */
      own_related: z.array(z.object({ id: z.string(), title: z.string() })),
      /** Of an own article: who published what readers see, and when. */
      published: z.object({ at: z.number(), by: z.string() }).nullable(),
    }),
    /** null: the caller sees no detections. */
    found: z.array(FoundSchema).nullable(),
  }),
  errors: ['data.missing'],
})
