import { type Kysely, sql } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import type { WordList } from '#contracts/http/sensitive-words.ts'
import { BUILT_IN_WORDS } from '#engines/detect/content/built-in-words.ts'
import type { WordGroup } from '#engines/detect/input/content-input.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Database } from '#storage/postgres/schema.ts'

/** Puts the built-in lists in place where they never were; what people changed of them stays. */
export async function seedWords({ db }: MetaStore, now: number): Promise<void> {
  await db.transaction().execute(async (all) => {
    const made = await all
      .insertInto('sensitive_groups')
      .values(
        BUILT_IN_WORDS.map(({ id, zh, en }) => ({
          id,
          name: zh,
          name_en: en,
          note: '',
          enabled: true,
          built_in: true,
          rev: 1,
          by_user: null,
          updated_at: now,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .execute()
    const ids = new Set(made.map(({ id }) => id))
    const words = BUILT_IN_WORDS.filter(({ id }) => ids.has(id)).flatMap((group) =>
      group.words.map((word) => ({ group_id: group.id, word, by_user: null, added_at: now })),
    )
    if (words.length)
      await all
        .insertInto('sensitive_words')
        .values(words)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
  })
}

/** Lists as the caller sees them: built-in ones in their order, then own ones by name. */
export async function listGroups(db: Kysely<Database>): Promise<WordList[]> {
  const rows = await db
    .selectFrom('sensitive_groups as list')
    .leftJoin('users', 'users.id', 'list.by_user')
    .selectAll('list')
    .select([
      'users.username',
      sql<number>`(select count(*)::int from sensitive_words where group_id = list.id)`.as('words'),
    ])
    .execute()
  const order = new Map(BUILT_IN_WORDS.map(({ id }, index) => [id, index]))
  const rank = (id: string) => order.get(id) ?? order.size
  return rows
    .map((row) => ({
      id: row.id,
      name: { zh: row.name, en: row.name_en || row.name },
      note: row.note,
      enabled: row.enabled,
      built_in: row.built_in,
      words: row.words,
      rev: row.rev,
      by: row.username ?? '',
      updated_at: row.updated_at,
    }))
    .sort((one, other) => rank(one.id) - rank(other.id) || one.name.zh.localeCompare(other.name.zh, 'zh'))
}

export async function findGroup(db: Kysely<Database>, id: string): Promise<WordList> {
  const found = (await listGroups(db)).find((one) => one.id === id)
  if (!found) throw new ProductError('data.missing')
  return found
}

/** The words that a detection looks for: those of the lists that are on. A hit is reported under the name of its list. */
export async function activeWords({ db }: MetaStore): Promise<WordGroup[]> {
  const rows = await db
    .selectFrom('sensitive_words')
    .innerJoin('sensitive_groups', 'sensitive_groups.id', 'sensitive_words.group_id')
    .select(['sensitive_groups.name', 'sensitive_words.word'])
    .where('sensitive_groups.enabled', '=', true)
    .orderBy('sensitive_groups.id')
    .orderBy(sql`sensitive_words.word collate "C"`)
    .execute()
  const groups = new Map<string, string[]>()
  for (const { name, word } of rows) {
    const words = groups.get(name)
    if (words) words.push(word)
    else groups.set(name, [word])
  }
  return [...groups].map(([group, words]) => ({ group, words }))
}
