import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import { erasePersonal, erasures } from '#contracts/http/erasures.ts'
import type { Module } from '../../http/module.ts'
import { listApplications } from '../applications/application-access.ts'
import { createJob, type EraseInput, LIVE_STATES, toJob } from '../jobs/job-rows.ts'

const LISTED = 200
/** So much of a hash is typed to confirm, and kept once the rest is deleted. */
const SHORT = 8

/** Deletion of one device's or one user's data on request: asked for here, done by the jobs process (server/modules/erasures/erase-job.ts). */
export const erasureModule: Module = (mount, deps) => {
  const { db } = deps.meta

  mount(erasePersonal, async ({ body, caller, audit }) => {
    const { kind, subject } = body
    if (body.confirm.trim().toLowerCase() !== subject.slice(0, SHORT))
      throw new ProductError('input.invalid', { detail: subject.slice(0, SHORT) }, { field: 'confirm' })
    const running = await db
      .selectFrom('jobs')
      .select('input')
      .where('kind', '=', 'erase')
      .where('state', 'in', LIVE_STATES)
      .execute()
    if (running.some(({ input }) => (input as EraseInput).subject === subject)) throw new ProductError('task.exists')
    const apps = (await listApplications(deps.meta, caller)).map(({ id }) => Number(id))
    const erasure = randomUUID()
    await db
      .insertInto('erasures')
      .values({
        id: erasure,
        kind,
        subject,
        applications: apps,
        by_user: caller.userId,
        asked_at: deps.now(),
        done_at: null,
        events: 0,
        quarantined: 0,
        installs: 0,
        verdicts: 0,
      })
      .execute()
    audit(`${kind} ${subject.slice(0, SHORT)}`, 'deletion asked for')
    const input: EraseInput = { erasure, kind, subject, scope: caller.scope.apps === 'all' ? caller.scope : { apps } }
    const title = `${kind === 'device' ? 'd' : 'u'}_${subject.slice(0, SHORT)}`
    const row = await createJob(deps.meta, caller.userId, title, input, deps.now(), 'erase')
    return { job: toJob(row, caller.language) }
  })

  mount(erasures, async ({ caller }) => {
    const { apps } = caller.scope
    const sees = (app: number) => apps === 'all' || apps.includes(app)
    let asked = db
      .selectFrom('erasures')
      .leftJoin('users', 'users.id', 'erasures.by_user')
      .selectAll('erasures')
      .select('users.username')
    if (apps !== 'all') asked = asked.where(sql<boolean>`applications && ${sql.val([...apps])}::int[]`)
    const rows = await asked.orderBy('asked_at', 'desc').limit(LISTED).execute()
    return {
      data: rows.map(({ username, by_user, applications, ...row }) => ({
        ...row,
        // The counts are those of all applications together.
        ...(applications.every(sees) ? {} : { events: null, quarantined: null, installs: null, verdicts: null }),
        subject: row.subject.slice(0, SHORT),
        appids: applications.filter(sees).map(String),
        by: username ?? '',
      })),
    }
  })
}
