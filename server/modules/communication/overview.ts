import { sql } from 'kysely'
import type { CommunicationKey, communicationOverview } from '#contracts/http/communication.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { GATEWAY_GONE_MS, isKeyAccepted, keyState, OUTCOMES_NOT_REFUSED } from '#domain/communication.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Caller } from '../../http/module.ts'
import { findApplication, listApplications, managesAll } from '../applications/application-access.ts'
import { readGatewayPolicy } from './gateway-policy.ts'
import type { KeyRow } from './key-rows.ts'

const HALF_HOUR_MS = 1_800_000
const SLOTS = 48
const DAY_MS = SLOTS * HALF_HOUR_MS
/** Ended and revoked keys of an application that a list shows, newest first. */
const MOST_KEYS = 200
const isRefused = (outcome: string) => !OUTCOMES_NOT_REFUSED.includes(outcome)

type Overview = ResponseOf<typeof communicationOverview>['data']

/** The page of communication protection: of one application, or of all that the caller sees. */
export async function readOverview(
  meta: MetaStore,
  caller: Caller,
  now: number,
  appid: string | undefined,
): Promise<Overview> {
  if (appid !== undefined) await findApplication(meta, caller, appid)
  const applications = (await listApplications(meta, caller)).filter(({ id }) => appid === undefined || id === appid)
  const ids = applications.map(({ id }) => Number(id))
  // Messages that name no application are shown to who sees every one.
  const isAll = appid === undefined && caller.scope.apps === 'all'
  const [rows, counted, policy, gateways] = await Promise.all([
    meta.db
      .selectFrom('communication_keys')
      .selectAll()
      .where((where) => where('application_id', '=', where.fn.any(where.val(ids))))
      .orderBy('kid', 'desc')
      .limit(MOST_KEYS)
      .execute(),
    countMinutes(meta, isAll ? [...ids, 0] : ids, now),
    readGatewayPolicy(meta),
    meta.db
      .selectFrom('communication_gateways')
      .selectAll()
      .where('seen_at', '>', now - GATEWAY_GONE_MS)
      .orderBy('started_at')
      .limit(100)
      .execute(),
  ])
  const ofApplication = new Map(applications.map((one) => [Number(one.id), one]))
  const keys = rows.map((row) => {
    const { name = '', manageable = false } = ofApplication.get(row.application_id) ?? {}
    return { ...toKey(row, name, manageable, now), ...keyCounts(counted, row.kid, now) }
  })
  const inUse = new Set(rows.filter((row) => isKeyAccepted(row, now)).map((row) => row.application_id))
  return {
    now,
    policy,
    may_set_policy: managesAll(caller),
    gateways,
    keys,
    without_key: applications
      .filter(({ id, manageable }) => manageable && !inUse.has(Number(id)))
      .map(({ id, name }) => ({ appid: id, name })),
    ...figuresOf(counted, now, isAll),
  }
}

/** A key without what gateways counted of it. */
export function toKey(
  row: KeyRow,
  application: string,
  manageable: boolean,
  now: number,
): Omit<CommunicationKey, 'requests' | 'refused' | 'versions'> {
  const { application_id, sealed_private_key, created_by, ...shown } = row
  return { ...shown, appid: String(application_id), application, manageable, state: keyState(row, now) }
}

type Counted = { slot: number; kid: number; outcome: string; sdk: string; count: number; micros: number }

/** Counts of the last 48 hours by half hour (HALF_HOUR_MS; a parameter in GROUP BY would be another expression), key, outcome and SDK. */
async function countMinutes(meta: MetaStore, applications: readonly number[], now: number): Promise<Counted[]> {
  const rows = await meta.db
    .selectFrom('communication_minutes')
    .select([sql<number>`minute / 1800000`.as('slot'), 'kid', 'outcome', 'sdk'])
    .select((eb) => [eb.fn.sum<number>('count').as('count'), eb.fn.sum<number>('micros').as('micros')])
    .where('minute', '>', now - 2 * DAY_MS)
    .where((where) => where('application_id', '=', where.fn.any(where.val([...applications]))))
    .groupBy([sql`minute / 1800000`, 'kid', 'outcome', 'sdk'])
    .execute()
  // Sums of int8 are numeric, which comes as text.
  return rows.map((row) => ({ ...row, slot: Number(row.slot), count: Number(row.count), micros: Number(row.micros) }))
}

const lastSlot = (now: number) => Math.floor(now / HALF_HOUR_MS)
const isToday = (slot: number, now: number) => slot > lastSlot(now) - SLOTS
const total = (rows: readonly Counted[]) => rows.reduce((sum, { count }) => sum + count, 0)

function keyCounts(counted: readonly Counted[], kid: number, now: number) {
  const rows = counted.filter((one) => one.kid === kid && isToday(one.slot, now))
  const versions = new Map<string, number>()
  for (const { sdk, outcome, count } of rows)
    if (sdk !== '' && !isRefused(outcome)) versions.set(sdk, (versions.get(sdk) ?? 0) + count)
  return {
    requests: total(rows.filter(({ outcome }) => outcome !== 'handshake')),
    refused: total(rows.filter(({ outcome }) => isRefused(outcome))),
    versions: descending(versions).map(([sdk, count]) => ({ sdk, count })),
  }
}

function figuresOf(
  counted: readonly Counted[],
  now: number,
  isAll: boolean,
): Pick<Overview, 'figures' | 'slots' | 'reasons'> {
  const today = counted.filter(({ slot }) => isToday(slot, now))
  const before = counted.filter(({ slot }) => !isToday(slot, now) && isToday(slot + SLOTS, now))
  const messages = (rows: readonly Counted[]) => rows.filter(({ outcome }) => outcome !== 'handshake')
  const refused = (rows: readonly Counted[]) => rows.filter(({ outcome }) => isRefused(outcome))
  const of = (outcome: string) => today.filter((one) => one.outcome === outcome)
  const accepted = of('accepted')
  const micros = accepted.reduce((sum, one) => sum + one.micros, 0)
  const reasons = new Map<string, number>()
  for (const { outcome, count } of refused(today)) reasons.set(outcome, (reasons.get(outcome) ?? 0) + count)
  return {
    figures: {
      requests: total(messages(today)),
      refused: total(refused(today)),
      replayed: total(of('replayed')) + total(of('hello_replayed')),
      plain: isAll ? total(of('plain')) + total(of('plain_passed')) : null,
      handshakes: total(of('handshake')),
      mean_micros: accepted.length > 0 ? micros / total(accepted) : null,
      before: { requests: total(messages(before)), refused: total(refused(before)) },
    },
    slots: Array.from({ length: SLOTS }, (_, at) => {
      const slot = lastSlot(now) - SLOTS + 1 + at
      const rows = today.filter((one) => one.slot === slot)
      return { at: slot * HALF_HOUR_MS, requests: total(messages(rows)), refused: total(refused(rows)) }
    }),
    reasons: descending(reasons).map(([reason, count]) => ({ reason, count })),
  }
}

function descending(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
}
