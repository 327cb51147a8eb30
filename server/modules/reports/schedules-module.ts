import { randomUUID } from 'node:crypto'
import { ERRORS, type ErrorKey, errorText, ProductError } from '#contracts/errors.ts'
import { REPORT_NEEDS } from '#contracts/http/reports/make-report.ts'
import {
  deleteSchedule,
  enableSchedule,
  type ReportSchedule,
  reportSchedules,
  runSchedule,
  SCHEDULE_LIMITS,
  type SchedulePause,
  saveSchedule,
  scheduleRuns,
} from '#contracts/http/reports/schedules.ts'
import { PERMISSION_ITEMS } from '#contracts/permissions.ts'
import type { ScheduleResult, ScheduleWhat } from '#storage/postgres/report-tables.ts'
import type { Caller, Module } from '../../http/module.ts'
import { mailAddresses } from '../alerts/send-mail.ts'
import { checkedRuns, nextRuns } from './cron-times.ts'
import { runOne, type ScheduleRow } from './run-schedules.ts'

type Listed = ScheduleRow & { username: string }
const SHOWN_RUNS = 5

/** Reports by the clock: who sees a schedule may pause, run and delete it; only its creator changes it. */
export const schedulesModule: Module = (mount, deps) => {
  const { db } = deps.meta

  const visible = (caller: Caller) => {
    const select = db
      .selectFrom('report_schedules')
      .innerJoin('users', 'users.id', 'report_schedules.user_id')
      .selectAll('report_schedules')
      .select('users.username')
    const seesAll = caller.scope.apps === 'all' && caller.auth.includes('report.manage')
    return seesAll ? select : select.where('report_schedules.user_id', '=', caller.userId)
  }
  const find = async (caller: Caller, id: string): Promise<Listed> => {
    const row = await visible(caller).where('report_schedules.id', '=', id).executeTakeFirst()
    if (!row) throw new ProductError('data.missing')
    return row
  }
  const shown = async (caller: Caller, id: string): Promise<ReportSchedule> => {
    const row = await find(caller, id)
    return toSchedule(row, caller, await namesOf([row]))
  }
  const namesOf = async (rows: readonly ScheduleRow[]): Promise<Map<number, string>> => {
    const ids = [...new Set(rows.flatMap((row) => whatOf(row).apps))]
    if (ids.length === 0) return new Map()
    const found = await db.selectFrom('applications').select(['id', 'name']).where('id', 'in', ids).execute()
    return new Map(found.map(({ id, name }) => [id, name]))
  }

  mount(reportSchedules, async ({ caller }) => {
    const rows = await visible(caller).orderBy('report_schedules.created_at').orderBy('report_schedules.id').execute()
    const names = await namesOf(rows)
    return { data: rows.map((row) => toSchedule(row, caller, names)), zone: deps.settings().zone }
  })

  mount(scheduleRuns, async ({ body }) => ({ data: checkedRuns(body.cron, body.zone, deps.now(), SHOWN_RUNS) }))

  mount(saveSchedule, async ({ body, caller, audit }) => {
    const { id, name, of, range, cron, zone, appids, format, reader, language, enabled } = body
    audit(name, `${cron} ${zone} ${format} ${appids.join(',')} ${body.addresses.slice(0, 300)}`.trim())
    const [next = null] = checkedRuns(cron, zone, deps.now(), 1)
    const needs = REPORT_NEEDS[of]
    if (!caller.auth.includes(needs))
      throw new ProductError('permission.missing', { permission: PERMISSION_ITEMS[needs][caller.language] })
    if (of !== 'detection' && format !== 'pdf' && format !== 'docx') throw new ProductError('report.schedule_format')
    const apps = [...new Set(appids.map(Number))]
    const { scope } = caller
    if (scope.apps !== 'all' && !apps.every((app) => scope.apps.includes(app as never)))
      throw new ProductError('data.missing')
    const existing = await db
      .selectFrom('applications')
      .select('id')
      .where('id', 'in', apps)
      .where('deleted_at', 'is', null)
      .execute()
    if (existing.length !== apps.length) throw new ProductError('data.missing')
    const addresses = body.addresses.trim() === '' ? [] : mailAddresses(body.addresses)
    if (!addresses) throw new ProductError('report.mail_addresses')
    if (addresses.length > 0 && deps.config.smtpUrl === undefined) throw new ProductError('report.mail_server')
    const what: ScheduleWhat = { of, range, apps, format, reader, language }
    const values = {
      ...{ name, cron, zone, what: JSON.stringify(what), addresses, enabled, pause: null },
      next_at: enabled ? next : null,
    }
    if (id !== undefined) {
      const changed = await db
        .updateTable('report_schedules')
        .set(values)
        .where('id', '=', id)
        .where('user_id', '=', caller.userId)
        .executeTakeFirst()
      if (changed.numUpdatedRows !== 1n) throw new ProductError('data.missing')
      return { data: await shown(caller, id) }
    }
    const { count } = await db
      .selectFrom('report_schedules')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', caller.userId)
      .executeTakeFirstOrThrow()
    if (Number(count) >= SCHEDULE_LIMITS.schedules)
      throw new ProductError('quota.reached', { detail: String(SCHEDULE_LIMITS.schedules) })
    const fresh = randomUUID()
    await db
      .insertInto('report_schedules')
      .values({ id: fresh, user_id: caller.userId, created_at: deps.now(), results: '[]', ...values })
      .execute()
    return { data: await shown(caller, fresh) }
  })

  mount(enableSchedule, async ({ body, caller, audit }) => {
    const row = await find(caller, body.id)
    audit(row.name, body.enabled ? 'enabled' : 'paused')
    const next = body.enabled ? (nextRuns(row.cron, row.zone, deps.now(), 1)[0] ?? null) : null
    await db
      .updateTable('report_schedules')
      .set({ enabled: body.enabled, pause: null, next_at: next })
      .where('id', '=', row.id)
      .execute()
    return { data: await shown(caller, row.id) }
  })

  mount(runSchedule, async ({ body, caller, audit }) => {
    const row = await find(caller, body.id)
    audit(row.name)
    await runOne(deps, row)
    return { data: await shown(caller, row.id) }
  })

  mount(deleteSchedule, async ({ body, caller, audit }) => {
    const row = await find(caller, body.id)
    audit(row.name)
    await db.deleteFrom('report_schedules').where('id', '=', row.id).execute()
    return {}
  })
}

const whatOf = (row: ScheduleRow) => row.what as unknown as ScheduleWhat

function toSchedule(row: Listed, caller: Caller, names: ReadonlyMap<number, string>): ReportSchedule {
  const { of = 'detection', range = '-7d', apps, format, reader, language } = whatOf(row)
  const { id, name, cron, zone, addresses, enabled, next_at } = row
  return {
    ...{ id, name, of, range, cron, zone, format, reader, language, addresses, enabled, next_at },
    appids: apps.map(String),
    app_names: apps.map((app) => names.get(app) ?? `#${app}`),
    pause: row.pause as SchedulePause | null,
    by: row.username,
    own: row.user_id === caller.userId,
    results: (row.results as unknown as ScheduleResult[]).map(({ at, reports, problem }) => ({
      at,
      reports,
      problem: problem in ERRORS ? errorText(problem as ErrorKey, caller.language) : problem,
    })),
  }
}
