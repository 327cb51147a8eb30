import type { Kysely } from 'kysely'
import type { OwnContent, OwnText } from '#contracts/http/own-articles.ts'
import { log } from '#runtime/log.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Database } from '#storage/postgres/schema.ts'
import { type Library, library } from './library.ts'
import { type ArticleImages, ArticleSyntaxError, namedImages, parseArticle } from './parse-article.ts'
import type { Article, ArticleText } from './read-articles.ts'

type Known = { db: Kysely<Database>; revision: number; articles: ReadonlyMap<string, Article | null> }
let known: Known | undefined
let reading: Promise<Known> | undefined

/**
 * The library with the articles of the organisation as they are published now. Every process asks for the revision of that set with each
 * use, which is one row, and reads again what changed: so no process can miss a change.
 */
export async function currentLibrary({ db }: Pick<MetaStore, 'db'>): Promise<Library> {
  for (;;) {
    const { revision } = await db.selectFrom('own_article_revision').select('revision').executeTakeFirstOrThrow()
    if (known?.db === db && known.revision === revision) return library()
    reading ??= readPublished(db, revision).finally(() => {
      reading = undefined
    })
    // It may have begun before the revision that was asked for: then it is read once more.
    known = await reading
  }
}

async function readPublished(db: Kysely<Database>, revision: number): Promise<Known> {
  const before = known?.db === db ? known.articles : new Map<string, Article | null>()
  const rows = await db
    .selectFrom('own_articles')
    .select(['id', 'published', 'published_at', 'published_by'])
    .where('published', 'is not', null)
    .orderBy('published_at', 'desc')
    .orderBy('id')
    .execute()
  const articles = new Map<string, Article | null>()
  for (const row of rows) {
    const key = `${row.id} ${row.published} ${row.published_at}`
    const one = before.get(key)
    articles.set(key, one === undefined ? await readOwn(db, row) : one)
  }
  library().replaceOwn([...articles.values()].filter((one) => one !== null))
  return { db, revision, articles }
}

/** Has every process read the published articles again. In the transaction of the change: changes wait for each other here. */
export async function bumpRevision(tx: Kysely<Database>): Promise<void> {
  await tx
    .updateTable('own_article_revision')
    .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
    .execute()
}

/** One published version; null where it can no longer be read. */
async function readOwn(
  db: Kysely<Database>,
  row: { id: number; published: number | null; published_at: number | null; published_by: string },
): Promise<Article | null> {
  const version = await db
    .selectFrom('own_article_versions')
    .select(['content', 'images'])
    .where('article_id', '=', row.id)
    .where('number', '=', row.published)
    .executeTakeFirst()
  if (!version) return null
  try {
    return toArticle(row, version.content, await imagesOf(db, version.images))
  } catch (error) {
    if (!(error instanceof ArticleSyntaxError)) throw error
    log.warn({ err: error, article: `own-${row.id}` }, 'knowledge: an own article cannot be read, it is not shown')
    return null
  }
}

function toArticle(
  row: { id: number; published_at: number | null; published_by: string },
  content: OwnContent,
  images: ArticleImages,
): Article {
  const { kind, topic, solution, platforms, items, pages } = content
  const textOf = (text: OwnText | null): ArticleText | null =>
    text && {
      ...{ title: text.title, summary: text.summary, words: text.words },
      blocks: parseArticle(text.body, [], images),
    }
  const [zh, en] = [textOf(content.zh), textOf(content.en)]
  const only = zh && en ? null : zh ? 'zh' : 'en'
  const one = (zh ?? en) as ArticleText
  return {
    ...{ id: `own-${row.id}`, kind, topic, solution, platforms, items, pages },
    ...{ risks: [], related: [], references: [], code: [] },
    own: { at: row.published_at ?? 0, by: row.published_by, only },
    zh: zh ?? one,
    en: en ?? one,
  }
}

/** Sizes of these images, by id. */
export async function imagesOf(db: Kysely<Database>, ids: readonly string[]): Promise<ArticleImages> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('own_article_images')
    .select(['id', 'width', 'height'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, width, height }) => [id, { width, height }]))
}

/** Ids of the images that both languages of an article name. */
export function contentImages({ zh, en }: OwnContent): string[] {
  return [...new Set([...namedImages(zh?.body ?? ''), ...namedImages(en?.body ?? '')])]
}
