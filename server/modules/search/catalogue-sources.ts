import { FINDING_LEVELS } from '#contracts/detection/kinds.ts'
import type { Text } from '#contracts/detection/scan-result.ts'
import { ARTICLE_KINDS, ARTICLE_TOPICS } from '#contracts/http/knowledge.ts'
import type { SearchHit } from '#contracts/http/search.ts'
import { VULNERABILITY_LEVELS } from '#contracts/http/vulnerabilities.ts'
import { ALERT_MEASURES, mayRead, RULE_WINDOWS } from '#domain/alerts.ts'
import { LEVELS } from '#domain/vocabulary.ts'
import type { Vulnerability } from '#engines/vulnlib/vulnerability.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { sees } from '../alerts/rule-row.ts'
import { CATALOGUE } from '../detection/catalogue.ts'
import { listOwnRules } from '../detection/own-rules.ts'
import { tasksOf } from '../detection/task-rows.ts'
import { currentLibrary } from '../knowledge/own-library.ts'
import { BUILT_IN } from '../vulnerabilities/built-in.ts'
import { type Ask, fact, hit, holdsAll, inRank, joined, plain, type SearchSource } from './search-source.ts'

/** Rules, findings and vulnerabilities: their words are in memory, so that PostgreSQL is asked for few rows by key. */

type Item = { id: string; name: Text; level: keyof typeof FINDING_LEVELS; text: string; cve: readonly string[] }
/** Items whose CVE numbers match count as named by them. */
const ITEMS: readonly Item[] = CATALOGUE.items.map(({ id, name, level, references }) => {
  const cve: readonly string[] = references.cve
  return { id, name, level, cve, text: `${id} ${name.zh} ${name.en} ${cve.join(' ')}` }
})
/** Findings of so many items at most are looked up. */
const MOST_ITEMS = 40

async function itemsNamed({ deps, words }: Ask): Promise<Item[]> {
  const own = (await listOwnRules(deps.meta)).map(({ id, name, level }) => ({
    ...{ id, level, text: name, cve: [], name: plain(name) },
  }))
  return [...own, ...ITEMS].filter(({ text }) => holdsAll(text, words))
}

/** Failed items of the newest tasks, by the words of the item. */
const findingSource: SearchSource = {
  kind: 'finding',
  async find(ask) {
    const items = new Map((await itemsNamed(ask)).slice(0, MOST_ITEMS).map((one) => [one.id, one]))
    if (items.size === 0) return []
    const rows = await tasksOf(ask.deps.meta, ask.caller)
      .innerJoin('detection_failures', 'detection_failures.task_id', 'task.id')
      .where('detection_failures.item', 'in', [...items.keys()])
      .where('detection_failures.muted', '=', false)
      .where('task.state', '=', 'detected')
      .select(['task.id as task', 'task.name', 'task.version', 'task.package_id', 'task.created_at'])
      .select(['task.application_id', 'applications.name as application', 'detection_failures.item'])
      .select('detection_failures.level')
      .orderBy('task.created_at', 'desc')
      .limit(ask.limit)
      .execute()
    return rows.map((row) => {
      const item = items.get(row.item)
      return hit({
        kind: 'finding',
        id: `${row.task}:${row.item}`,
        title: item?.name ?? plain(row.item),
        note: joined(`${row.name} ${row.version}`.trim(), FINDING_LEVELS[row.level]),
        level: row.level,
        apps: row.application_id === null ? [] : [String(row.application_id)],
        to: `/detection/tasks/${row.task}/?item=${encodeURIComponent(row.item)}`,
        copy: row.item,
        at: row.created_at,
        facts: [
          fact('application', row.application),
          fact('package', row.package_id),
          fact('version', row.version),
          fact('level', FINDING_LEVELS[row.level]),
          fact('rule', row.item),
        ],
      })
    })
  },
}

/** Detection items and own rules, and rules of alerts; each for those who may read its list. */
const ruleSource: SearchSource = {
  kind: 'rule',
  async find(ask) {
    const { caller, words, text, deps } = ask
    const hits: SearchHit[] = []
    if (caller.auth.includes('events.read')) {
      const rows = await deps.meta.db
        .selectFrom('alert_rules')
        .select(['id', 'name', 'severity', 'apps', 'measure', 'time_window', 'updated_at'])
        .where('deleted_at', 'is', null)
        .orderBy('name')
        .execute()
      for (const row of rows)
        if (
          sees(caller.scope, row.apps) &&
          mayRead(caller.auth, row.measure) &&
          (holdsAll(row.name, words) || row.id === text)
        )
          hits.push(
            hit({
              kind: 'rule',
              id: row.id,
              title: plain(row.name),
              note: joined(
                { zh: '告警规则', en: 'Alert rule' },
                ALERT_MEASURES[row.measure],
                RULE_WINDOWS[row.time_window],
              ),
              level: row.severity,
              apps: (row.apps ?? []).map(String),
              to: '/awareness/alerts?tab=rules',
              exact: row.id === text,
              at: row.updated_at,
              facts: [fact('level', LEVELS[row.severity]), fact('rule', row.id)],
            }),
          )
    }
    if (caller.auth.includes('detect.view') || caller.auth.includes('rule.edit'))
      for (const { id, name, level, cve } of await itemsNamed(ask))
        hits.push(
          hit({
            kind: 'rule',
            id,
            title: name,
            note: joined({ zh: '检测项', en: 'Detection item' }, FINDING_LEVELS[level]),
            level,
            to: `/detection/vulnerabilities?find=${encodeURIComponent(name[caller.language])}`,
            exact: id === text.toLowerCase(),
            facts: [fact('level', FINDING_LEVELS[level]), fact('rule', id), fact('component', cve.join(' '))],
          }),
        )
    return inRank(hits, text).slice(0, ask.limit)
  },
}

type Entry = Pick<Vulnerability, 'number' | 'name' | 'level' | 'component' | 'platform' | 'released'> & { text: string }
const entryOf = ({ number, name, level, component, platform, released }: Vulnerability): Entry => ({
  ...{ number, name, level, component, platform, released },
  text: `${number} ${name.zh} ${name.en} ${component}`.toLowerCase(),
})
const SHIPPED = [...BUILT_IN.values()].map(entryOf)
/** Imported entries as of their number and the newest change and review: thousands of documents are not read for each search. */
let imported: { state: string; entries: readonly Entry[] } = { state: '', entries: [] }
async function importedEntries({ db }: MetaStore): Promise<readonly Entry[]> {
  const { count, added, reviewed } = await db
    .selectFrom('vulnerabilities')
    .where('state', '<>', 'rejected')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.max('added_at').as('added'),
      fn.max('reviewed_at').as('reviewed'),
    ])
    .executeTakeFirstOrThrow()
  const state = `${count} ${added} ${reviewed}`
  if (imported.state !== state) {
    const rows = await db.selectFrom('vulnerabilities').select('entry').where('state', '<>', 'rejected').execute()
    const entries = rows.map(({ entry }) => entryOf(entry as Vulnerability))
    imported = { state, entries: entries.filter(({ number }) => !BUILT_IN.has(number)) }
  }
  return imported.entries
}

const vulnerabilitySource: SearchSource = {
  kind: 'vulnerability',
  async find({ deps, text, words, limit }) {
    const all = [...SHIPPED, ...(await importedEntries(deps.meta))]
    const found = all.filter((one) => words.every((word) => one.text.includes(word)))
    // The newest first: numbers of one kind grow with the years.
    const newest = found.toSorted((a, b) => ((a.released ?? '') < (b.released ?? '') ? 1 : -1))
    const hits = newest.map(({ number, name, level, component, platform, released }) =>
      hit({
        kind: 'vulnerability',
        id: number,
        title: { zh: `${number} ${name.zh}`, en: `${number} ${name.en}` },
        note: joined(VULNERABILITY_LEVELS[level], component),
        level,
        to: `/knowledge/vulnerabilities?open=${encodeURIComponent(number)}`,
        exact: number.toLowerCase() === text.toLowerCase(),
        at: released === null ? null : Date.parse(released) || null,
        facts: [fact('level', VULNERABILITY_LEVELS[level]), fact('component', component), fact('platform', platform)],
      }),
    )
    return inRank(hits, text).slice(0, limit)
  },
}

const articleSource: SearchSource = {
  kind: 'article',
  async find({ deps, caller, text, limit }) {
    const all = await currentLibrary(deps.meta)
    await all.prepare(caller.language)
    const { ids, nearest } = all.search(caller.language, text)
    if (nearest) return []
    return ids.slice(0, limit).flatMap((id) => {
      const one = all.find(id)
      if (!one) return []
      const { zh, en, kind } = one
      return hit({
        kind: 'article',
        id,
        title: { zh: zh.title, en: en.title },
        note: ARTICLE_KINDS[kind],
        to: `/knowledge/base/${id}/`,
        exact: id === text.toLowerCase(),
        facts: [fact('category', ARTICLE_TOPICS[one.topic])],
      })
    })
  },
}

export const CATALOGUE_SOURCES: readonly SearchSource[] = [
  findingSource,
  ruleSource,
  vulnerabilitySource,
  articleSource,
]
