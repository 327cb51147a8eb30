import type { Filter, Part } from '#domain/query.ts'
import type { Span } from '#domain/time-range.ts'
import type { EventStore, StoreQuery } from '#storage/events/port.ts'
import { USUAL_DAYS, usualLevel } from './judge.ts'
import { type CountedRule, scopeOfRule } from './rule-row.ts'

const DAY_MS = 86_400_000
/** Values of a split that are looked at: those that count most. */
const MOST_KEYS = 200
/** Imported history raises no alert (decision 17). */
export const LIVE_ONLY: Filter = { field: 'origin', op: 'is', values: ['live'] }

export type Counts = Map<string, number>

/** A question of alerts: by arrival, within the applications of the rule. */
export function alertQuery(
  rule: Pick<CountedRule, 'apps'>,
  filters: readonly Filter[],
  span: Span,
  zone: string,
): StoreQuery {
  return { span, basis: 'received', filters, scope: scopeOfRule(rule), zone }
}

/** What the rule counts in a span, by value of its split ('' without one). */
export async function countSpan(
  store: Pick<EventStore, 'answer'>,
  rule: CountedRule,
  span: Span,
  zone: string,
  and: readonly Filter[] = [LIVE_ONLY],
): Promise<Counts> {
  const { measure, by_field: by } = rule
  const query = alertQuery(rule, [...rule.filters, ...and], span, zone)
  const part: Part = by
    ? { kind: 'top', by, measures: [measure], limit: MOST_KEYS, and: [] }
    : { kind: 'total', measures: [measure], and: [] }
  const answer = await store.answer(query, part)
  if (answer.kind === 'top') return new Map(answer.groups.map(({ key, row }) => [key, row[measure] ?? 0]))
  return new Map([['', answer.kind === 'total' ? (answer.row[measure] ?? 0) : 0]])
}

export type Usual = { level(key: string): number | undefined; keys: readonly string[] }

/**
 * The usual level of a window: the median of the same window on the past 7 days, imported history included. A day on which the rule's
 * applications sent no event at all in that window does not count.
 */
export async function usualOf(
  store: Pick<EventStore, 'answer'>,
  rule: CountedRule,
  span: Span,
  zone: string,
): Promise<Usual> {
  const apps = rule.filters.filter(({ field }) => field === 'app')
  const days: { counts: Counts; reported: boolean }[] = []
  for (let day = 1; day <= USUAL_DAYS; day++) {
    const then = { from: span.from - day * DAY_MS, to: span.to - day * DAY_MS }
    const counts = await countSpan(store, rule, then, zone, [])
    const some = [...counts.values()].some((count) => count > 0)
    days.push({ counts, reported: some || (await anyEvent(store, rule, apps, then, zone)) })
  }
  return {
    keys: [...new Set(days.flatMap(({ counts }) => [...counts.keys()]))],
    level: (key) => usualLevel(days.map(({ counts, reported }) => (reported ? (counts.get(key) ?? 0) : null))),
  }
}

async function anyEvent(
  store: Pick<EventStore, 'answer'>,
  rule: CountedRule,
  apps: readonly Filter[],
  span: Span,
  zone: string,
): Promise<boolean> {
  const answer = await store.answer(alertQuery(rule, apps, span, zone), {
    kind: 'total',
    measures: ['events'],
    and: [],
  })
  return answer.kind === 'total' && (answer.row.events ?? 0) > 0
}
