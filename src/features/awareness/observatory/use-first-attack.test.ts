import { expect, test } from 'vitest'
import type { EventRow } from '#domain/query.ts'
import { emptyView, type WallView } from '../../../shared/live/wall-view.ts'
import { createFirstAttackWatch } from './use-first-attack.ts'

const attack = { id: 'e1' } as EventRow
function view(kind: 'whole' | 'awaited', attacks = 0, feed: EventRow[] = []): WallView {
  const one = emptyView('live', 0)
  return { ...one, totals: { kind }, counters: { ...one.counters, attacksToday: attacks }, feed }
}

test('[OBS-01] the first attack on an empty wall is announced once', () => {
  const watch = createFirstAttackWatch()
  expect([view('awaited'), view('whole'), view('whole', 1, [attack]), view('whole', 2, [attack])].map(watch)).toEqual([
    null,
    null,
    attack,
    null,
  ])
})

test('[OBS-01] filters that had attacks before announce none after filters without any', () => {
  const watch = createFirstAttackWatch()
  expect([view('whole'), view('awaited'), view('whole', 900, [attack])].map(watch)).toEqual([null, null, null])
})
