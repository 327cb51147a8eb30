import { sql } from 'kysely'
import { OWN_ARTICLE_LIMITS } from '#contracts/http/own-articles.ts'
import type { FileStore } from '#storage/files/port.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { dropUnnamed } from '../../platform/file-references.ts'

const DAY_MS = 86_400_000

/** Deletes images that no version of an article names since they are `unnamedDays` old. Answers how many. */
export async function dropUnnamedImages(meta: MetaStore, files: FileStore, now: number): Promise<number> {
  const gone = await meta.db
    .deleteFrom('own_article_images')
    .where('created_at', '<', now - OWN_ARTICLE_LIMITS.unnamedDays * DAY_MS)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('own_article_versions as version')
            .select('version.number')
            .where(sql<boolean>`own_article_images.id = any(version.images)`),
        ),
      ),
    )
    .returning('sha256')
    .execute()
  await dropUnnamed(
    { meta, files },
    gone.map(({ sha256 }) => sha256),
  )
  return gone.length
}
