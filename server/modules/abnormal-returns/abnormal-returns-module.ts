import { ProductError } from '#contracts/errors.ts'
import { abnormalReturn, abnormalReturns } from '#contracts/http/abnormal-returns.ts'
import { contradictionsOf, reportedBuild } from '#domain/baseline.ts'
import type { Module } from '../../http/module.ts'
import { redactRow, refuseAddress } from '../../query/personal.ts'
import { agreeOnNow, resolveQuery } from '../../query/resolve-query.ts'
import { baselineFacts, baselineRows } from '../baselines/baseline-rows.ts'
import { deviceVerdictOf } from '../devices/device-verdicts.ts'

/** Abnormal returns: what devices sent back that contradicts the baseline of its version. */
export const abnormalModule: Module = (mount, deps) => {
  const { meta } = deps

  mount(abnormalReturns, async ({ body, caller }) => {
    refuseAddress(caller, body.query.filters)
    const now = agreeOnNow(body.now, deps.now())
    const query = resolveQuery(body.query, caller.scope, now, deps.settings().zone)
    const ask = { query, baselines: await baselineFacts(meta.db, caller.scope), kinds: body.kinds }
    const [summary, page] = await Promise.all([
      body.counts ? deps.store.contradictions(ask) : null,
      deps.store.contradicting(ask, { limit: body.limit, ...(body.cursor && { cursor: body.cursor }) }),
    ])
    return {
      now,
      span: query.span,
      summary: summary && {
        total: summary.total,
        devices: summary.devices,
        compared: summary.compared,
        without_baseline: summary.withoutBaseline,
        kinds: summary.kinds,
        versions: summary.versions.map(({ app, ...rest }) => ({ appid: app, ...rest })),
        channels: summary.channels,
        bucket: summary.bucket,
        points: summary.points,
      },
      data: page.rows.map(({ row, kinds }) => ({ event: redactRow(row), kinds })),
      next_cursor: page.nextCursor ?? null,
    }
  })

  mount(abnormalReturn, async ({ query, caller }) => {
    const app = Number(query.appid)
    const { apps } = caller.scope
    if (apps !== 'all' && !apps.includes(app)) throw new ProductError('data.missing')
    const event = (await deps.tail?.event(app, query.id)) ?? (await deps.store.event(app, query.id))
    if (!event) throw new ProductError('data.missing')
    const all = await baselineRows(meta.db, caller.scope, app)
    const baseline = all.find(({ version }) => version === event.version) ?? null
    const kinds = baseline
      ? contradictionsOf(reportedBuild(event.extra, event.channel), { ...baseline, packageName: baseline.package_name })
      : []
    const verdict = (await deviceVerdictOf(meta.db, app, event.device)) ?? null
    return { event: redactRow(event), baseline, kinds, verdict, now: deps.now() }
  })
}
