import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import {
  ArticleBlockSchema,
  ArticleKindSchema,
  ArticlePageSchema,
  ArticlePlatformSchema,
  ArticleTopicSchema,
  SolutionKindSchema,
} from './knowledge.ts'

/**
 * Articles that the organisation adds to its knowledge base. Each save makes a version; readers see the version that was published. Their
 * Markdown is read by the parser of the product's articles; pictures are those that were uploaded here.
 */

export const OWN_ARTICLE_LIMITS = {
  articles: 500,
  /** Newest versions kept of an article, beside the published one. */
  versions: 50,
  title: 80,
  summary: 300,
  words: 300,
  body: 40_000,
  items: 50,
  images: 2_000,
  imageBytes: 8 * 2 ** 20,
  imagePixels: 24_000_000,
  /** Wider or higher pictures are made smaller. */
  imageWidth: 1_600,
  imageHeight: 4_000,
  /** An image that no version names is deleted after so many days. */
  unnamedDays: 7,
} as const

/** What a reader's parser refuses, by line. `{detail}` is the text in question. */
export const ARTICLE_PROBLEMS = {
  title: { zh: '标题至少 2 个字', en: 'The title has at least 2 characters' },
  summary: { zh: '摘要至少 10 个字', en: 'The summary has at least 10 characters' },
  body: { zh: '正文为空', en: 'The text is empty' },
  line_length: { zh: '一行不超过 2000 个字符', en: 'A line has at most 2,000 characters' },
  nested: { zh: '嵌套太深', en: 'Nested too deeply' },
  heading: { zh: '标题只用 ## 和 ###：{detail}', en: 'Headings are ## or ###: {detail}' },
  quotation: { zh: '引用只能是一段文字：{detail}', en: 'A quotation is one paragraph: {detail}' },
  list_item: {
    zh: '列表项只能是一行，不能嵌套：{detail}',
    en: 'A list item is one line without a list inside: {detail}',
  },
  html: { zh: '不支持 HTML：{detail}', en: 'HTML is not allowed: {detail}' },
  emphasis: { zh: '不支持斜体，请用 **粗体**：{detail}', en: 'Italics are not allowed, use **bold**: {detail}' },
  element: { zh: '不支持这种写法：{detail}', en: 'This is not allowed: {detail}' },
  address: {
    zh: '链接只能是 https:// 或 article:文章编号：{detail}',
    en: 'A link is https:// or article:ID: {detail}',
  },
  file: { zh: '没有这个代码文件：{detail}', en: 'There is no such code file: {detail}' },
  image_place: { zh: '图片要单独成段：{detail}', en: 'An image is a paragraph of its own: {detail}' },
  image_text: { zh: '请为图片写说明文字：{detail}', en: 'An image needs a description: {detail}' },
  image_missing: { zh: '没有这张图片，请上传：{detail}', en: 'There is no such image, upload it: {detail}' },
} as const
export type ArticleProblemKind = keyof typeof ARTICLE_PROBLEMS
const ProblemSchema = z.object({
  /** Of the Markdown, from 1; 0: of the fields above it. */
  line: z.number(),
  problem: z.enum(Object.keys(ARTICLE_PROBLEMS) as [ArticleProblemKind, ...ArticleProblemKind[]]),
  detail: z.string(),
})
export type ArticleProblem = z.infer<typeof ProblemSchema>

/** The text of a problem in a language. */
export function problemText({ problem, detail }: ArticleProblem, language: 'zh' | 'en'): string {
  return ARTICLE_PROBLEMS[problem][language].replace('{detail}', () => detail)
}

const id = z.string().regex(/^own-[1-9]\d{0,8}$/)
const version = z.int().min(1).max(1_000_000)
const language = z.enum(['zh', 'en'])
const line = (most: number) => z.string().trim().max(most)

const TextSchema = z.object({
  title: line(OWN_ARTICLE_LIMITS.title),
  summary: line(OWN_ARTICLE_LIMITS.summary),
  words: line(OWN_ARTICLE_LIMITS.words),
  /** Markdown. */
  body: z.string().max(OWN_ARTICLE_LIMITS.body),
})
export type OwnText = z.infer<typeof TextSchema>

const ContentSchema = z
  .object({
    kind: ArticleKindSchema,
    topic: ArticleTopicSchema,
    solution: SolutionKindSchema.nullable(),
    platforms: z.array(ArticlePlatformSchema).max(3),
    /** Detection items, and ids of own rules, that it is about. */
    items: z.array(z.string().regex(/^[a-z0-9][a-z0-9-]{0,79}$/)).max(OWN_ARTICLE_LIMITS.items),
    /** Pages that it explains. */
    pages: z.array(ArticlePageSchema).max(20),
    zh: TextSchema.nullable(),
    en: TextSchema.nullable(),
  })
  .refine(({ zh, en }) => (zh?.title ?? '') !== '' || (en?.title ?? '') !== '', 'title')
  .refine(({ kind, solution }) => (kind === 'solution') === (solution !== null), 'solution')
export type OwnContent = z.infer<typeof ContentSchema>

/** `draft`: never published, or withdrawn; `changed`: readers see an older version than the newest. */
export const OWN_ARTICLE_STATES = {
  draft: { zh: '草稿', en: 'Draft' },
  published: { zh: '已发布', en: 'Published' },
  changed: { zh: '有未发布修改', en: 'Unpublished changes' },
} as const
export type OwnArticleState = keyof typeof OWN_ARTICLE_STATES
const StateSchema = z.enum(Object.keys(OWN_ARTICLE_STATES) as [OwnArticleState, ...OwnArticleState[]])

const LineSchema = z.object({
  id: z.string(),
  state: StateSchema,
  /** The newest one. */
  version: z.number(),
  /** The one that readers see. */
  published: z.number().nullable(),
  kind: ArticleKindSchema,
  topic: ArticleTopicSchema,
  title: z.object({ zh: z.string(), en: z.string() }),
  languages: z.array(language),
  author: z.string(),
  changed_at: z.number(),
})
export type OwnArticleLine = z.infer<typeof LineSchema>

export const ownArticles = endpoint({
  method: 'GET',
  path: '/api/knowledge/own-articles/',
  summary: 'Own articles with state and newest version, last changed first; `text` is part of a title or the id',
  access: ['rule.edit'],
  query: z.object({
    text: z.string().trim().max(100).default(''),
    state: z.union([z.literal(''), StateSchema]).default(''),
    kind: z.union([z.literal(''), ArticleKindSchema]).default(''),
    offset: z.coerce.number().int().min(0).max(100_000).default(0),
    limit: z.coerce.number().int().min(1).max(100).default(20),
  }),
  response: z.object({
    data: z.array(LineSchema),
    total: z.number(),
    /** Of all own articles. */
    all: z.number(),
  }),
})

export const ownArticle = endpoint({
  method: 'GET',
  path: '/api/knowledge/own-article/',
  summary: 'One own article for its editor: a version (the newest unless one is named) and the list of versions',
  access: ['rule.edit'],
  query: z.object({ id, version: z.coerce.number().int().min(1).max(1_000_000).optional() }),
  response: z.object({
    data: LineSchema,
    /** The version that `content` is of. */
    shown: z.number(),
    content: ContentSchema,
    /** The newest first. */
    versions: z.array(
      z.object({
        number: z.number(),
        at: z.number(),
        author: z.string(),
        /** The version that was taken again, or null. */
        restored: z.number().nullable(),
      }),
    ),
  }),
  errors: ['data.missing'],
})

export const previewOwnArticle = endpoint({
  method: 'POST',
  path: '/api/knowledge/own-article/preview/',
  summary: 'What readers would see of a Markdown text, and what its parser refuses, by line',
  access: ['rule.edit'],
  audit: false,
  body: z.object({ body: TextSchema.shape.body }),
  response: z.object({ blocks: z.array(ArticleBlockSchema), problems: z.array(ProblemSchema) }),
  errors: ['request.rate'],
})

const SavedSchema = z.object({ id: z.string(), version: z.number() })

export const saveOwnArticle = endpoint({
  method: 'POST',
  path: '/api/knowledge/own-article/save/',
  summary: 'Save a version: `id` null makes an article; `based_on` is the version that was read, 0 for a new article',
  access: ['rule.edit'],
  body: z.object({
    id: id.nullable(),
    based_on: z.int().min(0).max(1_000_000),
    content: ContentSchema,
  }),
  response: SavedSchema,
  errors: ['data.missing', 'data.conflict', 'quota.reached', 'input.invalid'],
})

export const copyArticle = endpoint({
  method: 'POST',
  path: '/api/knowledge/own-article/copy/',
  summary: 'A new draft with the text of an article of the knowledge base, which stays as it is',
  access: ['rule.edit'],
  body: z.object({ article: z.string().regex(/^[a-z0-9][a-z0-9-]{0,79}$/) }),
  response: SavedSchema,
  errors: ['data.missing', 'quota.reached'],
})

export const restoreOwnArticle = endpoint({
  method: 'POST',
  path: '/api/knowledge/own-article/restore/',
  summary: 'Save an older version again as the newest one; `based_on` is the newest that was read',
  access: ['rule.edit'],
  body: z.object({ id, version, based_on: version }),
  response: SavedSchema,
  errors: ['data.missing', 'data.conflict'],
})

export const publishOwnArticle = endpoint({
  method: 'POST',
  path: '/api/knowledge/own-article/publish/',
  summary: 'Show a version to readers, or with `version` null none; `problems` says why it was not published',
  access: ['rule.edit'],
  body: z.object({ id, version: version.nullable() }),
  response: z.object({
    published: z.number().nullable(),
    problems: z.array(ProblemSchema.extend({ language })),
  }),
  errors: ['data.missing'],
})

export const deleteOwnArticle = endpoint({
  method: 'POST',
  path: '/api/knowledge/own-article/delete/',
  summary: 'Delete an own article with all its versions',
  access: ['rule.edit'],
  body: z.object({ id }),
  response: z.object({}),
  errors: ['data.missing'],
})

export const uploadArticleImage = endpoint({
  method: 'POST',
  path: '/api/knowledge/own-article/image/',
  summary: `Upload a PNG, JPEG or WebP of at most ${OWN_ARTICLE_LIMITS.imageBytes / 2 ** 20} MB (multipart/form-data, part \`file\`); it is re-encoded without metadata`,
  access: ['rule.edit'],
  takes: 'form',
  body: z.object({}),
  response: z.object({ id: z.string(), width: z.number(), height: z.number() }),
  errors: ['input.empty', 'knowledge.image_size', 'knowledge.image_kind', 'quota.reached', 'request.rate'],
})

export const articleImage = endpoint({
  method: 'GET',
  path: '/api/knowledge/image/',
  summary: 'An image of an own article; of drafts alone, for those who write articles',
  access: 'session',
  navigation: true,
  bare: true,
  query: z.object({ id: z.uuid() }),
  response: z.unknown(),
  errors: ['data.missing'],
})
