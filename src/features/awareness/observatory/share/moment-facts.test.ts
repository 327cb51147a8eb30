import { expect, test } from 'vitest'
import { translate } from '../../../../shared/i18n/texts.ts'
import { emptyView, type WallView } from '../../../../shared/live/wall-view.ts'
import { mapsTexts } from '../texts.ts'
import type { WallContext } from '../wall-context.ts'
import { momentFacts } from './moment-facts.ts'

const NOON = Date.UTC(2026, 5, 1, 12)
const context = {
  t: ((key, params) => translate(mapsTexts, key, params)) as WallContext['t'],
  language: 'en' as const,
  zone: 'UTC',
  nameOf: (_field: string, key: string) => key,
}
const named = { product: 'AppWarden', view: 'Wall', title: 'Attacks today', filters: [], notes: ['DEMO', ''] }
function facts(totals: WallView['totals'], attacks: number) {
  const view = emptyView('live', NOON)
  return momentFacts(
    { ...view, totals, counters: { ...view.counters, attacksToday: attacks, blockedToday: 300 } },
    context,
    named,
  )
}

test('[OBS-01] a shared picture without totals says no number, not 0', () => {
  const { number, lines, levels } = facts({ kind: 'awaited' }, 0)
  expect([number, ...lines, ...levels.map(({ count }) => count)].join(' ')).not.toMatch(/\d/)
})

test('[OBS-01] a shared picture with totals of an earlier moment shows that time', () => {
  const remembered = facts({ kind: 'remembered', at: NOON - 3_600_000 }, 1200)
  expect(remembered.number).toBe('1,200')
  expect(remembered.foot).toContain('11:00:00')
  expect(facts({ kind: 'whole' }, 1200).foot).toMatch(/12:00:00.*UTC.*DEMO$/)
})
