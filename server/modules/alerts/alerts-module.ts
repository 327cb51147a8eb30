import { sql } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import { acknowledgeAlert, alertDetail, alerts } from '#contracts/http/alerts.ts'
import { mayRead } from '#domain/alerts.ts'
import type { Caller, Module, ServerDeps } from '../../http/module.ts'
import { type AlertRow, tellAlert, toAlert } from './alert-row.ts'
import { sees } from './rule-row.ts'
import { selectAlerts } from './select-alerts.ts'

const WINDOWS_SHOWN = 500

/** The list of alerts, one alert with its steps, acknowledgement. Walls read them and change none. */
export const alertsModule: Module = (mount, deps) => {
  const { db } = deps.meta

  mount(alerts, async ({ query, caller }) => {
    const { meta } = deps
    const now = deps.now()
    const after = readCursor(query.cursor)
    const [rows, { total }, counts] = await Promise.all([
      selectAlerts(meta, caller.scope, { ...query, auth: caller.auth, after }, now)
        .selectAll()
        .orderBy('raised_at', 'desc')
        .orderBy('id')
        .limit(query.limit + 1)
        .execute(),
      selectAlerts(meta, caller.scope, { ...query, auth: caller.auth }, now)
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow(),
      selectAlerts(meta, caller.scope, { state: 'open', auth: caller.auth }, now)
        .where('silenced', '=', false)
        .select([
          ({ fn }) => fn.countAll<number>().as('firing'),
          sql<number>`count(*) filter (where ack_at is null)`.as('unacknowledged'),
        ])
        .executeTakeFirstOrThrow(),
    ])
    const last = rows.length > query.limit ? rows[query.limit - 1] : undefined
    return {
      data: rows.slice(0, query.limit).map(toAlert),
      total,
      firing: counts.firing,
      unacknowledged: counts.unacknowledged,
      next_cursor: last ? `${last.raised_at}.${last.id}` : null,
    }
  })

  mount(alertDetail, async ({ query, caller }) => {
    const row = await seenAlert(deps, query.id, caller)
    const [steps, windows] = await Promise.all([
      db.selectFrom('alert_steps').selectAll().where('alert_id', '=', row.id).orderBy('id').execute(),
      db
        .selectFrom('alert_windows')
        .selectAll()
        .where('alert_id', '=', row.id)
        .orderBy('window_end', 'desc')
        .limit(WINDOWS_SHOWN)
        .execute(),
    ])
    // A wall shows what happened, not who did what.
    const names = caller.kind !== 'display'
    return {
      data: alertFor(caller, row),
      steps: steps.map(({ at, step, by_user, note }) => ({
        at,
        step,
        by: names ? by_user : '',
        note: names || step === 'raised' || step === 'again' ? note : '',
      })),
      windows: windows.reverse().map(({ window_end, value, expected }) => ({ end: window_end, value, expected })),
    }
  })

  mount(acknowledgeAlert, async ({ body, caller, audit }) => {
    const found = await seenAlert(deps, body.id, caller)
    const now = deps.now()
    const row = await db.transaction().execute(async (tx) => {
      const changed = await tx
        .updateTable('alerts')
        .set({ ack_at: now, ack_by: caller.username, ack_note: body.note, version: sql`version + 1` })
        .where('id', '=', found.id)
        .where('ack_at', 'is', null)
        .returningAll()
        .executeTakeFirst()
      if (!changed) throw new ProductError('data.conflict')
      await tx
        .insertInto('alert_steps')
        .values({ alert_id: found.id, at: now, step: 'acknowledged', by_user: caller.username, note: body.note })
        .execute()
      return changed
    })
    audit(`alert ${found.rule_name}${found.key ? ` / ${found.key}` : ''}`, body.note)
    await tellAlert(deps.meta, row)
    return { data: toAlert(row) }
  })
}

async function seenAlert(deps: ServerDeps, id: string, caller: Caller): Promise<AlertRow> {
  const row = await deps.meta.db.selectFrom('alerts').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row || !sees(caller.scope, row.apps) || !mayRead(caller.auth, row.measure))
    throw new ProductError('data.missing')
  return row
}

function alertFor(caller: Caller, row: AlertRow) {
  const alert = toAlert(row)
  return caller.kind === 'display' && alert.acknowledged
    ? { ...alert, acknowledged: { at: alert.acknowledged.at, by: '', note: '' } }
    : alert
}

function readCursor(text: string | undefined): { at: number; id: string } | undefined {
  const match = /^(\d{1,14})\.([\w-]{1,40})$/.exec(text ?? '')
  return match ? { at: Number(match[1]), id: match[2] as string } : undefined
}
