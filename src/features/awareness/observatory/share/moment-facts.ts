import type { Filter } from '#domain/query.ts'
import { LEVELS, LEVELS_BY_SEVERITY } from '#domain/vocabulary.ts'
import { formatExact } from '../../../../shared/format/number.ts'
import { formatDateTime } from '../../../../shared/format/time.ts'
import type { WallView } from '../../../../shared/live/wall-view.ts'
import type { WallContext } from '../wall-context.ts'
import type { MomentFacts } from './moment-picture.ts'

/** The words and numbers of a shared picture. `notes` stand at its foot, behind time and zone. */
export function momentFacts(
  view: Pick<WallView, 'totals' | 'at' | 'counters' | 'tops'>,
  { t, language, zone, nameOf }: Pick<WallContext, 't' | 'language' | 'zone' | 'nameOf'>,
  named: { product: string; view: string; title: string; filters: readonly Filter[]; notes: readonly string[] },
): MomentFacts {
  const { levels, attacksToday, blockedToday } = view.counters
  const number = (count: number) => (view.totals.kind === 'awaited' ? '–' : formatExact(count))
  // Totals of an earlier moment are named by it.
  const at = view.totals.kind === 'remembered' ? view.totals.at : view.at
  return {
    product: named.product,
    view: named.view,
    title: named.title,
    number: number(attacksToday),
    lines: [
      `${t('blocked')} ${number(blockedToday)} · ${t('observed')} ${number(attacksToday - blockedToday)}`,
      ...named.filters.map(
        ({ field, op, values }) =>
          `${op === 'not' ? `${t('exclude')} ` : ''}${values.map((one) => nameOf(field, one)).join(' / ')}`,
      ),
    ],
    levels: LEVELS_BY_SEVERITY.map((level) => ({ level, name: LEVELS[level][language], count: number(levels[level]) })),
    lists: [
      { title: t('riskTypes'), field: 'risk' as const, list: view.tops.risk },
      { title: t('places'), field: 'province' as const, list: view.tops.province },
    ].map(({ title, field, list }) => ({
      title,
      rows: list.rows.slice(0, 5).map(([key, count]) => [nameOf(field, key), number(count)] as const),
    })),
    foot: [formatDateTime(at, zone, 'second'), zone, ...named.notes].filter(Boolean).join('  ·  '),
  }
}
