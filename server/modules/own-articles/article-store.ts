import { type Kysely, sql } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import {
  OWN_ARTICLE_LIMITS,
  type OwnArticleLine,
  type OwnArticleState,
  type OwnContent,
} from '#contracts/http/own-articles.ts'
import type { Database } from '#storage/postgres/schema.ts'
import { bumpRevision, contentImages } from '../knowledge/own-library.ts'

type Saved = { id: string; version: number }
export type Author = { id: number; name: string; now: number }

export const articleName = (id: number) => `own-${id}`
export const articleNumber = (id: string) => Number(id.slice('own-'.length))

/** Articles with their newest version. */
function selectArticles(db: Kysely<Database>) {
  return db
    .selectFrom('own_articles')
    .innerJoin('own_article_versions as newest', (join) =>
      join.onRef('newest.article_id', '=', 'own_articles.id').onRef('newest.number', '=', 'own_articles.version'),
    )
    .select(['own_articles.id', 'own_articles.version', 'own_articles.changed_at', 'own_articles.author'])
    .select('own_articles.published')
}

/** Every article with what a list shows of it, last changed first. */
export async function listArticles(db: Kysely<Database>): Promise<OwnArticleLine[]> {
  const rows = await selectArticles(db)
    // The texts of all articles together may be 40 MB.
    .select(sql<OwnContent>`newest.content #- '{zh,body}' #- '{en,body}'`.as('content'))
    .orderBy('own_articles.changed_at', 'desc')
    .orderBy('own_articles.id', 'desc')
    .execute()
  return rows.map(toLine)
}

type ArticleRow = Awaited<ReturnType<ReturnType<typeof selectArticles>['executeTakeFirstOrThrow']>> & {
  content: OwnContent
}

export function toLine({ id, version, published, content, author, changed_at }: ArticleRow): OwnArticleLine {
  const state: OwnArticleState = published === null ? 'draft' : published === version ? 'published' : 'changed'
  const { kind, topic, zh, en } = content
  return {
    ...{ id: articleName(id), state, version, published, kind, topic, author, changed_at },
    title: { zh: zh?.title || en?.title || '', en: en?.title || zh?.title || '' },
    languages: [...(zh ? (['zh'] as const) : []), ...(en ? (['en'] as const) : [])],
  }
}

/** One article with the content of its newest version. Throws data.missing. */
export async function findArticle(db: Kysely<Database>, id: string): Promise<ArticleRow> {
  const row = await selectArticles(db)
    .select('newest.content')
    .where('own_articles.id', '=', articleNumber(id))
    .executeTakeFirst()
  if (!row) throw new ProductError('data.missing')
  return row
}

/** One version of an article. Throws data.missing. */
export async function findVersion(db: Kysely<Database>, id: string, number: number): Promise<OwnContent> {
  const row = await db
    .selectFrom('own_article_versions')
    .select('content')
    .where('article_id', '=', articleNumber(id))
    .where('number', '=', number)
    .executeTakeFirst()
  if (!row) throw new ProductError('data.missing')
  return row.content
}

/** A new article with its first version. Throws quota.reached. */
export async function createArticle(db: Kysely<Database>, content: OwnContent, author: Author): Promise<Saved> {
  return await db.transaction().execute(async (tx) => {
    // Articles are made one after the other, so that no two of them pass the limit together.
    await bumpRevision(tx)
    const { count } = await tx
      .selectFrom('own_articles')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    if (Number(count) >= OWN_ARTICLE_LIMITS.articles)
      throw new ProductError('quota.reached', { detail: String(OWN_ARTICLE_LIMITS.articles) })
    const { id } = await tx
      .insertInto('own_articles')
      .values({ version: 1, changed_at: author.now, author: author.name, published: null, published_at: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    await addVersion(tx, { id, number: 1, content, author, restored: null })
    return { id: articleName(id), version: 1 }
  })
}

/** A further version. Throws data.missing, and data.conflict where `basedOn` is not the newest one. */
export async function saveVersion(
  db: Kysely<Database>,
  id: string,
  { basedOn, content, restored }: { basedOn: number; content: OwnContent; restored: number | null },
  author: Author,
): Promise<Saved> {
  return await db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('own_articles')
      .select(['id', 'version', 'published'])
      .where('id', '=', articleNumber(id))
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw new ProductError('data.missing')
    if (row.version !== basedOn) throw new ProductError('data.conflict')
    const number = row.version + 1
    await addVersion(tx, { id: row.id, number, content, author, restored })
    await tx
      .updateTable('own_articles')
      .set({ version: number, changed_at: author.now, author: author.name })
      .where('id', '=', row.id)
      .execute()
    await tx
      .deleteFrom('own_article_versions')
      .where('article_id', '=', row.id)
      .where('number', '<=', number - OWN_ARTICLE_LIMITS.versions)
      .where('number', 'is distinct from', row.published)
      .execute()
    return { id, version: number }
  })
}

async function addVersion(
  tx: Kysely<Database>,
  one: { id: number; number: number; content: OwnContent; author: Author; restored: number | null },
): Promise<void> {
  await tx
    .insertInto('own_article_versions')
    .values({
      ...{ article_id: one.id, number: one.number, restored: one.restored },
      ...{ at: one.author.now, by_user: one.author.id, author: one.author.name },
      content: JSON.stringify(one.content),
      images: contentImages(one.content),
    })
    .execute()
}

/** Shows a version to readers, or none. Throws data.missing where the article or the version was deleted. */
export async function publishVersion(
  db: Kysely<Database>,
  id: string,
  version: number | null,
  author: Author,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await bumpRevision(tx)
    await tx.selectFrom('own_articles').select('id').where('id', '=', articleNumber(id)).forUpdate().execute()
    if (version !== null) await findVersion(tx, id, version)
    const { numUpdatedRows } = await tx
      .updateTable('own_articles')
      .set({ published: version, published_at: version === null ? null : author.now, published_by: author.name })
      .where('id', '=', articleNumber(id))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new ProductError('data.missing')
  })
}

/** Deletes an article with its versions. Throws data.missing. */
export async function dropArticle(db: Kysely<Database>, id: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await bumpRevision(tx)
    const { numDeletedRows } = await tx
      .deleteFrom('own_articles')
      .where('id', '=', articleNumber(id))
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw new ProductError('data.missing')
  })
}
