import { sql } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import {
  answerSelfCheck,
  exportSelfCheck,
  selfCheck,
  selfCheckHistory,
  selfChecks,
} from '#contracts/http/self-check/checks.ts'
import { PRIVACY_ITEMS, PRIVACY_SOURCES } from '#engines/detect/catalogue/privacy-data.ts'
import type { Module } from '../../http/module.ts'
import { findApplication, listApplications } from '../applications/application-access.ts'
import { startExport } from '../jobs/start-export.ts'
import { countConclusions, newestDetections, readClauses } from './self-check-rows.ts'

const ITEMS = new Map(PRIVACY_ITEMS.map((one) => [one.id, one]))
const VIOLATING = PRIVACY_ITEMS.map(({ id, good }) => `${id} ${good === 'yes' ? 'no' : 'yes'}`)

/** The self-check of illegal collection and use: answers of people beside what the newest privacy detection says. */
export const selfCheckModule: Module = (mount, deps) => {
  const { db } = deps.meta

  mount(selfChecks, async ({ caller }) => {
    const applications = await listApplications(deps.meta, caller)
    const ids = applications.map(({ id }) => Number(id))
    const [rows, last, basis] = await Promise.all([
      db
        .selectFrom('self_check_answers')
        .select((select) => [
          'application_id',
          select.fn.countAll<number>().as('answered'),
          sql<number>`count(*) filter (where item || ' ' || value = any(${sql.val(VIOLATING)}::text[]))::int`.as(
            'violating',
          ),
        ])
        .where((where) => where('application_id', '=', where.fn.any(where.val(ids))))
        .groupBy('application_id')
        .execute(),
      db
        .selectFrom('self_check_history as history')
        .leftJoin('users', 'users.id', 'history.by_user')
        .distinctOn('history.application_id')
        .select(['history.application_id', 'history.at', 'users.username'])
        .where((where) => where('history.application_id', '=', where.fn.any(where.val(ids))))
        .orderBy('history.application_id')
        .orderBy('history.id', 'desc')
        .execute(),
      newestDetections(deps, ids),
    ])
    const counts = new Map(rows.map((row) => [row.application_id, row]))
    const changed = new Map(last.map((row) => [row.application_id, row]))
    return {
      data: applications.map(({ id, name }) => {
        const app = Number(id)
        return {
          appid: id,
          name,
          questions: PRIVACY_ITEMS.length,
          answered: Number(counts.get(app)?.answered ?? 0),
          violating: counts.get(app)?.violating ?? 0,
          last_at: changed.get(app)?.at ?? null,
          last_by: changed.get(app)?.username ?? '',
          basis: basis.get(app) ?? null,
        }
      }),
    }
  })

  mount(selfCheck, async ({ query, caller }) => {
    const { id } = await findApplication(deps.meta, caller, query.appid)
    const { clauses, basis } = await readClauses(deps, id)
    const sources = [...PRIVACY_SOURCES].map(([source, title]) => ({ id: source, title }))
    return { sources, data: clauses, counts: countConclusions(clauses), basis }
  })

  mount(answerSelfCheck, async ({ body, caller, audit }) => {
    const application = await findApplication(deps.meta, caller, body.appid)
    const item = ITEMS.get(body.item)
    if (!item) throw new ProductError('data.missing')
    audit(`self-check ${application.name}`, `${item.source} ${item.clause}: ${body.value ?? 'taken back'}`)
    const at = deps.now()
    await db.transaction().execute(async (all) => {
      const key = { application_id: application.id, item: item.id }
      // Answers of one application go one after the other.
      await all.selectFrom('applications').select('id').where('id', '=', application.id).forUpdate().execute()
      const before = await all
        .selectFrom('self_check_answers')
        .select('rev')
        .where('application_id', '=', application.id)
        .where('item', '=', item.id)
        .executeTakeFirst()
      if (body.rev !== undefined && body.rev !== (before?.rev ?? 0)) throw new ProductError('data.conflict')
      const values = { note: body.note, by_user: caller.userId, at }
      if (body.value === null)
        await all
          .deleteFrom('self_check_answers')
          .where('application_id', '=', application.id)
          .where('item', '=', item.id)
          .execute()
      else {
        const answer = { ...values, value: body.value, rev: (before?.rev ?? 0) + 1 }
        await all
          .insertInto('self_check_answers')
          .values({ ...key, ...answer })
          .onConflict((conflict) => conflict.columns(['application_id', 'item']).doUpdateSet(answer))
          .execute()
      }
      if (body.value !== null || before)
        await all
          .insertInto('self_check_history')
          .values({ ...key, ...values, value: body.value })
          .execute()
    })
    const { clauses } = await readClauses(deps, application.id)
    return { data: clauses.find(({ id }) => id === item.id)!, counts: countConclusions(clauses) }
  })

  mount(selfCheckHistory, async ({ query, caller }) => {
    const { id } = await findApplication(deps.meta, caller, query.appid)
    const rows = await db
      .selectFrom('self_check_history as history')
      .leftJoin('users', 'users.id', 'history.by_user')
      .select(['history.value', 'history.note', 'history.at', 'users.username'])
      .where('history.application_id', '=', id)
      .where('history.item', '=', query.item)
      .orderBy('history.id', 'desc')
      .limit(200)
      .execute()
    return { data: rows.map(({ username, ...row }) => ({ ...row, by: username ?? '' })) }
  })

  mount(exportSelfCheck, async ({ body, caller, audit }) => {
    const application = await findApplication(deps.meta, caller, body.appid)
    audit(`export ${body.title}`, `${body.format} ${application.name}`)
    return startExport(deps, caller, { list: { of: 'self_check', app: application.id } }, body)
  })
}
