import { randomUUID } from 'node:crypto'
import { ProductError } from '#contracts/errors.ts'
import { type Baseline, baselines, deleteBaseline, saveBaseline } from '#contracts/http/baselines.ts'
import type { Caller, Module, ServerDeps } from '../../http/module.ts'
import { findApplication } from '../applications/application-access.ts'
import { baselineRows } from './baseline-rows.ts'

/** Baselines by hand: one a version of an application. Their change takes effect with the next question. */
export const baselinesModule: Module = (mount, deps) => {
  const { db } = deps.meta

  mount(baselines, async ({ query, caller }) => {
    const app = query.appid === undefined ? undefined : (await findApplication(deps.meta, caller, query.appid)).id
    return { data: await baselineRows(db, caller.scope, app) }
  })

  mount(saveBaseline, async ({ body, caller, audit }) => {
    const application = await findApplication(deps.meta, caller, body.appid)
    const earlier = body.id === undefined ? undefined : await findBaseline(deps, caller, body.id)
    if (earlier && earlier.appid !== body.appid) throw new ProductError('data.missing')
    audit(`baseline ${application.name} ${body.version}`, earlier ? changes(earlier, body) : 'added')
    const values = {
      version: body.version,
      package_name: body.package_name,
      signers: [...new Set(body.signers)],
      hashes: JSON.stringify(body.hashes),
      channels: [...new Set(body.channels)],
      note: body.note,
      by_user: caller.userId,
      updated_at: deps.now(),
    }
    const id = earlier?.id ?? randomUUID()
    const rev = body.rev ?? earlier?.rev ?? 1
    try {
      if (earlier) {
        const { numUpdatedRows } = await db
          .updateTable('baselines')
          .set({ ...values, rev: rev + 1 })
          .where('id', '=', id)
          .where('rev', '=', rev)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) throw new ProductError('data.conflict')
      } else
        await db
          .insertInto('baselines')
          .values({ id, application_id: application.id, rev: 1, ...values })
          .execute()
    } catch (error) {
      if ((error as { code?: string }).code === '23505') throw new ProductError('baseline.exists')
      throw error
    }
    return { data: await findBaseline(deps, caller, id) }
  })

  mount(deleteBaseline, async ({ body, caller, audit }) => {
    const found = await findBaseline(deps, caller, body.id)
    const { name } = await findApplication(deps.meta, caller, found.appid)
    await db.deleteFrom('baselines').where('id', '=', found.id).execute()
    audit(`baseline ${name} ${found.version}`, JSON.stringify(found).slice(0, 1000))
    return {}
  })
}

/** The baseline, or data.missing where the caller may not know of it. */
async function findBaseline({ meta }: ServerDeps, caller: Caller, id: string): Promise<Baseline> {
  const found = (await baselineRows(meta.db, caller.scope)).find((one) => one.id === id)
  if (!found) throw new ProductError('data.missing')
  return found
}

/** Which fields an edit changed, with their values before: what an audit needs to undo it by hand. */
function changes(before: Baseline, after: Partial<Record<keyof Baseline, unknown>>): string {
  const fields = ['version', 'package_name', 'signers', 'hashes', 'channels', 'note'] as const
  const changed = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
  return (
    changed
      .map((field) => `${field} was ${JSON.stringify(before[field])}`)
      .join(', ')
      .slice(0, 1000) || 'unchanged'
  )
}
