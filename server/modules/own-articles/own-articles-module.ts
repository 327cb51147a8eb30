import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { ProductError } from '#contracts/errors.ts'
import {
  type ArticleProblem,
  articleImage,
  copyArticle,
  deleteOwnArticle,
  OWN_ARTICLE_LIMITS,
  type OwnContent,
  ownArticle,
  ownArticles,
  previewOwnArticle,
  publishOwnArticle,
  restoreOwnArticle,
  saveOwnArticle,
  uploadArticleImage,
} from '#contracts/http/own-articles.ts'
import type { Caller, Module } from '../../http/module.ts'
import { makeRateLimit } from '../../http/rate-limit.ts'
import { changesBetween } from '../../platform/audit/audit-changes.ts'
import { encodePicture } from '../../platform/pictures/encode-picture.ts'
import { cleanName } from '../assets/store-package.ts'
import { CATALOGUE } from '../detection/catalogue.ts'
import { knowledgeFolder, library } from '../knowledge/library.ts'
import { contentImages, imagesOf } from '../knowledge/own-library.ts'
import { type ArticleImages, namedImages, readArticleText } from '../knowledge/parse-article.ts'
import { articleSource } from '../knowledge/read-articles.ts'
import {
  createArticle,
  dropArticle,
  findArticle,
  findVersion,
  listArticles,
  publishVersion,
  saveVersion,
  toLine,
} from './article-store.ts'

/** Of one account: so many at once, then so many a second. */
const PREVIEW_RATE = { burst: 40, perSecond: 4 }
const UPLOAD_RATE = { burst: 30, perSecond: 1 / 4 }
const SHORTEST = { title: 2, summary: 10 }
const ITEMS: ReadonlySet<string> = new Set(CATALOGUE.items.map(({ id }) => id))

/** Articles of the organisation: list, versions, preview, publication, images. */
export const ownArticlesModule: Module = (mount, deps) => {
  const { db } = deps.meta
  const rates = { preview: makeRateLimit(deps.now, PREVIEW_RATE), upload: makeRateLimit(deps.now, UPLOAD_RATE) }
  const limit = (rate: keyof typeof rates, caller: Caller) => {
    const wait = rates[rate].take(String(caller.userId))
    if (wait > 0) throw new ProductError('request.rate', {}, { retry_after: wait })
  }
  const authorOf = ({ userId, username }: Caller) => ({ id: userId, name: username, now: deps.now() })

  mount(ownArticles, async ({ query }) => {
    const lines = await listArticles(db)
    const text = query.text.toLowerCase()
    const found = lines.filter(
      ({ id, title, state, kind }) =>
        (query.state === '' || state === query.state) &&
        (query.kind === '' || kind === query.kind) &&
        (text === '' || id === text || `${title.zh}\n${title.en}`.toLowerCase().includes(text)),
    )
    return {
      data: found.slice(query.offset, query.offset + query.limit),
      ...{ total: found.length, all: lines.length },
    }
  })

  mount(ownArticle, async ({ query }) => {
    const row = await findArticle(db, query.id)
    const shown = query.version ?? row.version
    const [content, versions] = await Promise.all([
      shown === row.version ? row.content : findVersion(db, query.id, shown),
      db
        .selectFrom('own_article_versions')
        .select(['number', 'at', 'author', 'restored'])
        .where('article_id', '=', row.id)
        .orderBy('number', 'desc')
        .execute(),
    ])
    return { data: toLine(row), shown, content, versions }
  })

  mount(previewOwnArticle, async ({ body, caller }) => {
    limit('preview', caller)
    return readArticleText(body.body, [], await imagesOf(db, namedImages(body.body)))
  })

  mount(saveOwnArticle, async ({ body, caller, audit }) => {
    const { id, based_on: basedOn, content } = body
    audit(id ?? content.zh?.title ?? content.en?.title ?? '')
    await checkItems(content.items)
    if (id === null) {
      const saved = await createArticle(db, content, authorOf(caller))
      audit(saved.id, 'version 1', changesBetween(undefined, content))
      return saved
    }
    const before = (await findArticle(db, id)).content
    const saved = await saveVersion(db, id, { basedOn, content, restored: null }, authorOf(caller))
    audit(id, `version ${saved.version}`, changesBetween(before, content))
    return saved
  })

  mount(copyArticle, async ({ body, caller, audit }) => {
    audit(body.article)
    const one = library().find(body.article)
    if (!one || one.own !== null || one.id !== body.article) throw new ProductError('data.missing')
    const folder = join(knowledgeFolder(), 'articles')
    const textOf = (language: 'zh' | 'en') => {
      const { title, summary, words } = one[language]
      return { title, summary, words, body: articleSource(folder, one, language) }
    }
    const { kind, topic, solution, platforms, items, pages } = one
    const content = { kind, topic, solution, platforms, items, pages, zh: textOf('zh'), en: textOf('en') }
    const saved = await createArticle(db, content, authorOf(caller))
    audit(saved.id, `copy of ${one.id}`)
    return saved
  })

  mount(restoreOwnArticle, async ({ body, caller, audit }) => {
    const { id, version, based_on: basedOn } = body
    audit(id, `version ${version}`)
    const before = (await findArticle(db, id)).content
    const content = await findVersion(db, id, version)
    const saved = await saveVersion(db, id, { basedOn, content, restored: version }, authorOf(caller))
    audit(id, `version ${version} as ${saved.version}`, changesBetween(before, content))
    return saved
  })

  mount(publishOwnArticle, async ({ body, caller, audit }) => {
    const { id, version } = body
    const { published } = await findArticle(db, id)
    audit(id, version === null ? 'withdrawn' : `version ${version}`, [
      { field: 'published', before: published, after: version },
    ])
    if (version !== null) {
      const content = await findVersion(db, id, version)
      const problems = problemsOf(content, await imagesOf(db, contentImages(content)))
      if (problems.length > 0) {
        audit(id, `version ${version} not published: ${problems.length} problems`)
        return { published, problems }
      }
    }
    await publishVersion(db, id, version, authorOf(caller))
    return { published: version, problems: [] }
  })

  mount(deleteOwnArticle, async ({ body, audit }) => {
    audit(body.id)
    const row = await findArticle(db, body.id)
    await dropArticle(db, body.id)
    audit(body.id, toLine(row).title.zh, changesBetween(row.content, null))
    return {}
  })

  mount(uploadArticleImage, async ({ file, caller, audit }) => {
    const name = file ? cleanName(file.name) : ''
    audit(name)
    limit('upload', caller)
    if (!file || file.size === 0)
      throw new ProductError('input.empty', { field: caller.language === 'zh' ? '图片' : 'an image' })
    if (file.size > OWN_ARTICLE_LIMITS.imageBytes)
      throw new ProductError('knowledge.image_size', { limit: OWN_ARTICLE_LIMITS.imageBytes / 2 ** 20 })
    const { count } = await db
      .selectFrom('own_article_images')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    if (Number(count) >= OWN_ARTICLE_LIMITS.images)
      throw new ProductError('quota.reached', { detail: String(OWN_ARTICLE_LIMITS.images) })
    const { imagePixels: pixels, imageWidth, imageHeight } = OWN_ARTICLE_LIMITS
    const encoded = await encodePicture(await readFile(file.path), { pixels, width: imageWidth, height: imageHeight })
    if (!encoded) throw new ProductError('knowledge.image_kind')
    const { type, width, height } = encoded
    const { sha256, size } = await deps.files.put(Readable.from([Buffer.from(encoded.bytes)], { objectMode: false }))
    const id = randomUUID()
    await db
      .insertInto('own_article_images')
      .values({ id, sha256, name, type, width, height, bytes: size, by_user: caller.userId, created_at: deps.now() })
      .execute()
    audit(id, `${name}, ${width} x ${height}`)
    return { id, width, height }
  })

  mount(articleImage, async ({ query, caller, reply }) => {
    const row = await db
      .selectFrom('own_article_images')
      .select(['sha256', 'type'])
      .where('id', '=', query.id)
      .executeTakeFirst()
    if (!row || !(caller.auth.includes('rule.edit') || (await isPublished(query.id))))
      throw new ProductError('data.missing')
    if (!(await deps.files.has(row.sha256))) throw new ProductError('data.missing')
    const file = await deps.files.open(row.sha256)
    reply.header('content-type', `image/${row.type}`)
    reply.header('content-length', file.size)
    reply.header('content-disposition', 'inline')
    reply.header('x-content-type-options', 'nosniff')
    // Not by a shared cache, and not longer than a session: an article may be withdrawn.
    reply.header('cache-control', 'private, max-age=3600')
    return file.stream()
  })

  async function isPublished(image: string): Promise<boolean> {
    const row = await db
      .selectFrom('own_articles')
      .innerJoin('own_article_versions as version', (join) =>
        join.onRef('version.article_id', '=', 'own_articles.id').onRef('version.number', '=', 'own_articles.published'),
      )
      .select('own_articles.id')
      .where(({ eb, ref }) => eb(eb.val(image), '=', eb.fn.any(ref('version.images'))))
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  }

  /** Items of the rule packs and own rules. Throws input.invalid for any other. */
  async function checkItems(items: readonly string[]): Promise<void> {
    const others = items.filter((item) => !ITEMS.has(item))
    if (others.length === 0) return
    const rows = await db.selectFrom('detection_own_rules').select('id').where('id', 'in', others).execute()
    const unknown = others.find((item) => !rows.some(({ id }) => id === item))
    if (unknown !== undefined) throw new ProductError('input.invalid', { detail: unknown })
  }
}

/** Why a text is not shown to readers. */
function problemsOf(content: OwnContent, images: ArticleImages): (ArticleProblem & { language: 'zh' | 'en' })[] {
  return (['zh', 'en'] as const).flatMap((language) => {
    const text = content[language]
    if (!text) return []
    const { blocks, problems } = readArticleText(text.body, [], images)
    const fields = (['title', 'summary'] as const).filter((field) => text[field].length < SHORTEST[field])
    return [
      ...fields.map((problem) => ({ line: 0, problem, detail: '', language })),
      ...(blocks.length === 0 && problems.length === 0
        ? [{ line: 0, problem: 'body' as const, detail: '', language }]
        : []),
      ...problems.map((one) => ({ ...one, language })),
    ]
  })
}
