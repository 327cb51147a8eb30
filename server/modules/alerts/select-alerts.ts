import { sql } from 'kysely'
import { type Alert, RUN_MEASURES, type RunMeasure } from '#domain/alerts.ts'
import type { Scope } from '#domain/query.ts'
import type { MetaStore } from '#storage/postgres/database.ts'

type AlertState = 'firing' | 'acknowledged' | 'resolved' | 'open' | 'unacknowledged'
type Narrow = {
  state?: AlertState | undefined
  severity?: Alert['severity'] | undefined
  rule?: string | undefined
  /** Permission items of the reader: alerts about runs of monitoring need `monitor.view`. */
  auth: readonly string[]
  /** Those that stand after this one in the list. */
  after?: { at: number; id: string } | undefined
}

/** Alerts of the last hours that ended by themselves still want to be seen by somebody. */
const UNSEEN_MS = 86_400_000

/** Alerts all of whose applications lie in the scope, as far as they are asked for. */
export function selectAlerts({ db }: Pick<MetaStore, 'db'>, { apps }: Scope, narrow: Narrow, now: number) {
  let some = db.selectFrom('alerts')
  if (apps !== 'all') some = some.where(sql<boolean>`apps is not null and apps <@ ${sql.val([...apps])}::int[]`)
  if (!narrow.auth.includes('monitor.view'))
    some = some.where('measure', 'not in', Object.keys(RUN_MEASURES) as RunMeasure[])
  if (narrow.state) some = some.where(stateSql(narrow.state, now))
  if (narrow.severity) some = some.where('severity', '=', narrow.severity)
  if (narrow.rule) some = some.where('rule_id', '=', narrow.rule)
  const { after } = narrow
  if (!after) return some
  return some.where((where) =>
    where.or([
      where('raised_at', '<', after.at),
      where.and([where('raised_at', '=', after.at), where('id', '>', after.id)]),
    ]),
  )
}

function stateSql(state: AlertState, now: number) {
  if (state === 'resolved') return sql<boolean>`resolved_at is not null`
  if (state === 'open') return sql<boolean>`resolved_at is null`
  if (state === 'acknowledged') return sql<boolean>`resolved_at is null and ack_at is not null`
  if (state === 'firing') return sql<boolean>`resolved_at is null and ack_at is null`
  return sql<boolean>`ack_at is null and not silenced and (resolved_at is null or resolved_at > ${now - UNSEEN_MS})`
}
