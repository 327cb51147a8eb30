import type { Selectable } from 'kysely'
import type { Filter, Measures, Part } from '#domain/query.ts'
import { GUARD, type GuardReading, type GuardSide, judgeRollOut } from '#domain/roll-out-guard.ts'
import type { EventStore, StoreQuery } from '#storage/events/port.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Database } from '#storage/postgres/schema.ts'

type Deployment = Selectable<Database['policy_deployments']>
export type GuardDeps = {
  meta: Pick<MetaStore, 'db'>
  store: Pick<EventStore, 'answers'>
  zone(): string
  now(): number
}

const HOUR_MS = 3_600_000

/** Holds the devices with the deployment's version against the others, since the deployment last changed. */
export async function measureRollOut(deps: GuardDeps, deployment: Deployment): Promise<GuardReading> {
  const to = deps.now()
  const from = Math.max(deployment.changed_at, to - GUARD.hours * HOUR_MS)
  const [mine, theirs] = await Promise.all([devicesOf(deps, deployment, true), devicesOf(deps, deployment, false)])
  const query: StoreQuery = {
    span: { from, to },
    basis: 'received',
    // Imported history says nothing of a policy; of a device's old app version neither.
    filters: [
      { field: 'origin', op: 'is', values: ['live'] },
      ...(deployment.app_versions.length > 0
        ? [{ field: 'version', op: 'is', values: deployment.app_versions } as const satisfies Filter]
        : []),
    ],
    scope: { apps: [deployment.application_id] },
    zone: deps.zone(),
  }
  const all = (values: string[]): Part => ({
    kind: 'total',
    measures: ['devices', 'starts', 'crashes', 'anrs', 'exceptions'],
    and: [{ field: 'device', op: 'is', values }],
  })
  const stopped = (values: string[]): Part => ({
    kind: 'total',
    measures: ['attackedDevices'],
    and: [
      { field: 'device', op: 'is', values },
      { field: 'outcome', op: 'is', values: ['blocked'] },
    ],
  })
  const answers = await deps.store.answers(query, {
    next: all(mine),
    nextStopped: stopped(mine),
    others: all(theirs),
    othersStopped: stopped(theirs),
  })
  const row = (name: string): Measures => {
    const answer = answers[name]
    if (answer?.kind !== 'total') throw new Error(`the store did not answer ${name}`)
    return answer.row
  }
  const side = (name: 'next' | 'others'): GuardSide => {
    const { devices = 0, starts = 0, crashes = 0, anrs = 0, exceptions = 0 } = row(name)
    const { attackedDevices = 0 } = row(`${name}Stopped`)
    return { devices, starts, failures: crashes + anrs + exceptions, stopped: attackedDevices }
  }
  const [next, others] = [side('next'), side('others')]
  return { from, to, next, others, ...judgeRollOut(next, others, deployment.percent) }
}

/** Devices that fetched lately and received the deployment's version, or anything else; of the app versions that it is for. */
async function devicesOf({ meta, now }: GuardDeps, deployment: Deployment, have: boolean): Promise<string[]> {
  let rows = meta.db
    .selectFrom('policy_fetches')
    .select('device')
    .where('application_id', '=', deployment.application_id)
    .where('fetched_at', '>=', now() - GUARD.hours * HOUR_MS)
    .where((where) => {
      const same = where.and([where('policy_id', '=', deployment.policy_id), where('version', '=', deployment.version)])
      return have ? same : where.not(same)
    })
  if (deployment.app_versions.length > 0) rows = rows.where('app_version', 'in', deployment.app_versions)
  const found = await rows.orderBy('device').limit(GUARD.most).execute()
  return found.map(({ device }) => device)
}
