import { LEVELS } from '#domain/vocabulary.ts'
import type { AggregateReader } from '../cache/aggregate-cache.ts'
import {
  type DeviceProfile,
  type DeviceSession,
  type DeviceStore,
  PROFILE_LINES,
  SESSION_CAP_HOURS,
  SESSION_GAP_MINUTES,
  SESSION_STEPS,
} from '../device-port.ts'
import type { Select } from '../duckdb/select.ts'
import { filtersSql, type Selection, whereSql } from '../query/compile-query.ts'
import type { Dialect } from '../query/dialect.ts'
import { filterSql, MAPPINGS, TIME_COLUMN } from '../query/dimensions.ts'
import { IS_ATTACK } from '../query/measures.ts'

const TYPE = MAPPINGS.type
const RISK = MAPPINGS.risk
const count = (type: string) => `countIf(type = ${TYPE.literal(type, undefined as never)})`
const SEEN = `'events': count(*), 'attacks': countIf(${IS_ATTACK}), 'firstAt': min(ts), 'lastAt': max(ts)`
const EXCEPTIONS = { crashes: count('crash'), anrs: count('anr'), exceptions: count('exception') }

/** Lists of a profile: grouping columns and additional facts of a line. */
const LISTS = {
  apps: { by: ['app'], also: `'version': arg_max(version, ts)` },
  builds: {
    by: ['app', 'version', 'channel'],
    also: `'packages': list_sort(list(DISTINCT package) FILTER (package <> ''))[1:8], 'signers': list_sort(list(DISTINCT signer) FILTER (signer <> ''))[1:8], 'hashes': list_sort(list(DISTINCT hashes) FILTER (hashes <> ''))[1:8]`,
  },
  users: { by: ['uid'], also: '', where: 'uid IS NOT NULL' },
  places: {
    by: ['country', 'province', 'city'],
    also: `'lon': arg_max(lon, ts), 'lat': arg_max(lat, ts)`,
    where: 'place > 0',
  },
  addresses: { by: ['address'], also: '', where: `address <> ''` },
  systems: { by: ['model', 'os', 'sdk'], also: '' },
} as const
type ListName = keyof typeof LISTS

/** The profile of a device; read again once there are other rows of it, or of its users. */
export async function deviceProfile(
  selection: Selection,
  select: Select,
  dialect: Dialect,
  reader?: AggregateReader,
): ReturnType<DeviceStore['profile']> {
  const read = async () => {
    const profile = await readProfile(selection, select, dialect)
    const users = profile?.users.flatMap(({ user }) => dialect.key(user) ?? []) ?? []
    const about = [ownRows(selection, dialect), ...(users.length > 0 ? [`uid IN (${users.join(', ')})`] : [])]
    return { profile, about: `(${about.join(' OR ')})` }
  }
  const { profile } = await cachedUntilRowsChange('profile', selection, read, dialect, reader)
  return profile
}

/** The rows of the selection's device, whatever else it asks of them. */
function ownRows({ filters, ...clock }: Selection, dialect: Dialect): string {
  const own = filters.filter(({ field, op }) => field === 'device' && op === 'is')
  return own.length > 0 ? own.map((filter) => filterSql(filter, clock, dialect)).join(' AND ') : 'TRUE'
}

function cachedUntilRowsChange<V extends { about: string }>(
  what: string,
  selection: Selection,
  read: () => Promise<V>,
  dialect: Dialect,
  reader: AggregateReader | undefined,
): Promise<V> {
  const { basis, span } = selection
  const name = [what, basis, ...filtersSql(selection, dialect)].join(' ')
  return reader ? reader.cachedUntilChanged(name, { time: TIME_COLUMN[basis], ...span }, read) : read()
}

/** Reads the device's rows once; profile and lists are computed in one statement. */
async function readProfile(selection: Selection, select: Select, dialect: Dialect): ReturnType<DeviceStore['profile']> {
  const time = TIME_COLUMN[selection.basis]
  const columns =
    'app, type, platform, version, channel, os, model, brand, network, sdk, country, province, city, place, lon, lat, address, uid, package, signer, hashes, id'
  const lists = (Object.keys(LISTS) as ListName[]).map(listSql)
  const [row] = await select(
    `WITH d AS MATERIALIZED (SELECT ${time} AS ts, ${columns} FROM events WHERE ${whereSql(selection, dialect)}),
     newest AS (SELECT * FROM d ORDER BY ts DESC, id DESC LIMIT 1), placed AS (SELECT * FROM d WHERE place > 0 ORDER BY ts DESC, id DESC LIMIT 1)
     SELECT count(*), countIf(${IS_ATTACK}), min(ts), max(ts), ${Object.values(EXCEPTIONS).join(', ')},
       ${['model', 'brand', 'os', 'platform', 'network', 'sdk'].map((column) => `(SELECT ${column} FROM newest)`).join(', ')}, ${['country', 'province', 'city'].map((column) => `(SELECT ${column} FROM placed)`).join(', ')},
       ${lists.join(', ')}, (SELECT count(*) FROM (${sessionsSql('d')}) s) FROM d`,
  )
  if (!row || Number(row[0]) === 0) return undefined
  const n = (index: number) => Number(row[index] ?? 0)
  const [names, first] = [Object.keys(LISTS) as ListName[], 16]
  const raw = (name: ListName) => lines(row[first + names.indexOf(name) * 2])
  const users = raw('users').map((line) => ({ ...seenOf(line), user: dialect.keyText(line['uid']), devices: 1 }))
  await addDevices(users, selection, select, dialect)
  return {
    events: n(0),
    attacks: n(1),
    firstAt: n(2),
    lastAt: n(3),
    crashes: n(4),
    anrs: n(5),
    exceptions: n(6),
    model: String(row[7]),
    brand: String(row[8]),
    os: String(row[9]),
    platform: MAPPINGS.platform.text(row[10], dialect),
    network: String(row[11]),
    sdk: String(row[12]),
    ...placeOf([row[13], row[14], row[15]], dialect),
    sessions: n(first + names.length * 2),
    apps: raw('apps').map((line) => ({ ...seenOf(line), app: String(line['app']), version: text(line, 'version') })),
    builds: raw('builds').map((line) => ({
      ...seenOf(line),
      app: String(line['app']),
      version: text(line, 'version'),
      channel: text(line, 'channel'),
      packages: texts(line, 'packages'),
      signers: texts(line, 'signers'),
      hashes: texts(line, 'hashes'),
    })),
    users,
    places: raw('places').map((line) => ({
      ...seenOf(line),
      ...placeOf([line['country'], line['province'], line['city']], dialect),
      lon: (line['lon'] as number | null) ?? null,
      lat: (line['lat'] as number | null) ?? null,
    })),
    addresses: raw('addresses').map((line) => ({ ...seenOf(line), address: text(line, 'address') })),
    systems: raw('systems').map((line) => ({
      ...seenOf(line),
      model: text(line, 'model'),
      os: text(line, 'os'),
      sdk: text(line, 'sdk'),
    })),
    counts: Object.fromEntries(names.map((name, index) => [name, n(first + index * 2 + 1)])) as DeviceProfile['counts'],
  }
}

function listSql(name: ListName): string {
  const { by, also, ...rest } = LISTS[name]
  const where = 'where' in rest ? ` WHERE ${rest.where}` : ''
  const struct = [...by.map((column) => `'${column}': ${column}`), SEEN, ...(also ? [also] : [])].join(', ')
  const groups = `SELECT {${struct}} AS line, max(ts) AS o FROM d${where} GROUP BY ${by.join(', ')}`
  return `(SELECT list(line ORDER BY o DESC) FROM (${groups} ORDER BY o DESC LIMIT ${PROFILE_LINES}) g), (SELECT count(*) FROM (SELECT DISTINCT ${by.join(', ')} FROM d${where}) c)`
}

/** How many devices each of the users has over the same rows but for the device. */
async function addDevices(
  users: DeviceProfile['users'],
  selection: Selection,
  select: Select,
  dialect: Dialect,
): Promise<void> {
  if (users.length === 0) return
  const filters = selection.filters.filter(({ field }) => field !== 'device')
  const these = { field: 'user', op: 'is', values: users.map(({ user }) => user) } as const
  const rows = await select(
    `SELECT uid, count(DISTINCT device) FROM events WHERE ${whereSql({ ...selection, filters: [...filters, these] }, dialect)} GROUP BY uid`,
  )
  for (const [key, devices] of rows) {
    const user = users.find((one) => one.user === dialect.keyText(key))
    if (user) user.devices = Number(devices)
  }
}

/**
 * Sessions of the rows in `source`, one line each. A session belongs to one application; it ends with a gap, or where it gets too long.
 */
function sessionsSql(source: string): string {
  const gaps = `SELECT *, CASE WHEN ts - lag(ts) OVER (PARTITION BY app ORDER BY ts) <= ${SESSION_GAP_MINUTES * 60_000} THEN 0 ELSE 1 END AS fresh FROM ${source}`
  const spells = `SELECT *, sum(fresh) OVER (PARTITION BY app ORDER BY ts) AS spell FROM (${gaps}) a`
  const cut = `SELECT *, (ts - min(ts) OVER (PARTITION BY app, spell)) // ${SESSION_CAP_HOURS * 3_600_000} AS piece FROM (${spells}) b`
  return `SELECT app, min(ts) AS first_at, max(ts) AS last_at FROM (${cut}) c GROUP BY app, spell, piece`
}

type SessionPage = { attacked: boolean; limit: number; offset: number }

/** Sessions, newest first. */
export function deviceSessions(
  selection: Selection,
  page: SessionPage,
  select: Select,
  dialect: Dialect,
  reader?: AggregateReader,
): ReturnType<DeviceStore['sessions']> {
  const read = async () => ({
    ...(await readSessions(selection, page, select, dialect)),
    about: ownRows(selection, dialect),
  })
  const what = `sessions ${page.attacked} ${page.limit} ${page.offset}`
  return cachedUntilRowsChange(what, selection, read, dialect, reader).then(({ rows, total }) => ({ rows, total }))
}

async function readSessions(
  selection: Selection,
  { attacked, limit, offset }: SessionPage,
  select: Select,
  dialect: Dialect,
): ReturnType<DeviceStore['sessions']> {
  const time = TIME_COLUMN[selection.basis]
  const source = `(SELECT ${time} AS ts, app, id, type, risk, level, version, country, province, city, place FROM events WHERE ${whereSql(selection, dialect)}) d`
  const place = (column: string) => `arg_max(CASE WHEN place > 0 THEN ${column} END, (ts, id))`
  const facts = `count(*), countIf(${IS_ATTACK}) AS attacks, max(level), arg_max(version, ts), ${['country', 'province', 'city'].map(place).join(', ')}, list(type * 256 + risk ORDER BY ts, id)[1:${SESSION_STEPS}]`
  const sessions = sessionsSql(source).replace('max(ts) AS last_at', `max(ts) AS last_at, ${facts}`)
  const rows = await select(
    `SELECT *, ${dialect.groupCount} FROM (${sessions}) s${attacked ? ' WHERE attacks > 0' : ''} ORDER BY first_at DESC, app LIMIT ${limit} OFFSET ${offset}`,
  )
  const level = (code: unknown) =>
    (Object.entries(LEVELS).find(([, one]) => one.code === Number(code))?.[0] ?? '') as string
  return {
    total: Number(rows[0]?.[11] ?? 0),
    rows: rows.map(
      (row): DeviceSession => ({
        app: String(row[0]),
        from: Number(row[1]),
        to: Number(row[2]),
        events: Number(row[3]),
        attacks: Number(row[4]),
        level: level(row[5]),
        version: String(row[6]),
        ...placeOf([row[7], row[8], row[9]], dialect),
        steps: listOf(row[10]).map((step) => stepOf(Number(step), dialect)),
      }),
    ),
  }
}

function stepOf(step: number, dialect: Dialect): string {
  return RISK.text(step % 256, dialect) || TYPE.text(Math.floor(step / 256), dialect)
}

type Line = Record<string, unknown>
/** Lists come as arrays of plain objects, or as wrappers that hold one. */
function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  const items = (value as { items?: unknown[] } | null)?.items
  return Array.isArray(items) ? items : []
}
const lines = (value: unknown) => listOf(value).map((one) => ((one as { entries?: Line }).entries ?? one) as Line)
const text = (line: Line, name: string) => String(line[name] ?? '')
const texts = (line: Line, name: string) => listOf(line[name]).map(String)

function seenOf(line: Line) {
  const n = (name: string) => Number(line[name])
  return { events: n('events'), attacks: n('attacks'), firstAt: n('firstAt'), lastAt: n('lastAt') }
}

function placeOf([country, province, city]: [unknown, unknown, unknown], dialect: Dialect) {
  return {
    country: (country as string | null) ?? '',
    province: province === null || province === undefined ? '' : MAPPINGS.province.text(province, dialect),
    city: city === null || city === undefined ? '' : MAPPINGS.city.text(city, dialect),
  }
}
