import { sql } from 'kysely'
import type { Language } from '#contracts/errors.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { MARKET_KIND_NAMES, type MarketKind } from '#contracts/http/monitoring/markets.ts'
import { type monitorDetail, PIRATED_VERDICTS, type Verdict } from '#contracts/http/monitoring/tasks.ts'
import type { Caller, ServerDeps } from '../../http/module.ts'
import { referenceFiles } from './judge-copies.ts'
import { allMarkets, type KnownMarket, pageToLook } from './market-catalogue.ts'
import { copyVerdict, listTasks, type TaskRow, tasksOf } from './monitor-rows.ts'

/** The record of a task, as its page shows it and its report says it. */
export async function taskRecord(
  { meta }: Pick<ServerDeps, 'meta'>,
  viewer: Pick<Caller, 'scope'>,
  task: TaskRow,
  language: Language,
): Promise<ResponseOf<typeof monitorDetail>> {
  const { db } = meta
  const [list, markets, files, asks, runs, copies, downloads] = await Promise.all([
    listTasks(tasksOf(meta, viewer).where('task.id', '=', task.id), language),
    allMarkets(meta),
    referenceFiles({ meta }, task.application_id),
    db
      .selectFrom('monitor_asks')
      .selectAll()
      .where('task_id', '=', task.id)
      .where('run', '=', task.run)
      .orderBy('market')
      .execute(),
    db.selectFrom('monitor_runs').selectAll().where('task_id', '=', task.id).orderBy('run', 'desc').limit(60).execute(),
    sql<{ market: string; verdict: Verdict; copies: number }>`
      select one.market, ${copyVerdict} as verdict, count(distinct copy.id)::int as copies
      from monitor_copies copy join monitor_listings one on one.task_id = copy.task_id and one.sha256 = copy.sha256
      where copy.task_id = ${task.id} group by 1, 2`.execute(db),
    sql<{ sum: number | null }>`
      select sum(one.downloads) as sum from monitor_listings one join monitor_copies copy on copy.task_id = one.task_id and copy.sha256 = one.sha256
      where one.task_id = ${task.id} and ${copyVerdict} = any(${[...PIRATED_VERDICTS]})`.execute(db),
  ])
  const { app_name: application } = list[0]!
  const byId = new Map(markets.map((market) => [market.id, market]))
  const cells = new Map<string, { kind: MarketKind; verdict: Verdict; copies: number }>()
  for (const { market, verdict, copies: count } of copies.rows) {
    const kind = byId.get(market)?.kind ?? 'other'
    const cell = cells.get(`${kind} ${verdict}`)
    cells.set(`${kind} ${verdict}`, { kind, verdict, copies: (cell?.copies ?? 0) + count })
  }
  const prints = await db
    .selectFrom('package_prints')
    .select(['sha256', 'problem'])
    .where('sha256', 'in', [...files.map(({ sha256 }) => sha256), ''])
    .execute()
  const sum = downloads.rows[0]?.sum ?? null
  return {
    data: list[0]!,
    references: files.map(({ id, name, version, sha256 }) => ({
      file: id,
      name,
      version,
      sha256,
      problem: prints.find((one) => one.sha256 === sha256)?.problem ?? '',
    })),
    matrix: [...cells.values()],
    runs: runs.map(({ task_id: _, judged_at: _judged, ...run }) => run),
    kinds: MARKET_KIND_NAMES.map((kind) => {
      const ofKind = asks.filter(({ market }) => (byId.get(market)?.kind ?? 'other') === kind)
      return { kind, markets: ofKind.length, asked: ofKind.filter(({ state }) => state === 'asked').length }
    }).filter((one) => one.markets > 0),
    unasked: asks
      .filter(({ state }) => state === 'unasked')
      .map(({ market, problem, detail, leads }) => ({
        id: market,
        name: byId.get(market)?.names[language] ?? market,
        kind: byId.get(market)?.kind ?? 'other',
        problem: problem || 'internal',
        detail,
        leads,
        look: lookAt(byId.get(market), application),
      })),
    downloads: sum === null ? null : Number(sum),
  }
}

const lookAt = (market: KnownMarket | undefined, application: string): string =>
  market ? pageToLook(market, application) : ''
