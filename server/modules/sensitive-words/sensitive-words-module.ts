import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import {
  changeWords,
  deleteWordGroup,
  exportWords,
  importWords,
  saveWordGroup,
  sensitiveWords,
  tryWords,
  WORD_LIMITS,
  wordGroups,
} from '#contracts/http/sensitive-words.ts'
import { WordMatcher } from '#engines/detect/content/word-matcher.ts'
import type { Caller, Module, ServerDeps } from '../../http/module.ts'
import { csvLine } from '../../platform/tables/csv.ts'
import { attachment } from '../jobs/attachment-name.ts'
import { addWords } from './add-words.ts'
import { readWordFile, wordProblem } from './read-word-file.ts'
import { activeWords, findGroup, listGroups, seedWords } from './word-groups.ts'

/** Sensitive words: lists, words, import, export, and what a text holds of them. */
export const wordsModule: Module = async (mount, deps) => {
  const { db } = deps.meta
  await seedWords(deps.meta, deps.now())

  mount(wordGroups, async () => {
    const data = await listGroups(db)
    const enabled = data.filter((one) => one.enabled).reduce((sum, one) => sum + one.words, 0)
    return { data, total: data.reduce((sum, one) => sum + one.words, 0), enabled }
  })

  mount(saveWordGroup, async ({ body, caller, audit }) => {
    const earlier = body.id === undefined ? undefined : await findGroup(db, body.id)
    audit(
      `word list ${body.name}`,
      earlier ? (body.enabled === earlier.enabled ? 'changed' : body.enabled ? 'switched on' : 'switched off') : 'made',
    )
    const values = { note: body.note, enabled: body.enabled, by_user: caller.userId, updated_at: deps.now() }
    try {
      if (earlier) {
        const rev = body.rev ?? earlier.rev
        // The names of built-in lists are the product's, in both languages.
        const named = earlier.built_in ? values : { ...values, name: body.name }
        const { numUpdatedRows } = await db
          .updateTable('sensitive_groups')
          .set({ ...named, rev: rev + 1 })
          .where('id', '=', earlier.id)
          .where('rev', '=', rev)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) throw new ProductError('data.conflict')
        return { data: await findGroup(db, earlier.id) }
      }
      await roomForGroups(deps, 1)
      const id = randomUUID()
      await db
        .insertInto('sensitive_groups')
        .values({ ...values, id, name: body.name, name_en: '', built_in: false, rev: 1 })
        .execute()
      return { data: await findGroup(db, id) }
    } catch (error) {
      if ((error as { code?: string }).code === '23505')
        throw new ProductError('input.invalid', { detail: nameTaken(caller, body.name) })
      throw error
    }
  })

  mount(deleteWordGroup, async ({ body, caller, audit }) => {
    const found = await findGroup(db, body.id)
    if (found.built_in)
      throw new ProductError('input.invalid', {
        detail: caller.language === 'zh' ? '内置词库只能停用' : 'a built-in list can only be switched off',
      })
    await db.deleteFrom('sensitive_groups').where('id', '=', found.id).execute()
    audit(`word list ${found.name.zh}`, `${found.words} words`)
    return {}
  })

  mount(sensitiveWords, async ({ query }) => {
    let found = db.selectFrom('sensitive_words as entry').leftJoin('users', 'users.id', 'entry.by_user')
    if (query.group) found = found.where('entry.group_id', '=', query.group)
    if (query.search) found = found.where(sql<boolean>`position(lower(${query.search}) in lower(entry.word)) > 0`)
    const [rows, count] = await Promise.all([
      found
        .select(['entry.group_id as group', 'entry.word', 'users.username as by', 'entry.added_at'])
        .orderBy(sql`entry.word collate "C"`)
        .orderBy('entry.group_id')
        .offset(query.offset)
        .limit(query.limit)
        .execute(),
      found.select((select) => select.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
    ])
    return { data: rows.map((row) => ({ ...row, by: row.by ?? '' })), total: Number(count.count) }
  })

  mount(changeWords, async ({ body, caller, audit }) => {
    const group = await findGroup(db, body.group)
    const words = body.add.map((one, index) => ({ line: index + 1, group: group.id, word: one.trim() }))
    const refused = words.flatMap(({ line, word }) => {
      const reason = wordProblem(word)
      return reason ? [{ line, value: word.slice(0, 100), reason }] : []
    })
    const lines = new Set(refused.map(({ line }) => line))
    const { added, known } = await addWords(
      deps,
      caller.userId,
      words.filter(({ line }) => !lines.has(line)),
    )
    const removed = body.remove.length
      ? await db
          .deleteFrom('sensitive_words')
          .where('group_id', '=', group.id)
          .where((where) => where('word', '=', where.fn.any(where.val(body.remove))))
          .executeTakeFirst()
      : undefined
    audit(`word list ${group.name.zh}`, `${added} added, ${removed?.numDeletedRows ?? 0} removed`)
    return {
      added,
      removed: Number(removed?.numDeletedRows ?? 0),
      problems: [...refused, ...known].slice(0, WORD_LIMITS.problems),
    }
  })

  mount(importWords, async ({ body, caller, audit }) => {
    const file = readWordFile(body.content, body.format)
    const lists = await listGroups(db)
    const target = body.format === 'txt' ? await findGroup(db, body.group ?? '') : undefined
    const idOf = new Map(lists.flatMap(({ id, name }) => [[name.en, id] as const, [name.zh, id] as const]))
    const groups = [...new Set(file.words.map(({ group }) => group))].filter((name) => !target && !idOf.has(name))
    if (groups.length) await roomForGroups(deps, groups.length)
    for (const name of groups) idOf.set(name, randomUUID())
    const words = file.words.map((one) => ({ ...one, group: target?.id ?? idOf.get(one.group)! }))
    const { added, known } = await addWords(deps, caller.userId, words, {
      dry: body.dry,
      groups: groups.map((name) => ({ id: idOf.get(name)!, name })),
    })
    const problems = [...file.problems, ...known].sort((one, other) => one.line - other.line)
    audit(
      target ? `word list ${target.name.zh}` : 'word lists',
      body.dry ? 'looked at a file' : `${added} words imported, ${problems.length} lines refused`,
    )
    return {
      added,
      groups,
      lines: file.lines,
      problems: problems.slice(0, WORD_LIMITS.problems),
      problem_count: problems.length,
    }
  })

  mount(exportWords, async ({ query, caller, reply }) => {
    const group = query.group ? await findGroup(db, query.group) : undefined
    if (query.format === 'txt' && !group) throw new ProductError('data.missing')
    let found = db
      .selectFrom('sensitive_words')
      .innerJoin('sensitive_groups', 'sensitive_groups.id', 'sensitive_words.group_id')
      .select(['sensitive_groups.name', 'sensitive_words.word'])
    if (group) found = found.where('group_id', '=', group.id)
    const rows = await found.orderBy('sensitive_groups.name').orderBy(sql`sensitive_words.word collate "C"`).execute()
    const name = `sensitive-words${group ? `-${group.name[caller.language]}` : ''}.${query.format}`
    reply.header('content-type', `text/${query.format === 'csv' ? 'csv' : 'plain'}; charset=utf-8`)
    reply.header('content-disposition', attachment(name))
    reply.header('x-content-type-options', 'nosniff')
    if (query.format === 'txt') return rows.map(({ word }) => `${word}\r\n`).join('')
    const header = caller.language === 'zh' ? ['分组', '敏感词'] : ['list', 'word']
    return `\ufeff${csvLine(header)}${rows.map((row) => csvLine([row.name, row.word])).join('')}`
  })

  mount(tryWords, async ({ body }) => {
    const names = new Map((await listGroups(db)).map(({ name }) => [name.zh, name]))
    const found = new WordMatcher(await activeWords(deps.meta)).find(body.text)
    return {
      data: found
        .slice(0, WORD_LIMITS.hits)
        .map(({ group, ...one }) => ({ ...one, group: names.get(group) ?? { zh: group, en: group } })),
      total: found.length,
    }
  })
}

function nameTaken(caller: Caller, name: string): string {
  return caller.language === 'zh' ? `词库“${name}”已存在` : `there is a list ${name} already`
}

async function roomForGroups({ meta }: ServerDeps, more: number): Promise<void> {
  const { count } = await meta.db
    .selectFrom('sensitive_groups')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) + more > WORD_LIMITS.groups)
    throw new ProductError('quota.reached', { detail: String(WORD_LIMITS.groups) })
}
