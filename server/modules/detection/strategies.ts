import { ProductError } from '#contracts/errors.ts'
import type { Strategy, StrategyRules } from '#contracts/http/detection/tasks.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { BUILT_IN_STRATEGIES } from './built-in-strategies.ts'
import { CATALOGUE } from './catalogue.ts'
import { listOwnRules } from './own-rules.ts'

export function isBuiltIn(id: string): boolean {
  return BUILT_IN_STRATEGIES.some((one) => one.id === id)
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
    ...BUILT_IN_STRATEGIES.map(({ id, name, note, rules }) => ({
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

/** Items that neither a rule pack nor an own rule has are refused: a strategy that asks for nothing would pass everything. */
export async function checkRules(meta: MetaStore, rules: StrategyRules): Promise<void> {
  const own = await listOwnRules(meta)
  const known = new Set([...CATALOGUE.items, ...own].map(({ id }) => id))
  const named = [...(rules.items ?? []), ...Object.keys(rules.levels), ...rules.gate.forbidden]
  const unknown = named.find((id) => !known.has(id))
  if (unknown !== undefined) throw new ProductError('input.invalid', { detail: unknown })
}
