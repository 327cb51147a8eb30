import type { MarketConnector, MarketKind, MarketRegion } from '#contracts/http/monitoring/markets.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import data from './markets.json' with { type: 'json' }

/** A market as a run asks it. */
export interface KnownMarket {
  readonly id: string
  readonly names: { readonly zh: string; readonly en: string }
  readonly kind: MarketKind
  readonly region: MarketRegion
  readonly home: string
  readonly hosts: readonly string[]
  readonly intervalMs: number
  readonly connector: MarketConnector
  readonly builtIn: boolean
  readonly enabled: boolean
}

/** Between two requests to a market whose connector says nothing else. */
const INTERVAL_MS = 3000

/** Markets that come with the product: those without a connector are looked at by people until someone writes one. */
export const BUILT_IN: readonly KnownMarket[] = data.markets.map(([id, zh, en, kind, region, home]) => ({
  id: id as string,
  names: { zh: zh as string, en: en as string },
  kind: kind as MarketKind,
  region: region as MarketRegion,
  home: home as string,
  hosts: [],
  intervalMs: INTERVAL_MS,
  connector: (data.connectors as Record<string, MarketConnector>)[id as string] ?? { kind: 'manual' },
  builtIn: true,
  enabled: true,
}))

/** All markets: built-in ones with what was saved over them, then own ones by name. */
export async function allMarkets({ db }: MetaStore): Promise<KnownMarket[]> {
  const rows = await db.selectFrom('monitor_markets').selectAll().orderBy('name_zh').orderBy('id').execute()
  const saved = new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        names: { zh: row.name_zh, en: row.name_en },
        kind: row.kind,
        region: row.region,
        home: row.home,
        hosts: row.hosts,
        intervalMs: row.interval_ms,
        connector: row.connector,
        builtIn: row.built_in,
        enabled: row.enabled,
      } satisfies KnownMarket,
    ]),
  )
  const own = [...saved.values()].filter(({ builtIn }) => !builtIn)
  return [...own, ...BUILT_IN.map((market) => saved.get(market.id) ?? market)]
}

/** Hosts that a market may be asked at: declared ones, and that of its connector. */
export function hostsOf({ hosts, connector }: Pick<KnownMarket, 'hosts' | 'connector'>): string[] {
  const own =
    connector.kind === 'manual' || !URL.canParse(connector.url) ? [] : [new URL(connector.url).hostname.toLowerCase()]
  return [...new Set([...hosts, ...own])]
}
