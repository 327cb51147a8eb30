import { ProductError } from '#contracts/errors.ts'
import { abnormalReturn, abnormalReturns } from '#contracts/http/abnormal-returns.ts'
import { contradictionsOf, reportedBuild } from '#domain/baseline.ts'
import type { Caller, Module } from '../../http/module.ts'
import { redactRow, refuseAddress } from '../../query/personal.ts'
import { agreeOnNow, resolveQuery } from '../../query/resolve-query.ts'
import { baselineRows, knownBuilds } from '../baselines/baseline-rows.ts'
import { deviceVerdictOf } from '../devices/device-verdicts.ts'
import { copiesSignedBy, piratedCertificates } from '../monitoring/pirated-certificates.ts'

/** Abnormal returns: what devices sent back that contradicts the baseline of its version, or comes from a known pirated copy. */
export const abnormalModule: Module = (mount, deps) => {
  const { meta } = deps
  const copiesOf = async (caller: Caller, certificates: readonly string[], app?: number) =>
    caller.auth.includes('monitor.view') ? copiesSignedBy(meta.db, caller.scope, certificates, app) : []

  mount(abnormalReturns, async ({ body, caller }) => {
    refuseAddress(caller, body.query.filters)
    const now = agreeOnNow(body.now, deps.now())
    const query = resolveQuery(body.query, caller.scope, now, deps.settings().zone)
    const known = await knownBuilds(meta.db, caller.scope)
    const ask = { query, ...known, kinds: body.kinds, ...(body.signer && { signer: body.signer }) }
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
      pirated: await copiesOf(
        caller,
        page.rows.map(({ row }) => reportedBuild(row.extra, row.channel).signer),
      ),
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
    const reported = reportedBuild(event.extra, event.channel)
    const [known] = await piratedCertificates(meta.db, { apps: [app] })
    const compared = baseline && { ...baseline, packageName: baseline.package_name }
    const kinds = contradictionsOf(reported, compared, known?.certificates)
    const [pirated = null] = await copiesOf(caller, [reported.signer], app)
    const verdict = (await deviceVerdictOf(meta.db, app, event.device)) ?? null
    return { event: redactRow(event), baseline, kinds, verdict, pirated, now: deps.now() }
  })
}
