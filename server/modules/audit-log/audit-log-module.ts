import { auditLog, auditVerify } from '#contracts/http/audit-log.ts'
import type { Module } from '../../http/module.ts'
import { verifyAudit } from '../../platform/audit.ts'

/** The audit trail: reading it, and recomputing its chain. */
export const auditModule: Module = (mount, deps) => {
  const { db } = deps.meta

  mount(auditLog, async ({ query }) => {
    let found = db.selectFrom('audit_log')
    if (query.search) {
      const pattern = `%${query.search.replace(/[\\%_]/g, (one) => `\\${one}`)}%`
      found = found.where((where) =>
        where.or(
          (['account', 'action', 'target', 'result', 'address'] as const).map((column) =>
            where(column, 'ilike', pattern),
          ),
        ),
      )
    }
    const { total } = await found.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
    const page = query.cursor === undefined ? found : found.where('id', '<', query.cursor)
    const rows = await page
      .select(['id', 'at', 'account', 'role', 'action', 'target', 'result', 'address', 'detail'])
      .orderBy('id', 'desc')
      .limit(query.limit + 1)
      .execute()
    const more = rows.length > query.limit
    const data = rows.slice(0, query.limit)
    return { data, next_cursor: more ? (data.at(-1)?.id ?? null) : null, total: Number(total) }
  })

  mount(auditVerify, async ({ audit }) => {
    const data = await verifyAudit(deps.meta)
    audit('audit_log', data.broken_at === null ? `${data.entries} entries` : `broken at ${data.broken_at}`)
    return { data }
  })
}
