import type { FindingLevel } from '#contracts/detection/kinds.ts'
import type { DetectionItem, Gate, Strategy, StrategyRules } from '#contracts/http/detection/tasks.ts'

/** A strategy while it is edited: numbers are texts, as they are typed. */
export type StrategyDraft = {
  name: string
  note: string
  items: ReadonlySet<string> | null
  levels: Readonly<Record<string, FindingLevel>>
  minScore: string
  max: Readonly<Record<'high' | 'middle' | 'low', string>>
  forbidden: ReadonlySet<string>
  ownOnly: boolean
  needAssessed: boolean
  needSignature: boolean
}

const text = (value: number | null) => (value === null ? '' : String(value))

export function draftOf(
  strategy: Pick<Strategy, 'items' | 'levels' | 'gate'>,
  name: string,
  note: string,
): StrategyDraft {
  const { gate } = strategy
  return {
    name,
    note,
    items: strategy.items === null ? null : new Set(strategy.items),
    levels: strategy.levels,
    minScore: text(gate.min_score),
    max: { high: text(gate.max.high), middle: text(gate.max.middle), low: text(gate.max.low) },
    forbidden: new Set(gate.forbidden),
    ownOnly: gate.own_only,
    needAssessed: gate.need_assessed,
    needSignature: gate.need_signature,
  }
}

/** A whole number from 0 to `most`, null where nothing was typed, or undefined where it is no such number. */
export function limitOf(typed: string, most: number): number | null | undefined {
  const value = typed.trim()
  if (value === '') return null
  const number = Number(value)
  return /^\d{1,6}$/.test(value) && number <= most ? number : undefined
}

export const DRAFT_LIMITS = { score: 100, items: 1000 } as const

/** The request body; undefined while a number is invalid or nothing is chosen. Items go in the order of the rule pack. */
export function rulesOf(draft: StrategyDraft, items: readonly DetectionItem[]): StrategyRules | undefined {
  const minScore = limitOf(draft.minScore, DRAFT_LIMITS.score)
  const [high, middle, low] = [draft.max.high, draft.max.middle, draft.max.low].map((one) =>
    limitOf(one, DRAFT_LIMITS.items),
  )
  if (minScore === undefined || high === undefined || middle === undefined || low === undefined) return undefined
  const chosen = draft.items
  if (chosen !== null && chosen.size === 0) return undefined
  const known = items.map((one) => one.id)
  const gate: Gate = {
    min_score: minScore,
    max: { high, middle, low },
    forbidden: known.filter((id) => draft.forbidden.has(id) && (chosen === null || chosen.has(id))),
    own_only: draft.ownOnly,
    need_assessed: draft.needAssessed,
    need_signature: draft.needSignature,
  }
  return { items: chosen === null ? null : known.filter((id) => chosen.has(id)), levels: draft.levels, gate }
}

/** The items of one category, as the tree shows them. */
type ItemGroup = { category: string; items: readonly DetectionItem[] }

/** Items by category in the order of the rule pack, narrowed by platform and words of name or id. */
export function itemGroups(
  items: readonly DetectionItem[],
  { platform, find }: { platform: 'android' | 'ios'; find: string },
): ItemGroup[] {
  const words = find.trim().toLowerCase()
  const groups = new Map<string, DetectionItem[]>()
  for (const item of items) {
    if (item.platform !== platform) continue
    const texts = [item.id, item.name.zh, item.name.en]
    if (words !== '' && !texts.some((one) => one.toLowerCase().includes(words))) continue
    const group = groups.get(item.category)
    if (group) group.push(item)
    else groups.set(item.category, [item])
  }
  return [...groups].map(([category, list]) => ({ category, items: list }))
}
