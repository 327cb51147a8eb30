import { ProductError } from '#contracts/errors.ts'
import { exportTakedowns, moveTakedowns, type TakedownState, takedowns } from '#contracts/http/monitoring/takedowns.ts'
import type { Module } from '../../http/module.ts'
import { startExport } from '../jobs/start-export.ts'
import { findTask } from './monitor-rows.ts'
import { findTakedowns, listTakedowns, sayTakedowns, takedownsOf } from './takedown-rows.ts'

/** Titles that an audit entry names; the ids are counted. */
const NAMED = 5

/** States of takedown requests. Requests come with their letters (reports), and runs of monitoring confirm them. */
export const takedownsModule: Module = (mount, deps) => {
  const { meta } = deps

  mount(takedowns, async ({ query, caller }) => {
    await findTask(meta, caller, query.id)
    const { limit, offset, ...filters } = query
    const [data, rows] = await Promise.all([
      listTakedowns(meta, takedownsOf(meta, filters), caller.language, { limit, offset }),
      takedownsOf(meta, { ...filters, state: '' })
        .groupBy('request.state')
        .select(['request.state', (eb) => eb.fn.countAll<number>().as('count')])
        .execute(),
    ])
    const states: Partial<Record<TakedownState, number>> = Object.fromEntries(
      rows.map(({ state, count }) => [state, Number(count)]),
    )
    const total = rows
      .filter(({ state }) => !filters.state || state === filters.state)
      .reduce((sum, { count }) => sum + Number(count), 0)
    return { data, total, states }
  })

  mount(moveTakedowns, async ({ body, caller, audit }) => {
    const rows = await findTakedowns(meta, caller, body.ids)
    const named = rows.slice(0, NAMED).map(({ label, version, market }) => `${label} ${version} (${market})`)
    const more = rows.length > NAMED ? ` and ${rows.length - NAMED} more` : ''
    const before = [...new Set(rows.map(({ state }) => state))].join(', ')
    const way = body.way === null ? '' : ` by ${body.way}`
    const day = new Date(body.at).toISOString()
    audit(named.join(', ') + more, `${before} -> ${body.state}${way} at ${day}${body.note && `: ${body.note}`}`)
    if (body.at > deps.now()) throw new ProductError('input.invalid', { detail: 'at' })
    if ((body.state === 'sent') !== (body.way !== null)) throw new ProductError('input.invalid', { detail: 'way' })
    const { state, at, way: by, note } = body
    await sayTakedowns(deps, body.ids, { state, at, way: by, note, user: caller.userId })
    return { moved: rows.length }
  })

  mount(exportTakedowns, async ({ body, caller, audit }) => {
    await findTask(meta, caller, body.list.id)
    audit(`export ${body.title}`, `${body.format} ${JSON.stringify(body.list)}`)
    return startExport(deps, caller, { list: { of: 'takedowns', filters: body.list } }, body)
  })
}
