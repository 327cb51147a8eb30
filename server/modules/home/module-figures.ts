import { sql } from 'kysely'
import type { HomeModule } from '#contracts/http/home.ts'
import { startOfDay } from '#domain/time-range.ts'
import type { Caller, ServerDeps } from '../../http/module.ts'
import { selectAlerts } from '../alerts/select-alerts.ts'
import { selectFiles } from '../assets/file-rows.ts'
import { tasksOf } from '../detection/task-rows.ts'
import { listCases } from '../investigation/case-store.ts'
import { LIVE_STATES } from '../jobs/job-rows.ts'

type Figures = Record<string, number | null>
type Reader = { items: readonly string[]; read(deps: ServerDeps, caller: Caller): Promise<Figures> }

const count = (filter?: ReturnType<typeof sql<boolean>>) =>
  filter ? sql<number>`count(*) filter (where ${filter})::int` : sql<number>`count(*)::int`
/** Failed jobs of the last days. */
const FAILED_MS = 3 * 86_400_000

/** Each module's figures within the caller's scope; one of `items` is needed, none where everybody signed in has them. */
export const MODULE_FIGURES: Record<HomeModule, Reader> = {
  assets: {
    items: ['asset.read'],
    async read(deps, caller) {
      const row = await selectFiles(deps, caller)
        .select([
          count().as('files'),
          count(sql<boolean>`app_files.protection = 'unreinforced'`).as('unreinforced'),
          sql<number>`count(distinct applications.id)::int`.as('applications'),
        ])
        .executeTakeFirstOrThrow()
      return row
    },
  },
  detection: {
    items: ['detect.view'],
    async read({ meta }, caller) {
      // Open findings are those of the newest result of each package and version.
      const newest = tasksOf(meta, caller)
        .where('task.state', '=', 'detected')
        .select(['task.id', 'task.gate', 'task.counts'])
        .distinctOn([sql`coalesce(task.application_id, 0)`, 'task.package_id', 'task.version'])
        .orderBy(sql`coalesce(task.application_id, 0)`)
        .orderBy('task.package_id')
        .orderBy('task.version')
        .orderBy('task.created_at', 'desc')
      const [results, running] = await Promise.all([
        meta.db
          .selectFrom(newest.as('newest'))
          .select([
            count().as('examined'),
            count(sql<boolean>`gate = 'fail'`).as('failedGate'),
            sql<number>`coalesce(sum((counts->>'high')::int), 0)::int`.as('high'),
            sql<number>`coalesce(sum((counts->>'middle')::int), 0)::int`.as('middle'),
          ])
          .executeTakeFirstOrThrow(),
        tasksOf(meta, caller)
          .where('task.state', 'in', ['waiting', 'detecting'])
          .select(count().as('running'))
          .executeTakeFirstOrThrow(),
      ])
      return { ...running, ...results }
    },
  },
  alerts: {
    items: ['events.read'],
    async read(deps, caller) {
      const now = deps.now()
      const today = startOfDay(now, deps.settings().zone)
      const [waiting, raised] = await Promise.all([
        selectAlerts(deps.meta, caller.scope, { state: 'unacknowledged', auth: caller.auth }, now)
          .select([count().as('unacknowledged'), count(sql<boolean>`severity = 'critical'`).as('critical')])
          .executeTakeFirstOrThrow(),
        selectAlerts(deps.meta, caller.scope, { auth: caller.auth }, now)
          .where('raised_at', '>=', today)
          .select(count().as('today'))
          .executeTakeFirstOrThrow(),
      ])
      return { ...waiting, ...raised }
    },
  },
  policies: {
    items: ['policy.edit', 'policy.deploy'],
    async read({ meta }, { scope: { apps } }) {
      const inScope =
        apps === 'all' ? sql<boolean>`true` : sql<boolean>`application_id = any(${sql.val([...apps])}::int[])`
      const [live, drafts] = await Promise.all([
        meta.db
          .selectFrom('policy_deployments')
          .where(inScope)
          .select([
            count(sql<boolean>`state = 'running'`).as('running'),
            count(sql<boolean>`state = 'paused'`).as('paused'),
          ])
          .executeTakeFirstOrThrow(),
        meta.db
          .selectFrom('policies')
          .where(inScope)
          .where('archived_at', 'is', null)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('policy_versions')
                  .select('policy_versions.policy_id')
                  .whereRef('policy_versions.policy_id', '=', 'policies.id'),
              ),
            ),
          )
          .select(count().as('drafts'))
          .executeTakeFirstOrThrow(),
      ])
      return { ...live, ...drafts }
    },
  },
  cases: {
    items: ['events.read'],
    async read({ meta }, caller) {
      const open = await listCases(meta.db, caller, { state: 'open' })
      return { open: open.length, own: open.filter(({ own }) => own).length }
    },
  },
  jobs: {
    items: [],
    async read({ meta, now }, { userId }) {
      const live = sql<boolean>`state = any(${sql.val([...LIVE_STATES])}::text[])`
      return meta.db
        .selectFrom('jobs')
        .where('user_id', '=', userId)
        .select([
          count(live).as('running'),
          count(sql<boolean>`state = 'failed' and ended_at > ${now() - FAILED_MS}`).as('failed'),
        ])
        .executeTakeFirstOrThrow()
    },
  },
  licence: {
    items: ['license.manage'],
    async read({ meta, licence }) {
      const status = licence.status()
      const { applications } = await meta.db
        .selectFrom('applications')
        .where('deleted_at', 'is', null)
        .select(count().as('applications'))
        .executeTakeFirstOrThrow()
      return { days: status.daysLeft, applications, allowed: status.terms?.applications ?? null }
    },
  },
}
