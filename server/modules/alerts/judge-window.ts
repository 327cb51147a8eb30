import type { Span } from '#domain/time-range.ts'
import type { EventStore } from '#storage/events/port.ts'
import { countSpan, type Usual, usualOf } from './count-window.ts'
import { breaches, expectedOf } from './judge.ts'
import type { CountedRule } from './rule-row.ts'

/** A value of the split whose window breached. */
export type Hit = { key: string; value: number; expected: number; usual: number | null }

/** Judges one window of a rule over stored rows. `usual` keeps what was worked out for a window: its past does not change. */
export async function judgeWindow(
  store: Pick<EventStore, 'answer'>,
  rule: CountedRule,
  span: Span,
  zone: string,
  usual: (work: () => Promise<Usual>) => Promise<Usual> = (work) => work(),
): Promise<Hit[]> {
  const { condition } = rule
  const counts = await countSpan(store, rule, span, zone)
  const past = condition.kind === 'change' ? await usual(() => usualOf(store, rule, span, zone)) : undefined
  const keys = new Set([...counts.keys(), ...(past?.keys ?? [])])
  const hits: Hit[] = []
  for (const key of keys) {
    const value = counts.get(key) ?? 0
    const level = past?.level(key)
    const expected = expectedOf(condition, level)
    if (expected !== undefined && breaches(condition, value, expected))
      hits.push({ key, value, expected, usual: level ?? null })
  }
  return hits
}
