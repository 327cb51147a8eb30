import { ProductError } from '#contracts/errors.ts'
import { WORD_LIMITS, type WordProblem } from '#contracts/http/sensitive-words.ts'
import type { ServerDeps } from '../../http/module.ts'
import type { WordLine } from './read-word-file.ts'

const BLOCK = 2000

/**
 * Adds words (`group` is the id of their list) and, before them, new lists; all or nothing. Words that are there already are named. `dry`
 * says the same and changes nothing.
 */
export async function addWords(
  { meta, now }: ServerDeps,
  user: number,
  words: readonly WordLine[],
  { dry = false, groups = [] }: { dry?: boolean; groups?: readonly { id: string; name: string }[] } = {},
): Promise<{ added: number; known: WordProblem[] }> {
  return meta.db.transaction().execute(async (db) => {
    // One import at a time, so that the limit holds.
    await db.selectFrom('sensitive_groups').select('id').orderBy('id').limit(1).forUpdate().execute()
    const existing = new Set<string>()
    const lists = [...new Set(words.map(({ group }) => group))]
    const rows = await db
      .selectFrom('sensitive_words')
      .select(['group_id', 'word'])
      .where((where) => where('group_id', '=', where.fn.any(where.val(lists))))
      .execute()
    for (const { group_id, word } of rows) existing.add(`${group_id}\0${word}`)
    const known: WordProblem[] = []
    const added = words.filter(({ group, word, line }) => {
      const key = `${group}\0${word}`
      if (!existing.has(key)) return existing.add(key)
      known.push({ line, value: word, reason: 'known' })
      return false
    })
    const { count } = await db
      .selectFrom('sensitive_words')
      .select((select) => select.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    if (Number(count) + added.length > WORD_LIMITS.words)
      throw new ProductError('quota.reached', { detail: String(WORD_LIMITS.words) })
    if (dry) return { added: added.length, known }
    const values = { by_user: user, updated_at: now() }
    if (groups.length)
      await db
        .insertInto('sensitive_groups')
        .values(
          groups.map((one) => ({ ...one, ...values, name_en: '', note: '', enabled: true, built_in: false, rev: 1 })),
        )
        .execute()
    for (let from = 0; from < added.length; from += BLOCK)
      await db
        .insertInto('sensitive_words')
        .values(
          added
            .slice(from, from + BLOCK)
            .map(({ group, word }) => ({ group_id: group, word, by_user: user, added_at: values.updated_at })),
        )
        .execute()
    return { added: added.length, known }
  })
}
