import { ProductError } from '#contracts/errors.ts'
import { type Gate, GateSchema, type Strategy, type StrategyRules } from '#contracts/http/detection.ts'
import type { Text } from '#contracts/scan-result.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { CATALOGUE } from './catalogue.ts'

type BuiltIn = { id: string; name: Text; note: Text; rules: StrategyRules }

const gate = (more: Partial<Gate>): Gate => ({ ...GateSchema.parse({}), ...more })
const max = (high: number | null, middle: number | null = null, low: number | null = null) => ({ high, middle, low })
/** Items that need the archive, the manifest and the signature alone. */
const SURFACE = new Set(['manifest', 'component', 'signature'])

/** Strategies that are there from the start; they never change, so that results of the same one can be compared. */
const BUILT_IN: readonly BuiltIn[] = [
  {
    id: 'full',
    name: { zh: '全面检测', en: 'Everything' },
    note: { zh: '全部检测项；没有高危项即通过', en: 'All items; passes without failed high items' },
    rules: { items: null, levels: {}, gate: gate({ max: max(0) }) },
  },
  {
    id: 'release',
    name: { zh: '发布门禁', en: 'Release gate' },
    note: {
      zh: '全部检测项；只看自有代码：没有高危项、中危项不多于 5、评分不低于 70',
      en: 'All items; own code alone: no high items, at most 5 middle ones, a score of 70 or more',
    },
    rules: { items: null, levels: {}, gate: gate({ max: max(0, 5), min_score: 70, own_only: true }) },
  },
  {
    id: 'surface',
    name: { zh: '清单与签名', en: 'Manifest and signature' },
    note: {
      zh: '只看清单、组件与签名；没有高危项即通过',
      en: 'Manifest, components and signature alone; passes without failed high items',
    },
    rules: {
      items: CATALOGUE.items.filter((one) => SURFACE.has(one.category)).map((one) => one.id),
      levels: {},
      gate: gate({ max: max(0) }),
    },
  },
]

export function isBuiltIn(id: string): boolean {
  return BUILT_IN.some((one) => one.id === id)
}

/** All strategies, or the one; with how many tasks used each. */
export async function listStrategies({ db }: MetaStore, only?: string): Promise<Strategy[]> {
  let select = db
    .selectFrom('detection_strategies')
    .leftJoin('users', 'users.id', 'detection_strategies.by_user')
    .selectAll('detection_strategies')
    .select('users.username')
  let count = db.selectFrom('detection_tasks').select(['strategy_id', (eb) => eb.fn.countAll<number>().as('tasks')])
  if (only !== undefined) {
    select = select.where('detection_strategies.id', '=', only)
    count = count.where('strategy_id', '=', only)
  }
  const [rows, counts] = await Promise.all([
    select.orderBy('detection_strategies.name').orderBy('detection_strategies.id').execute(),
    count.groupBy('strategy_id').execute(),
  ])
  const used = new Map(counts.map(({ strategy_id, tasks }) => [strategy_id, Number(tasks)]))
  const all: Strategy[] = [
    ...BUILT_IN.map(({ id, name, note, rules }) => ({
      id,
      name,
      note,
      ...rules,
      built_in: true,
      rev: 0,
      by: '',
      updated_at: 0,
      tasks: used.get(id) ?? 0,
    })),
    ...rows.map((row) => ({
      id: row.id,
      name: { zh: row.name, en: row.name },
      note: { zh: row.note, en: row.note },
      ...row.rules,
      built_in: false,
      rev: row.rev,
      by: row.username ?? '',
      updated_at: row.updated_at,
      tasks: used.get(row.id) ?? 0,
    })),
  ]
  return only === undefined ? all : all.filter(({ id }) => id === only)
}

/** The strategy of that id; throws data.missing. */
export async function findStrategy(meta: MetaStore, id: string): Promise<Strategy> {
  const [found] = await listStrategies(meta, id)
  if (!found) throw new ProductError('data.missing')
  return found
}

/** Items that no rule pack has are refused: a strategy that asks for nothing would pass everything. */
export function checkRules(rules: StrategyRules): void {
  const known = new Set(CATALOGUE.items.map(({ id }) => id))
  const named = [...(rules.items ?? []), ...Object.keys(rules.levels), ...rules.gate.forbidden]
  const unknown = named.find((id) => !known.has(id))
  if (unknown !== undefined) throw new ProductError('input.invalid', { detail: unknown })
}
