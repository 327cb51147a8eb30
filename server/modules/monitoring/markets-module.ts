import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Language } from '#contracts/errors.ts'
import { ProductError } from '#contracts/errors.ts'
import {
  deleteMarkets,
  type Market,
  type MarketConnector,
  type MarketProblemKey,
  marketDetail,
  markets,
  saveMarket,
  suggestMarket,
  tryMarket,
} from '#contracts/http/monitoring/markets.ts'
import { PIRATED_VERDICTS } from '#contracts/http/monitoring/tasks.ts'
import type { ConnectorFields } from '#engines/listing/connector.ts'
import { parseJsonPath } from '#engines/listing/json-path.ts'
import { compiled } from '#engines/listing/read-listing.ts'
import { parseSelector } from '#engines/listing/select-markup.ts'
import { demandAll } from '../../http/demand-all.ts'
import type { Caller, Module } from '../../http/module.ts'
import { askMarket } from './ask-market.ts'
import { allMarkets, BUILT_IN, hostsOf, type KnownMarket } from './market-catalogue.ts'
import { MARKET_LIMITS, MarketProblem, MarketSession } from './market-fetcher.ts'
import { copyVerdict } from './monitor-rows.ts'
import { suggestConnectors } from './suggest-connector.ts'

/** A trial answers within a request. */
const TRIAL_SECONDS = 12
const TRIAL_ROWS = 20
const MOST_OWN = 500
const BUILT_IN_IDS = new Set(BUILT_IN.map(({ id }) => id))

type Answer = { market: string; asked_at: number | null; problem: MarketProblemKey | ''; pirated: number }

/** Markets: the catalogue with the last answers, own markets, and the editor of connectors with its trial. */
export const marketsModule: Module = (mount, deps) => {
  const { meta, config } = deps
  const { db } = meta

  mount(markets, async ({ query, caller }) => {
    const all = await allMarkets(meta)
    const search = query.search.toLowerCase()
    const found = all.filter(
      (market) =>
        (!query.kind || market.kind === query.kind) &&
        (!query.region || market.region === query.region) &&
        (!query.asked || isAsked[query.asked](market)) &&
        (!search || `${market.names.zh} ${market.names.en} ${market.home} ${market.id}`.toLowerCase().includes(search)),
    )
    const shown = found.slice(query.offset, query.offset + query.limit)
    const answers = await answersOf(
      caller,
      shown.map(({ id }) => id),
    )
    const open = all.filter(({ closed }) => !closed)
    const manual = open.filter(isAsked.manual).length
    return {
      data: shown.map((market) => toMarket(market, answers.get(market.id), caller.language)),
      total: found.length,
      counts: {
        all: open.length,
        connector: open.length - manual,
        untried: open.filter(isAsked.untried).length,
        manual,
        closed: all.length - open.length,
        own: all.filter(({ builtIn }) => !builtIn).length,
      },
      simulated: [...config.marketOrigins],
    }
  })

  mount(marketDetail, async ({ query, caller }) => {
    const market = (await allMarkets(meta)).find(({ id }) => id === query.id)
    if (!market) throw new ProductError('data.missing')
    const answers = await answersOf(caller, [market.id])
    return {
      data: toMarket(market, answers.get(market.id), caller.language),
      names: { ...market.names },
      connector: market.connector,
      hosts: [...market.hosts],
      interval_ms: market.intervalMs,
      source: market.source,
    }
  })

  /** A session that asks within a request of a person. */
  const trialSession = (access: { hosts: readonly string[]; interval_ms: number }) =>
    new MarketSession(
      {
        origins: new Set(config.marketOrigins),
        proxy: config.marketProxy,
        limits: { ...MARKET_LIMITS, pageSeconds: TRIAL_SECONDS },
        sleep: (ms, signal) => sleep(ms, undefined, { signal }),
        now: deps.now,
      },
      { hosts: access.hosts, interval: Math.min(access.interval_ms, 1000) },
      AbortSignal.timeout(TRIAL_SECONDS * 1000),
    )
  const problemOf = (error: unknown) => {
    if (!(error instanceof MarketProblem)) throw error
    const problem = error.problem === 'stopped' ? ('time' as const) : error.problem
    return { problem, detail: error.message.slice(0, 300) }
  }

  mount(suggestMarket, async ({ body }) => {
    const { hosts, interval_ms, keyword, ...request } = body
    try {
      const session = trialSession({ hosts: hostsOf({ hosts, connector: request }), interval_ms })
      const found = await suggestConnectors(session, request, keyword)
      const suggestions = found.map(({ connector, items, sample }) => {
        const { name = '', package: id = '', version = '', page = '', download = '' } = sample
        return { connector, items, sample: { name, package: id, version, page, download } }
      })
      return { problem: '' as const, detail: '', suggestions }
    } catch (error) {
      return { ...problemOf(error), suggestions: [] }
    }
  })

  mount(tryMarket, async ({ body }) => {
    demandSound(body.connector)
    const session = trialSession({ hosts: hostsOf(body), interval_ms: body.interval_ms })
    try {
      const first = body.connector.kind === 'manual' ? body.connector : { ...body.connector, pages: 1 }
      const asked = await askMarket(session, first, { keywords: [body.keyword], packages: [] })
      return {
        trial: asked.candidates.length + asked.leads.length ? trialKey(body.connector, body.hosts) : '',
        problem: '' as const,
        detail: '',
        pages: asked.pages,
        items: asked.items,
        candidates: [
          ...asked.candidates.map(({ developer: _, ...one }) => one),
          ...asked.leads.map((one) => ({ ...one, package: '', version: '', downloads: null, download: '' })),
        ].slice(0, TRIAL_ROWS),
      }
    } catch (error) {
      return { trial: '', ...problemOf(error), pages: 0, items: 0, candidates: [] }
    }
  })

  mount(saveMarket, async ({ body, caller, audit }) => {
    const { names, connector, hosts } = body
    audit(names.zh, connector.kind)
    demandSound(connector)
    const known = body.id ? (await allMarkets(meta)).find(({ id }) => id === body.id) : undefined
    if (body.id && !known) throw new ProductError('data.missing')
    const isSame = known && isDeepStrictEqual([known.connector, known.hosts], [connector, hosts])
    const isTried = connector.kind !== 'manual' && body.trial === trialKey(connector, hosts)
    if (connector.kind !== 'manual' && !isSame && !isTried) throw new ProductError('monitor.trial')
    if (!known) await demandRoom()
    const id = body.id || `own-${randomUUID()}`
    const row = {
      built_in: BUILT_IN_IDS.has(id),
      name_zh: names.zh,
      name_en: names.en,
      kind: body.kind,
      region: body.region,
      home: body.home,
      hosts,
      interval_ms: body.interval_ms,
      connector: JSON.stringify(connector),
      enabled: body.enabled,
      tried: isTried || (isSame === true && !known?.untried),
      by_user: caller.userId,
      updated_at: deps.now(),
    }
    await db
      .insertInto('monitor_markets')
      .values({ id, ...row })
      .onConflict((on) => on.column('id').doUpdateSet(row))
      .execute()
    return { id }
  })

  mount(deleteMarkets, async ({ body, audit }) => {
    const rows = await db
      .transaction()
      .execute(async (tx) =>
        demandAll(
          body.ids,
          await tx.deleteFrom('monitor_markets').where('id', 'in', body.ids).returning('name_zh').execute(),
        ),
      )
    audit(rows.map(({ name_zh }) => name_zh).join(', '), `${rows.length} markets`)
    return { deleted: rows.length }
  })

  async function demandRoom(): Promise<void> {
    const { count } = await db
      .selectFrom('monitor_markets')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('built_in', '=', false)
      .executeTakeFirstOrThrow()
    if (Number(count) >= MOST_OWN) throw new ProductError('quota.reached', { detail: String(MOST_OWN) })
  }

  /** Binds a trial to the very connector that was tried. */
  function trialKey(connector: MarketConnector, hosts: readonly string[]): string {
    return createHmac('sha256', deps.secret('market-trial'))
      .update(JSON.stringify([connector, hosts]))
      .digest('hex')
      .slice(0, 32)
  }

  /** The newest answer of each market, and the pirated copies of applications that the caller may see. */
  async function answersOf({ scope }: Pick<Caller, 'scope'>, ids: readonly string[]): Promise<Map<string, Answer>> {
    const apps = scope.apps === 'all' ? sql`true` : sql`task.application_id = any(${[...scope.apps]})`
    const rows = await sql<Answer>`
      select distinct on (ask.market) ask.market, ask.asked_at, ask.problem,
        (select count(distinct copy.id)::int from monitor_copies copy join monitor_tasks task on task.id = copy.task_id
          join monitor_listings one on one.task_id = copy.task_id and one.sha256 = copy.sha256
          where one.market = ask.market and one.last_run = task.run and one.problem = '' and ${apps} and ${copyVerdict} = any(${[...PIRATED_VERDICTS]})) as pirated
      from monitor_asks ask join monitor_tasks task on task.id = ask.task_id
      where ask.market = any(${[...ids]}) and ask.asked_at is not null and ${apps}
      order by ask.market, ask.asked_at desc`.execute(db)
    return new Map(rows.rows.map((row) => [row.market, row]))
  }
}

const isAsked = {
  connector: ({ connector, closed }: KnownMarket) => connector.kind !== 'manual' && !closed,
  untried: ({ untried, closed }: KnownMarket) => untried && !closed,
  manual: ({ connector, closed }: KnownMarket) => connector.kind === 'manual' && !closed,
  closed: ({ closed }: KnownMarket) => closed,
}

function toMarket(market: KnownMarket, answer: Answer | undefined, language: Language): Market {
  return {
    id: market.id,
    name: market.names[language],
    kind: market.kind,
    region: market.region,
    home: market.home,
    search: market.search,
    connector_kind: market.connector.kind,
    untried: market.untried,
    closed: market.closed,
    built_in: market.builtIn,
    enabled: market.enabled,
    // One that people look at was not asked.
    asked_at: answer && answer.problem !== 'manual' ? answer.asked_at : null,
    problem: answer?.problem ?? null,
    // Nothing is known of what a market offers that did not answer.
    pirated: answer && answer.problem === '' ? answer.pirated : null,
  }
}

/** monitor.connector names the selector, path or expression that cannot be used. */
function demandSound(connector: MarketConnector): void {
  if (connector.kind === 'manual') return
  const refuse = (detail: string) => new ProductError('monitor.connector', { detail: detail.slice(0, 200) })
  if (!URL.canParse(connector.url.replaceAll(/\{(?:keyword|page)\}/g, '0'))) throw refuse(connector.url)
  const check = (kind: 'html' | 'json', fields: ConnectorFields) => {
    for (const { select, pattern } of Object.values(fields)) {
      if (kind === 'json' ? !parseJsonPath(select) : select !== '' && !parseSelector(select)) throw refuse(select)
      if (pattern && !compiled(pattern)) throw refuse(pattern)
    }
  }
  if (connector.kind === 'json' && !parseJsonPath(connector.items)) throw refuse(connector.items)
  if (connector.kind === 'html' && !parseSelector(connector.items)) throw refuse(connector.items)
  if (connector.kind !== 'sitemap')
    check(connector.kind === 'json' ? 'json' : 'html', connector.fields as ConnectorFields)
  if (connector.detail) check(connector.detail.kind, connector.detail.fields as ConnectorFields)
}
