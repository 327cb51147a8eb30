import { sql } from 'kysely'
import type { AuditChange } from '#contracts/audit-change.ts'
import { ProductError } from '#contracts/errors.ts'
import {
  auditCheckpoints,
  auditEntry,
  auditLog,
  auditState,
  auditSummary,
  auditVerify,
  deleteLogs,
  exportLog,
  networkLog,
  networkSummary,
  PROTECTED_LOG_DAYS,
  type Verification,
} from '#contracts/http/audit-log.ts'
import type { Module } from '../../http/module.ts'
import { chainBegin, entryFits, retainAudit } from '../../platform/audit/audit-trail.ts'
import { checkpointKey, verifyAudit } from '../../platform/audit/checkpoints.ts'
import { startExport } from '../jobs/start-export.ts'
import { auditRows, networkRows, readAudit, readNetwork, summarise, toAuditEntry } from './log-rows.ts'

const DAY_MS = 86_400_000
const AROUND_MS = 300_000
const AROUND_ENTRIES = 20
/** Accounts and actions to choose from. */
const MOST_CHOICES = 500
const VERIFICATION = 'audit.verification'

/** Audit trail and network log: reading, verification, download, deletion of what is older than six months. */
export const auditModule: Module = (mount, deps) => {
  const { db } = deps.meta
  const chain = { meta: deps.meta, secret: deps.secret, file: deps.config.paths.auditCheckpoints }
  const deletableBefore = () => deps.now() - PROTECTED_LOG_DAYS * DAY_MS
  const checkpoints = db.selectFrom('audit_checkpoints').selectAll()

  mount(auditLog, async ({ query: { cursor, limit, ...filters } }) => {
    const rows = await readAudit(db, filters, cursor, limit + 1)
    const data = rows.slice(0, limit)
    return { data: data.map(toAuditEntry), next_cursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null }
  })

  mount(auditSummary, async ({ query }) => {
    const choices = (column: 'account' | 'action') =>
      db.selectFrom('audit_log').select(column).distinct().orderBy(column).limit(MOST_CHOICES).execute()
    const [summary, accounts, actions] = await Promise.all([
      summarise('audit_log', auditRows(db, query), query, deps.settings().zone),
      choices('account'),
      choices('action'),
    ])
    return {
      data: {
        ...summary,
        accounts: accounts.map(({ account }) => account).filter((account) => account !== ''),
        actions: actions.map(({ action }) => action),
      },
    }
  })

  mount(auditEntry, async ({ query: { id } }) => {
    const [row] = await readAudit(db, {}, id + 1, 1)
    if (row?.id !== id) throw new ProductError('data.missing')
    const neighbour = (direction: '<' | '>') =>
      db
        .selectFrom('audit_log')
        .select(['id', 'hash'])
        .where('id', direction, id)
        .orderBy('id', direction === '<' ? 'desc' : 'asc')
        .limit(1)
        .executeTakeFirst()
    const [previous, next, checkpoint, outputs, around, fits] = await Promise.all([
      neighbour('<'),
      neighbour('>'),
      checkpoints.where('entry_id', '>=', id).orderBy('id').limit(1).executeTakeFirst(),
      db.selectFrom('log_outputs').select(['name', 'position']).where('enabled', '=', true).orderBy('name').execute(),
      db
        .selectFrom('audit_log')
        .select(['id', 'at', 'action', 'target', 'result'])
        .where('account', '=', row.account)
        .where('id', '!=', id)
        .where('at', '>=', row.at - AROUND_MS)
        .where('at', '<=', row.at + AROUND_MS)
        .orderBy(sql`abs(id - ${id})`)
        .limit(AROUND_ENTRIES)
        .execute(),
      entryFits(deps.meta, id),
    ])
    return {
      data: {
        ...toAuditEntry(row),
        changes: row.changes === '' ? [] : (JSON.parse(row.changes) as AuditChange[]),
        hash: row.hash,
        fits,
        previous: previous ?? null,
        next: next ?? null,
        checkpoint: checkpoint ?? null,
        outputs: outputs.map(({ name, position }) => ({ name, sent: position >= id })),
        around: around.sort((x, y) => y.id - x.id),
      },
    }
  })

  mount(auditState, async () => {
    const before = deletableBefore()
    const count = (table: 'audit_log' | 'network_log') =>
      db
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('at', '<', before)
        .executeTakeFirstOrThrow()
    const [whole, begin, checkpoint, verification, audit, network] = await Promise.all([
      db
        .selectFrom('audit_log')
        .select((eb) => [eb.fn.countAll<number>().as('entries'), eb.fn.min('at').as('first_at')])
        .executeTakeFirstOrThrow(),
      chainBegin(db),
      checkpoints.orderBy('id', 'desc').limit(1).executeTakeFirst(),
      db.selectFrom('settings').select('value').where('key', '=', VERIFICATION).executeTakeFirst(),
      count('audit_log'),
      count('network_log'),
    ])
    return {
      data: {
        entries: Number(whole.entries),
        first_at: whole.first_at === null ? null : Number(whole.first_at),
        begins_after: begin.id,
        checkpoint: checkpoint ?? null,
        public_key: checkpointKey(deps),
        verification: (verification?.value as Verification | undefined) ?? null,
        deletable_before: before,
        deletable: { audit: Number(audit.count), network: Number(network.count) },
      },
    }
  })

  mount(auditVerify, async ({ caller, audit }) => {
    const data: Verification = { at: deps.now(), by: caller.username, ...(await verifyAudit(chain)) }
    const value = JSON.stringify(data)
    await db
      .insertInto('settings')
      .values({ key: VERIFICATION, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute()
    const { entries, broken_at, bad_checkpoint, missing } = data
    const problems = [
      broken_at !== null && `entry ${broken_at} does not fit`,
      bad_checkpoint !== null && `checkpoint ${bad_checkpoint} does not fit`,
      missing && `entries ${missing.from} to ${missing.to} are missing`,
    ].filter((one) => typeof one === 'string')
    audit('audit_log', problems.length > 0 ? problems.join(', ') : `${entries} entries`)
    return { data }
  })

  mount(auditCheckpoints, async ({ query: { cursor, limit } }) => {
    const rows = await checkpoints
      .$if(cursor !== undefined, (query) => query.where('id', '<', cursor as number))
      .orderBy('id', 'desc')
      .limit(limit + 1)
      .execute()
    const data = rows.slice(0, limit)
    return {
      data,
      public_key: checkpointKey(deps),
      next_cursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null,
    }
  })

  mount(networkLog, async ({ query: { cursor, limit, ...filters } }) => {
    const rows = await readNetwork(db, filters, cursor, limit + 1)
    const data = rows.slice(0, limit)
    return { data, next_cursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null }
  })

  mount(networkSummary, async ({ query }) => ({
    data: await summarise('network_log', networkRows(db, query), query, deps.settings().zone),
  }))

  mount(exportLog, async ({ body, caller, audit }) => {
    const { log, filters } = body.list
    audit(`export ${body.title}`, `${body.format} ${log} ${JSON.stringify(filters)}`)
    const list =
      body.list.log === 'audit'
        ? { of: 'audit_log' as const, filters: body.list.filters }
        : { of: 'network_log' as const, filters: body.list.filters }
    return startExport(deps, caller, { list }, body)
  })

  mount(deleteLogs, async ({ body, audit }) => {
    const { log, before } = body
    audit(log === 'audit' ? 'audit_log' : 'network_log', `before ${new Date(before).toISOString()}`)
    if (before > deletableBefore()) throw new ProductError('log.protected', { days: PROTECTED_LOG_DAYS })
    const deleted =
      log === 'audit'
        ? await retainAudit(deps.meta, before)
        : Number((await db.deleteFrom('network_log').where('at', '<', before).executeTakeFirst()).numDeletedRows)
    audit(log === 'audit' ? 'audit_log' : 'network_log', `${deleted} deleted, before ${new Date(before).toISOString()}`)
    return { data: { deleted } }
  })
}
