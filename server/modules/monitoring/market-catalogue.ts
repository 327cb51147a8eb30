import { isDeepStrictEqual } from 'node:util'
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
  /** Search page for people, with `{keyword}`; '' where none is known. */
  readonly search: string
  /** It ended its service: it is listed and not asked. */
  readonly closed: boolean
  /** Its connector was written from the documentation at `source` and has not had a good trial in this installation. */
  readonly untried: boolean
  readonly source: string
  /** It offers applications of this platform alone; null: of both, or not known. */
  readonly platform: 'ios' | null
}

/** One way to ask that several markets have in common; `{of}` in the address is what differs. */
interface Format {
  readonly source: string
  readonly hosts: readonly string[]
  readonly interval: number
  /** Of its applications; absent where they are not of one alone. */
  readonly platform?: 'ios'
  readonly connector: Exclude<MarketConnector, { kind: 'manual' }>
  readonly markets: Readonly<Record<string, string>>
}

/** Between two requests to a market whose connector says nothing else. */
const INTERVAL_MS = 3000

const FORMATS = new Map(
  Object.values(data.formats as unknown as Record<string, Format>).flatMap((format) =>
    Object.entries(format.markets).map(([id, of]) => [id, { format, of }] as const),
  ),
)
const SEARCHES: Readonly<Record<string, string>> = data.searches
const CLOSED: ReadonlySet<string> = new Set(data.closed)

/** Markets that come with the product: those without a connector are looked at by people until someone writes one. */
export const BUILT_IN: readonly KnownMarket[] = data.markets.map(([id, zh, en, kind, region, home]) => {
  const { format, of = '' } = FORMATS.get(id as string) ?? {}
  return {
    id: id as string,
    names: { zh: zh as string, en: en as string },
    kind: kind as MarketKind,
    region: region as MarketRegion,
    home: home as string,
    hosts: format?.hosts ?? [],
    intervalMs: format?.interval ?? INTERVAL_MS,
    connector: format
      ? { ...format.connector, url: format.connector.url.replace('{of}', () => of) }
      : { kind: 'manual' as const },
    builtIn: true,
    enabled: true,
    search: SEARCHES[id as string] ?? '',
    closed: CLOSED.has(id as string),
    untried: format !== undefined,
    source: format?.source ?? '',
    platform: format?.platform ?? null,
  }
})
const BY_ID = new Map(BUILT_IN.map((market) => [market.id, market]))

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
        search: BY_ID.get(row.id)?.search ?? '',
        closed: CLOSED.has(row.id),
        platform: BY_ID.get(row.id)?.platform ?? null,
        ...documentation(row.id, row.connector, row.tried),
      } satisfies KnownMarket,
    ]),
  )
  const own = [...saved.values()].filter(({ builtIn }) => !builtIn)
  return [...own, ...BUILT_IN.map((market) => saved.get(market.id) ?? market)]
}

/** A connector that was saved as it came stays untried until one of its trials finds something. */
function documentation(id: string, connector: MarketConnector, tried: boolean): { untried: boolean; source: string } {
  const first = BY_ID.get(id)
  const isFirst = first?.source !== '' && isDeepStrictEqual(first?.connector, connector)
  return { untried: isFirst && !tried, source: isFirst ? (first?.source ?? '') : '' }
}

/** The page that people open to look for `keyword`; '' where a market has none. */
export function pageToLook({ search, home }: Pick<KnownMarket, 'search' | 'home'>, keyword: string): string {
  return search ? search.replaceAll('{keyword}', () => encodeURIComponent(keyword)) : home
}

/** Hosts that a market may be asked at: declared ones, and that of its connector. */
export function hostsOf({
  hosts,
  connector,
}: {
  readonly hosts: readonly string[]
  readonly connector: { readonly kind: 'manual' } | { readonly url: string }
}): string[] {
  const url = 'url' in connector ? connector.url : ''
  return [...new Set([...hosts, ...(URL.canParse(url) ? [new URL(url).hostname.toLowerCase()] : [])])]
}
