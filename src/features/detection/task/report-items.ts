import { type FindingLevel, OWNER_KINDS, type OwnerKind, type Verdict } from '#contracts/detection/kinds.ts'
import type { ItemLine } from '#contracts/http/detection/result.ts'

/** `suppressed` is a failed item whose findings are all suppressed: it no longer counts. */
export type ShownVerdict = Verdict | 'suppressed'
export type ItemChange = 'new' | 'changed' | 'unchanged'

/** An item of the report beside what the list shows of it. */
export type ReportItem = {
  readonly item: ItemLine
  readonly verdict: ShownVerdict
  /** Change against the compared scan; null without one. */
  readonly change: ItemChange | null
  /** Points that the published deductions take for it. */
  readonly points: number
}

/** The filters of the list, all of them in the address; `find` is answered by the server, which also searches the evidence. */
export type ReportFilter = {
  readonly verdict: ShownVerdict | 'all'
  readonly level: FindingLevel | null
  readonly category: string | null
  readonly owner: OwnerKind | null
  readonly change: ItemChange | null
  readonly find: string
}
type FilterName = Exclude<keyof ReportFilter, 'find'>

export const SHOWN_VERDICTS = [
  'fail',
  'not_assessed',
  'pass',
  'not_applicable',
  'suppressed',
] as const satisfies readonly ShownVerdict[]
export const ITEM_CHANGES = ['new', 'changed', 'unchanged'] as const satisfies readonly ItemChange[]
const LEVELS: readonly string[] = ['high', 'middle', 'low', 'info']
const RANK: Record<FindingLevel, number> = { high: 0, middle: 1, low: 2, info: 3 }
const FIND_MOST = 100

/** What the address asks for; words it does not know are left out, so that an old link still opens. */
export function readReportFilter(params: URLSearchParams): ReportFilter {
  const one = <T extends string>(name: string, of: readonly string[]): T | null => {
    const value = params.get(name)
    return value !== null && of.includes(value) ? (value as T) : null
  }
  return {
    verdict: one('verdict', [...SHOWN_VERDICTS, 'all']) ?? 'fail',
    level: one('level', LEVELS),
    category: params.get('category') || null,
    owner: one('owner', Object.keys(OWNER_KINDS)),
    change: one('change', ITEM_CHANGES),
    find: (params.get('find') ?? '').trim().slice(0, FIND_MOST),
  }
}

/** An item with what the comparison and the score say of it. */
export function reportItem(
  item: ItemLine,
  changes: ReadonlyMap<string, ItemChange>,
  points: ReadonlyMap<string, number>,
): ReportItem {
  const verdict = item.verdict === 'fail' && item.muted ? 'suppressed' : item.verdict
  return {
    item,
    verdict,
    change: item.verdict === 'fail' ? (changes.get(item.id) ?? null) : null,
    points: verdict === 'fail' ? (points.get(item.id) ?? 0) : 0,
  }
}

/** Whether an item passes the filters; `but` leaves one of them out, to count what its other choices would give. */
export function matches({ item, verdict, change }: ReportItem, filter: ReportFilter, but?: FilterName): boolean {
  const passes: Record<FilterName, boolean> = {
    verdict: filter.verdict === 'all' || verdict === filter.verdict,
    level: filter.level === null || item.level === filter.level,
    category: filter.category === null || item.category === filter.category,
    owner: filter.owner === null || item.owner === filter.owner,
    change: filter.change === null || change === filter.change,
  }
  return Object.entries(passes).every(([name, passed]) => passed || name === but)
}

/** Failed ones first, new before unchanged, then by level, own code and that of unknown owner before SDKs, and by what they cost. */
export function sortedItems(items: readonly ReportItem[]): ReportItem[] {
  const order = (one: ReportItem) => [
    SHOWN_VERDICTS.indexOf(one.verdict),
    one.change === null ? ITEM_CHANGES.length : ITEM_CHANGES.indexOf(one.change),
    RANK[one.item.level],
    one.item.owner === 'sdk' ? 1 : 0,
    -one.points,
  ]
  return items
    .map((one) => ({ one, keys: order(one) }))
    .sort((a, b) => {
      const at = a.keys.findIndex((key, index) => key !== b.keys[index])
      return at < 0 ? (a.one.item.id < b.one.item.id ? -1 : 1) : (a.keys[at] as number) - (b.keys[at] as number)
    })
    .map(({ one }) => one)
}

/** How many items each choice of one filter would show, the other filters kept. */
export function countBy<K extends string>(
  items: readonly ReportItem[],
  filter: ReportFilter,
  but: FilterName,
  keyOf: (one: ReportItem) => K | null,
): ReadonlyMap<K, number> {
  const counts = new Map<K, number>()
  for (const one of items) {
    const key = keyOf(one)
    if (key !== null && matches(one, filter, but)) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}
