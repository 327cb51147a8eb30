import { type Expression, type Kysely, type SqlBool, sql } from 'kysely'
import type { AuditEntry, AuditFilters, LogHistogram, NetworkFilters, NetworkLine } from '#contracts/http/audit-log.ts'
import { zoneOffset } from '#domain/time-range.ts'
import type { Database } from '#storage/postgres/schema.ts'
import { refusalName } from './refusal-name.ts'

type Db = Kysely<Database>

/** Any position in a text; what the user typed has no wildcards. */
const contains = (text: string) => `%${text.replace(/[\\%_]/g, (one) => `\\${one}`)}%`

export function auditRows(db: Db, { search, account, action, result, from, to }: AuditFilters) {
  return db
    .selectFrom('audit_log')
    .$if(search !== undefined && search !== '', (query) =>
      query.where((where) =>
        where.or(
          (['account', 'action', 'target', 'result', 'address', 'detail'] as const).map((column) =>
            where(`audit_log.${column}`, 'ilike', contains(search as string)),
          ),
        ),
      ),
    )
    .$if(account !== undefined, (query) => query.where('audit_log.account', '=', account as string))
    .$if(action !== undefined, (query) => query.where('audit_log.action', '=', action as string))
    .$if(result !== undefined, (query) => query.where('audit_log.result', result === 'ok' ? '=' : '!=', 'ok'))
    .$if(from !== undefined, (query) => query.where('audit_log.at', '>=', from as number))
    .$if(to !== undefined, (query) => query.where('audit_log.at', '<', to as number))
}

/** Refused by the product (a code with HTTP 200, or 4xx), or failed (5xx). */
const NETWORK_RESULT = {
  ok: sql<SqlBool>`network_log.status < 400 and network_log.code = 0`,
  refused: sql<SqlBool>`network_log.status < 500 and (network_log.status >= 400 or network_log.code <> 0)`,
  error: sql<SqlBool>`network_log.status >= 500`,
} satisfies Record<string, Expression<SqlBool>>

export function networkRows(db: Db, { search, kind, account, address, result, from, to }: NetworkFilters) {
  return db
    .selectFrom('network_log')
    .$if(search !== undefined && search !== '', (query) =>
      query.where((where) =>
        where.or(
          (['account', 'address', 'path'] as const).map((column) =>
            where(`network_log.${column}`, 'ilike', contains(search as string)),
          ),
        ),
      ),
    )
    .$if(kind !== undefined, (query) => query.where('network_log.kind', '=', kind as string))
    .$if(account !== undefined, (query) => query.where('network_log.account', '=', account as string))
    .$if(address !== undefined, (query) => query.where('network_log.address', '=', address as string))
    .$if(result !== undefined, (query) => query.where(NETWORK_RESULT[result as keyof typeof NETWORK_RESULT]))
    .$if(from !== undefined, (query) => query.where('network_log.at', '>=', from as number))
    .$if(to !== undefined, (query) => query.where('network_log.at', '<', to as number))
}

/** One page before `cursor`, newest first. */
export async function readAudit(db: Db, filters: AuditFilters, cursor: number | undefined, limit: number) {
  const rows = await auditRows(db, filters)
    .leftJoin('users', 'users.username', 'audit_log.account')
    .leftJoin('roles', 'roles.key', 'audit_log.role')
    .select([
      'audit_log.id',
      'audit_log.at',
      'audit_log.account',
      'audit_log.role',
      'audit_log.action',
      'audit_log.target',
      'audit_log.result',
      'audit_log.address',
      'audit_log.detail',
      'audit_log.changes',
      'audit_log.hash',
      'users.last_login_at',
      'roles.zh',
      'roles.en',
    ])
    .$if(cursor !== undefined, (query) => query.where('audit_log.id', '<', cursor as number))
    .orderBy('audit_log.id', 'desc')
    .limit(limit)
    .execute()
  return rows
}

export function toAuditEntry(row: Awaited<ReturnType<typeof readAudit>>[number]): AuditEntry {
  const { zh, en, changes, hash: _hash, last_login_at, ...entry } = row
  return {
    ...entry,
    role_name: zh !== null && en !== null ? { zh, en } : null,
    result_name: refusalName(entry.result),
    changed: changes === '' ? 0 : (JSON.parse(changes) as unknown[]).length,
    last_login_at,
  }
}

/** One page before `cursor`, newest first. */
export async function readNetwork(
  db: Db,
  filters: NetworkFilters,
  cursor: number | undefined,
  limit: number,
): Promise<NetworkLine[]> {
  const rows = await networkRows(db, filters)
    .leftJoin('applications', 'applications.id', 'network_log.application_id')
    .selectAll('network_log')
    .select('applications.name as application')
    .$if(cursor !== undefined, (query) => query.where('network_log.id', '<', cursor as number))
    .orderBy('network_log.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ application_id: _id, kind, ...line }) => ({ ...line, kind: kind as NetworkLine['kind'] }))
}

/** Every page until the end, newest first. */
export async function* allPages<Row extends { id: number }>(
  read: (cursor: number | undefined, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  const size = 1000
  for (let cursor: number | undefined; ; ) {
    const rows = await read(cursor, size)
    if (rows.length > 0) yield rows
    if (rows.length < size) return
    cursor = rows.at(-1)?.id
  }
}

/** Spans of a histogram, in ms: about 60 of them fill the time that the rows cover. */
const WIDTHS = [60_000, 300_000, 900_000, 3_600_000, 10_800_000, 43_200_000, 86_400_000, 604_800_000] as const
const SPANS = 72

type Counted = 'audit_log' | 'network_log'

/** Count of the rows, and over time, in one pass over them. */
export async function summarise(
  table: Counted,
  rows: ReturnType<typeof auditRows> | ReturnType<typeof networkRows>,
  { from, to }: { from?: number | undefined; to?: number | undefined },
  zone: string,
): Promise<{ total: number; histogram: LogHistogram }> {
  const at = sql.ref<number>(`${table}.at`)
  const isOk = table === 'audit_log' ? sql<SqlBool>`audit_log.result = 'ok'` : NETWORK_RESULT.ok
  // biome-ignore lint/suspicious/noExplicitAny: the two tables have these columns in common
  const found = rows as any as ReturnType<typeof auditRows>
  const bounds = await found
    .select([sql<number | null>`min(${at})`.as('first'), sql<number | null>`max(${at})`.as('last')])
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const [first, last] = [from ?? Number(bounds.first), to ?? Number(bounds.last)]
  const width = WIDTHS.find((one) => (last - first) / one <= SPANS) ?? (WIDTHS.at(-1) as number)
  if (bounds.first === null) return { total: 0, histogram: { width, spans: [] } }
  // Days begin at midnight of the zone; its offset at the end holds for the whole of it.
  const offset = zoneOffset(last, zone)
  const spans = await found
    .select([
      sql<number>`((${at} + ${offset}) / ${width}) * ${width} - ${offset}`.as('span'),
      sql<number>`count(*) filter (where ${isOk})`.as('ok'),
      sql<number>`count(*) filter (where not (${isOk}))`.as('refused'),
    ])
    .groupBy('span')
    .orderBy('span')
    .execute()
  return {
    total: Number(bounds.total),
    histogram: {
      width,
      spans: spans.map(({ span, ok, refused }) => ({ at: Number(span), ok: Number(ok), refused: Number(refused) })),
    },
  }
}
