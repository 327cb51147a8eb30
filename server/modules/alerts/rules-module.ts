import { randomUUID } from 'node:crypto'
import { ProductError } from '#contracts/errors.ts'
import {
  alertRules,
  deleteAlertRule,
  previewAlertRule,
  saveAlertRule,
  silenceAlertRule,
} from '#contracts/http/alerts.ts'
import { PERMISSION_ITEMS } from '#contracts/permissions.ts'
import { isRunMeasure, mayRead, type Rule, type RuleInput, RuleInputSchema } from '#domain/alerts.ts'
import type { Caller, Module, ServerDeps } from '../../http/module.ts'
import { refuseAddress } from '../../query/personal.ts'
import { maySee } from './channel-access.ts'
import { endAlertsOf } from './end-alerts.ts'
import { previewRule } from './preview-rule.ts'
import { previewRuns } from './preview-runs.ts'
import { type CountedRule, type RuleRow, sees } from './rule-row.ts'

const MOST_RULES = 200
const MOST_SILENCE_MS = 30 * 86_400_000

/** Rules of alerts: list, change, preview, silence. A rule is seen and changed by those who may see all of its applications. */
export const rulesModule: Module = (mount, deps) => {
  const { db } = deps.meta

  mount(alertRules, async ({ caller }) => {
    const rows = await db
      .selectFrom('alert_rules')
      .selectAll()
      .where('deleted_at', 'is', null)
      .orderBy('name')
      .execute()
    const seen = rows.filter((row) => sees(caller.scope, row.apps) && mayRead(caller.auth, row.measure))
    return { data: await tellRules(deps, seen) }
  })

  mount(saveAlertRule, async ({ body, caller, audit }) => {
    const { apps } = checkRule(body.rule, caller)
    const before = body.id === undefined ? undefined : await seenRule(deps, body.id, caller)
    await checkChannels(deps, caller, body.rule.channels, before?.channels ?? [])
    const values = {
      name: body.rule.name,
      measure: body.rule.measure,
      filters: JSON.stringify(body.rule.filters),
      by_field: body.rule.by,
      time_window: body.rule.window,
      condition: JSON.stringify(body.rule.condition),
      severity: body.rule.severity,
      cooldown_minutes: body.rule.cooldown_minutes,
      enabled: body.rule.enabled,
      apps,
      channels: [...new Set(body.rule.channels)],
      updated_by: caller.username,
      updated_at: deps.now(),
    }
    const id = body.id ?? randomUUID()
    if (!before) {
      const { count } = await db
        .selectFrom('alert_rules')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow()
      if (count >= MOST_RULES) throw new ProductError('quota.reached', { detail: String(MOST_RULES) })
      await db
        .insertInto('alert_rules')
        .values({ id, version: 1, created_by: caller.username, deleted_at: null, ...values })
        .execute()
    } else {
      const wanted = body.version ?? before.version
      await db.transaction().execute(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('alert_rules')
          .set({ ...values, version: wanted + 1 })
          .where('id', '=', id)
          .where('version', '=', wanted)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) throw new ProductError('data.conflict')
        // What it says now holds for windows that end from now on.
        await tx.deleteFrom('alert_progress').where('rule_id', '=', id).execute()
        // Its alerts are about windows that it no longer has.
        const isOther = isRunMeasure(before.measure) !== isRunMeasure(body.rule.measure)
        if (isOther || !body.rule.enabled) await endAlertsOf(tx, id, deps.now())
      })
    }
    audit(`alert rule ${body.rule.name}`, JSON.stringify(body.rule))
    return { data: await ruleAnswer(deps, id, caller) }
  })

  mount(deleteAlertRule, async ({ body, caller, audit }) => {
    const found = await seenRule(deps, body.id, caller)
    await db.transaction().execute(async (tx) => {
      await tx
        .updateTable('alert_rules')
        .set({ deleted_at: deps.now(), enabled: false })
        .where('id', '=', found.id)
        .execute()
      await endAlertsOf(tx, found.id, deps.now())
    })
    audit(`alert rule ${found.name}`)
    return {}
  })

  mount(previewAlertRule, async ({ body, caller }) => {
    const { apps } = checkRule(body.rule, caller)
    const { measure, window, filters, by, condition, cooldown_minutes } = body.rule
    if (isRunMeasure(measure))
      return { data: await previewRuns(deps.meta, { measure, apps, condition, cooldown_minutes }, deps.now()) }
    if (window === 'run') throw new ProductError('input.invalid', { detail: 'window' })
    const counted: CountedRule = { measure, by_field: by, time_window: window, apps, filters, condition }
    return { data: await previewRule(deps.store, { ...counted, cooldown_minutes }, deps.now(), deps.settings().zone) }
  })

  mount(silenceAlertRule, async ({ body, caller, audit }) => {
    const found = await seenRule(deps, body.rule, caller)
    const now = deps.now()
    if (body.until !== null && (body.until <= now || body.until > now + MOST_SILENCE_MS))
      throw new ProductError('input.invalid', { detail: 'until' })
    if (body.key !== null && found.by_field === null) throw new ProductError('input.invalid', { detail: 'key' })
    await db.transaction().execute(async (tx) => {
      await tx
        .updateTable('alert_silences')
        .set({ until: now })
        .where('rule_id', '=', found.id)
        .where('until', '>', now)
        .where('key', body.key === null ? 'is' : '=', body.key)
        .execute()
      if (body.until !== null)
        await tx
          .insertInto('alert_silences')
          .values({
            id: randomUUID(),
            rule_id: found.id,
            key: body.key,
            until: body.until,
            note: body.note,
            by_user: caller.username,
            created_at: now,
          })
          .execute()
    })
    const what = body.key === null ? found.name : `${found.name} / ${body.key}`
    audit(
      `alert rule ${what}`,
      body.until === null ? 'silence ended' : `silent until ${new Date(body.until).toISOString()}`,
    )
    return { data: await ruleAnswer(deps, found.id, caller) }
  })
}

/** The rule if the caller may see it; one that he may not see does not exist for him. */
async function seenRule(deps: ServerDeps, id: string, caller: Caller): Promise<RuleRow> {
  const row = await deps.meta.db
    .selectFrom('alert_rules')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row || !sees(caller.scope, row.apps) || !mayRead(caller.auth, row.measure))
    throw new ProductError('data.missing')
  return row
}

async function ruleAnswer(deps: ServerDeps, id: string, caller: Caller): Promise<Rule> {
  const [answer] = await tellRules(deps, [await seenRule(deps, id, caller)])
  return answer as Rule
}

/** The applications of a sound rule, fixed: those that its filter names, else all that its editor may see. */
function checkRule(rule: RuleInput, caller: Caller): { apps: number[] | null } {
  refuseAddress(caller, rule.filters)
  const refuse = (detail: string) => {
    throw new ProductError('input.invalid', { detail })
  }
  if (rule.filters.some(({ field }) => field === 'origin' || field === 'address')) refuse('filters')
  // A value of which nothing came is not in the answer: only the whole can be found missing.
  if (rule.by && rule.condition.kind === 'threshold' && rule.condition.op === 'below') refuse('by')
  if (!mayRead(caller.auth, rule.measure))
    throw new ProductError('permission.missing', { permission: PERMISSION_ITEMS['monitor.view'][caller.language] })
  if (isRunMeasure(rule.measure)) {
    if (rule.by !== 'app') refuse('by')
    if (rule.condition.kind !== 'threshold' || rule.condition.op !== 'at_least') refuse('condition')
    if (rule.filters.some(({ field, op }) => field !== 'app' || op !== 'is')) refuse('filters')
  }
  if ((rule.window === 'run') !== isRunMeasure(rule.measure)) refuse('window')
  const named = rule.filters.filter(({ field, op }) => field === 'app' && op === 'is').flatMap(({ values }) => values)
  const { apps: mine } = caller.scope
  const ids = named.length > 0 ? [...new Set(named)] : mine === 'all' ? null : mine.map(String)
  if (ids?.some((id) => !/^\d{1,9}$/.test(id) || (mine !== 'all' && !mine.includes(Number(id))))) refuse('app')
  if (ids && (ids.length === 0 || ids.length > 50)) refuse('app: 1 to 50')
  return { apps: ids?.map(Number) ?? null }
}

/** A rule may name channels that its editor can use, and those that it named before. Throws input.invalid. */
async function checkChannels(
  deps: ServerDeps,
  caller: Caller,
  ids: readonly string[],
  before: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const rows = await deps.meta.db
    .selectFrom('alert_channels')
    .select(['id', 'owner_id', 'shared'])
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute()
  const usable = rows.filter((row) => before.includes(row.id) || maySee(caller, row))
  if (usable.length !== new Set(ids).size) throw new ProductError('input.invalid', { detail: 'channels' })
}

async function tellRules(deps: ServerDeps, rows: readonly RuleRow[]): Promise<Rule[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const [silences, firing] = await Promise.all([
    deps.meta.db
      .selectFrom('alert_silences')
      .selectAll()
      .where('rule_id', 'in', ids)
      .where('until', '>', deps.now())
      .orderBy('until')
      .execute(),
    deps.meta.db
      .selectFrom('alerts')
      .select(['rule_id', ({ fn }) => fn.countAll<number>().as('count')])
      .where('rule_id', 'in', ids)
      .where('resolved_at', 'is', null)
      .groupBy('rule_id')
      .execute(),
  ])
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    measure: row.measure,
    filters: row.filters,
    by: RuleInputSchema.shape.by.parse(row.by_field),
    window: row.time_window,
    condition: row.condition,
    severity: row.severity,
    cooldown_minutes: row.cooldown_minutes,
    enabled: row.enabled,
    channels: row.channels,
    apps: row.apps?.map(String) ?? null,
    version: row.version,
    created_by: row.created_by,
    updated_by: row.updated_by,
    updated_at: row.updated_at,
    firing: firing.find((one) => one.rule_id === row.id)?.count ?? 0,
    silences: silences
      .filter((one) => one.rule_id === row.id)
      .map(({ id, key, until, note, by_user }) => ({ id, key, until, note, by: by_user })),
  }))
}
