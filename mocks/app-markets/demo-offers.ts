import type { MarketKind } from '#contracts/http/monitoring/markets.ts'
import type { DemoPackage, DemoPackages } from './demo-packages.ts'
import type { Offer } from './market-page.ts'
import { SHAPES, type ShapeName } from './market-shapes.ts'

/** Markets of the demo, and how often what they offer changes. */
export const DEMO_MARKETS = 12
export const DEMO_STAGES = 3

const KINDS: Readonly<Record<ShapeName, MarketKind>> = {
  'store-json': 'store',
  'store-jsonp': 'store',
  cards: 'download',
  'old-table': 'download',
  'posted-form': 'download',
  rss: 'download',
  atom: 'download',
  sitemap: 'download',
  'shared-folder': 'drive',
  forum: 'forum',
}
const SHAPE_NAMES = Object.keys(SHAPES) as ShapeName[]

/** The kind of the market at this place of planMarkets. */
export const kindOfMarket = (at: number): MarketKind => KINDS[SHAPE_NAMES[at % SHAPE_NAMES.length]!]

/** Which packages a market offers at a stage: a repackaged one spreads, a clone and a look-alike come later, one market takes a copy down. */
const PLAN: Readonly<Record<DemoPackage, (market: number, stage: number) => boolean>> = {
  genuine: (market) => market % 3 === 0 || market % 4 === 0,
  newer: (market) => market % 2 === 1,
  're-signed': (market, stage) => market % 4 === 1 && !(market === 5 && stage === 2),
  repackaged: (market, stage) => market % 4 === 2 || (stage > 0 && market % 4 === 3),
  clone: (market, stage) => stage > 0 && market % 6 === 4,
  'look-alike': (market, stage) => stage > 1 && (market === 8 || market === 11),
  unrelated: (market) => market % 5 === 0,
}

/** Whether a market answers at a stage: the last one breaks down and comes back. */
export const answersAt = (market: number, stage: number): boolean => !(market === DEMO_MARKETS - 1 && stage === 1)

/** What a market offers at a stage, under the name of the application. */
export function offersAt(
  market: number,
  stage: number,
  packages: DemoPackages,
  { id, label, version }: { readonly id: string; readonly label: string; readonly version: string },
): Offer[] {
  const names = Object.keys(PLAN) as DemoPackage[]
  return names.flatMap((name, at) =>
    PLAN[name](market, stage)
      ? [
          {
            name: label,
            package: name === 'clone' ? `${id}.free` : id,
            version,
            downloads: 400 + 1370 * ((market * 7 + at * 3) % 11),
            developer: name === 'genuine' ? 'Example Bank' : 'apk-share',
            bytes: packages[name],
          },
        ]
      : [],
  )
}
