import { randomUUID } from 'node:crypto'
import { ProductError } from '#contracts/errors.ts'
import {
  approveSuppression,
  exportSuppressions,
  suppress,
  suppressions,
  withdrawSuppression,
} from '#contracts/http/detection/result.ts'
import { PERMISSION_ITEMS } from '#contracts/permissions.ts'
import type { Caller, Module } from '../../http/module.ts'
import { startExport } from '../jobs/start-export.ts'
import { listSuppressions } from './list-suppressions.ts'
import { itemNames } from './own-rules.ts'
import { expireSuppressions, rejudge } from './rejudge.ts'
import { readResult } from './result-file.ts'
import { type ListedSuppression, suppressionsOf, toSuppression } from './suppression-rows.ts'
import { findTask } from './task-rows.ts'

/** Suppressions of findings: asked for by who works with them, counting once a holder of rule.edit approves them. */
export const suppressionsModule: Module = (mount, deps) => {
  const { meta } = deps
  const { db } = meta
  const mayApprove = (caller: Caller) => caller.auth.includes('rule.edit')

  async function find(caller: Caller, id: string): Promise<ListedSuppression> {
    const row = await suppressionsOf(deps, caller).where('one.id', '=', id).executeTakeFirst()
    if (!row) throw new ProductError('data.missing')
    return row
  }

  mount(suppressions, async ({ query, caller }) => {
    await expireSuppressions(deps)
    const { found, states } = await listSuppressions(deps, caller, query, deps.now())
    return { data: found.slice(query.offset, query.offset + query.limit), total: found.length, states }
  })

  mount(exportSuppressions, async ({ body, caller, audit }) => {
    audit(`export ${body.title}`, `${body.format} ${JSON.stringify(body.list)}`)
    return startExport(deps, caller, { list: { of: 'suppressions', filters: body.list } }, body)
  })

  mount(suppress, async ({ body, caller, audit }) => {
    const task = await findTask(meta, caller, body.task)
    audit(`${task.package_id} ${body.item}`, `${body.fingerprint ?? 'item'}: ${body.reason}`)
    const now = deps.now()
    if (body.until !== null && body.until <= now) throw new ProductError('input.invalid', { detail: 'until' })
    const result = await readResult(deps, task)
    const item = result.items.find(({ id, verdict }) => id === body.item && verdict === 'fail')
    if (!item) throw new ProductError('data.missing')
    if (body.fingerprint !== null && !item.findings.some((one) => one.fingerprint === body.fingerprint))
      throw new ProductError('data.missing')
    await expireSuppressions(deps)
    const approved = mayApprove(caller)
    const id = randomUUID()
    const inserted = await db
      .insertInto('detection_suppressions')
      .values({
        id,
        application_id: task.application_id,
        owner_id: task.application_id === null ? task.owner_id : null,
        package_id: task.package_id,
        platform: task.platform,
        item: body.item,
        fingerprint: body.fingerprint ?? '',
        reason: body.reason,
        until: body.until,
        by_user: caller.userId,
        approver_id: approved ? caller.userId : null,
        task_id: task.id,
        created_at: now,
        approved_at: approved ? now : null,
        ended: false,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (inserted.numInsertedOrUpdatedRows === 0n) throw new ProductError('task.exists')
    if (approved) await rejudge(deps, task)
    return { data: toSuppression(await find(caller, id), now, await itemNames(meta)) }
  })

  mount(approveSuppression, async ({ body, caller, audit }) => {
    const row = await find(caller, body.id)
    audit(`${row.package_id} ${row.item}`, row.reason)
    await db
      .updateTable('detection_suppressions')
      .set({ approver_id: caller.userId, approved_at: deps.now() })
      .where('id', '=', row.id)
      .where('approved_at', 'is', null)
      .execute()
    await rejudge(deps, row)
    return { data: toSuppression(await find(caller, body.id), deps.now(), await itemNames(meta)) }
  })

  mount(withdrawSuppression, async ({ body, caller, audit }) => {
    const row = await find(caller, body.id)
    audit(`${row.package_id} ${row.item}`, row.reason)
    if (!mayApprove(caller) && (row.approved_at !== null || row.by_user !== caller.userId))
      throw new ProductError('permission.missing', { permission: PERMISSION_ITEMS['rule.edit'][caller.language] })
    await db.deleteFrom('detection_suppressions').where('id', '=', row.id).execute()
    await rejudge(deps, row)
    return {}
  })
}
