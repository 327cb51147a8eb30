import { sql } from 'kysely'
import { CASE_STATES } from '#contracts/http/investigation.ts'
import { COPY_VERDICTS, PIRATED_VERDICTS } from '#contracts/http/monitoring/tasks.ts'
import { PLATFORMS, wordOf } from '#domain/vocabulary.ts'
import { selectFiles } from '../assets/file-rows.ts'
import { listCases } from '../investigation/case-store.ts'
import { allMarkets } from '../monitoring/market-catalogue.ts'
import { copyVerdict, tasksOf } from '../monitoring/monitor-rows.ts'
import { fact, hit, holding, holdsAll, inRank, joined, plain, type SearchSource } from './search-source.ts'

/** Applications, packages, copies, cases and accounts: rows of PostgreSQL by name and id. */

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const applicationSource: SearchSource = {
  kind: 'application',
  async find({ deps, caller, text, words, limit }) {
    const { apps } = caller.scope
    let select = deps.meta.db
      .selectFrom('applications')
      .innerJoin('users', 'users.id', 'applications.owner_id')
      .select(['applications.id', 'name', 'uuid', 'mime_type', 'applications.created_at', 'users.username as owner'])
      .where('deleted_at', 'is', null)
      .where((where) =>
        where.or([
          where.and(words.map((word) => where('name', 'ilike', holding(word)))),
          ...(UUID.test(text) ? [where('uuid', '=', text.toLowerCase())] : []),
          ...(/^\d{1,9}$/.test(text) ? [where('applications.id', '=', Number(text))] : []),
        ]),
      )
    if (apps !== 'all') select = select.where('applications.id', '=', sql<number>`any(${[...apps]}::int[])`)
    const rows = await select
      .orderBy(sql`name ilike ${`${holding(text).slice(1)}`}`, 'desc')
      .orderBy('applications.id', 'desc')
      .limit(limit)
      .execute()
    const hits = rows.map(({ id, name, uuid, mime_type, created_at, owner }) => {
      const platform = wordOf(PLATFORMS, mime_type)
      return hit({
        kind: 'application',
        id: String(id),
        title: plain(name),
        note: joined(platform ? PLATFORMS[platform] : '', owner),
        apps: [String(id)],
        to: `/statistics/user_analyzer?appid=${id}`,
        copy: uuid,
        exact: uuid === text.toLowerCase() || String(id) === text,
        at: created_at,
        facts: [fact('platform', platform ? PLATFORMS[platform] : ''), fact('owner', owner), fact('uuid', uuid)],
      })
    })
    return inRank(hits, text)
  },
}

const packageSource: SearchSource = {
  kind: 'package',
  async find({ deps, caller, text, words, limit }) {
    const wanted = text.toLowerCase()
    const rows = await selectFiles(deps, caller)
      .select(['app_files.id', 'app_files.name', 'app_files.version', 'app_files.package_name', 'app_files.sha256'])
      .select(['app_files.md5', 'app_files.uploaded_at', 'app_files.platform', 'app_files.application_id'])
      .select('applications.name as application')
      .where((where) =>
        where.or([
          where.and(
            words.map((word) =>
              where.or([
                where('app_files.name', 'ilike', holding(word)),
                where('app_files.package_name', 'ilike', holding(word)),
                where('app_files.version', 'ilike', `${holding(word).slice(1)}`),
              ]),
            ),
          ),
          ...(/^[0-9a-f]{6,64}$/.test(wanted)
            ? [where('app_files.sha256', 'like', `${wanted}%`), where('app_files.md5', '=', wanted)]
            : []),
        ]),
      )
      .orderBy('app_files.id', 'desc')
      .limit(limit)
      .execute()
    const hits = rows.map((row) =>
      hit({
        kind: 'package',
        id: String(row.id),
        title: plain(`${row.name} ${row.version}`.trim()),
        note: joined(row.package_name, row.application ?? ''),
        apps: row.application_id === null || row.application === null ? [] : [String(row.application_id)],
        to: `/assets/apps/${row.id}/`,
        copy: row.sha256,
        exact: [row.sha256, row.md5, row.package_name.toLowerCase()].includes(wanted),
        at: row.uploaded_at,
        facts: [
          fact('application', row.application),
          fact('package', row.package_name),
          fact('version', row.version),
          fact('platform', PLATFORMS[row.platform]),
          fact('sha256', row.sha256),
        ],
      }),
    )
    return inRank(hits, text)
  },
}

/** Copies that monitoring found, pirated ones first: by name, package, version, market, and digest of the file or the certificate. */
const copySource: SearchSource = {
  kind: 'copy',
  async find({ deps, caller, text, words, limit }) {
    const wanted = text.toLowerCase().replaceAll(':', '')
    const markets = await allMarkets(deps.meta)
    const marketsNamed = (word: string) =>
      markets.filter(({ names }) => holdsAll(`${names.zh} ${names.en}`, [word])).map(({ id }) => id)
    const rows = await tasksOf(deps.meta, caller)
      .innerJoin('monitor_copies as copy', 'copy.task_id', 'task.id')
      .select(['copy.id', 'copy.task_id', 'copy.label', 'copy.package_name', 'copy.version', 'copy.sha256'])
      .select(['copy.certificates', 'copy.last_seen', 'task.application_id', 'applications.name as application'])
      .select(copyVerdict.as('verdict'))
      .where((where) =>
        where.or([
          where.and(
            words.map((word) =>
              where.or([
                where('copy.label', 'ilike', holding(word)),
                where('copy.package_name', 'ilike', holding(word)),
                where('copy.version', 'ilike', `${holding(word).slice(1)}`),
                sql<boolean>`exists (select 1 from monitor_listings one where one.task_id = copy.task_id
                  and one.sha256 = copy.sha256 and one.market = any(${marketsNamed(word)}))`,
              ]),
            ),
          ),
          ...(/^[0-9a-f]{6,64}$/.test(wanted)
            ? [
                where('copy.sha256', 'like', `${wanted}%`),
                sql<boolean>`exists (select 1 from unnest(copy.certificates) as one where one like ${`${wanted}%`})`,
              ]
            : []),
        ]),
      )
      .orderBy(sql`${copyVerdict} = any(${[...PIRATED_VERDICTS]})`, 'desc')
      .orderBy('copy.last_seen', 'desc')
      .orderBy('copy.id')
      .limit(limit)
      .execute()
    const hits = rows.map((row) => {
      const verdict = COPY_VERDICTS[row.verdict]
      return hit({
        kind: 'copy',
        id: row.id,
        title: plain(`${row.label || row.package_name} ${row.version}`.trim()),
        note: joined(verdict, row.package_name),
        apps: [String(row.application_id)],
        to: `/monitor/tasks/${row.task_id}/?copy=${row.id}`,
        copy: row.sha256,
        exact: [row.sha256, ...row.certificates, row.package_name.toLowerCase()].includes(wanted),
        at: row.last_seen,
        facts: [
          fact('application', row.application),
          fact('verdict', verdict),
          fact('package', row.package_name),
          fact('version', row.version),
          fact('sha256', row.sha256),
          ...row.certificates.map((one) => fact('certificate', one)),
        ],
      })
    })
    return inRank(hits, text)
  },
}

const caseSource: SearchSource = {
  kind: 'case',
  async find({ deps, caller, text, limit }) {
    const rows = await listCases(deps.meta.db, caller, { text })
    const hits = rows.slice(0, limit).map((row) =>
      hit({
        kind: 'case',
        id: row.id,
        title: plain(row.title),
        note: joined(CASE_STATES[row.state], row.owner),
        apps: row.apps,
        to: `/mssa/attack_spoor?case=${row.id}`,
        exact: row.title.toLowerCase() === text.toLowerCase(),
        at: row.updated_at,
        facts: [fact('state', CASE_STATES[row.state]), fact('owner', row.owner), fact('entries', String(row.entries))],
      }),
    )
    return inRank(hits, text)
  },
}

const accountSource: SearchSource = {
  kind: 'account',
  async find({ deps, text, words, limit }) {
    const rows = await deps.meta.db
      .selectFrom('users')
      .innerJoin('roles', 'roles.key', 'users.role')
      .select(['users.id', 'users.username', 'users.disabled', 'users.last_login_at', 'roles.zh', 'roles.en'])
      .where((where) => where.and(words.map((word) => where('users.username', 'ilike', holding(word)))))
      .orderBy('users.username')
      .limit(limit)
      .execute()
    const hits = rows.map(({ id, username, disabled, last_login_at, zh, en }) => {
      const state = disabled ? { zh: '已停用', en: 'Disabled' } : ''
      return hit({
        kind: 'account',
        id: String(id),
        title: plain(username),
        note: joined({ zh, en }, state),
        to: `/platform/usermanage?find=${encodeURIComponent(username)}&user=${id}`,
        copy: username,
        exact: username.toLowerCase() === text.toLowerCase(),
        at: last_login_at,
        facts: [fact('role', { zh, en }), fact('state', state)],
      })
    })
    return inRank(hits, text)
  },
}

export const ASSET_SOURCES: readonly SearchSource[] = [
  applicationSource,
  packageSource,
  copySource,
  caseSource,
  accountSource,
]
