import type { Text } from '#contracts/detection/scan-result.ts'
import type { OwnRuleRow } from '#contracts/http/detection/rules.ts'
import type { OwnRule } from '#engines/detect/input/own-rule.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { itemName } from './catalogue.ts'

/** All own rules by name, or the one. */
export async function listOwnRules({ db }: MetaStore, only?: string): Promise<OwnRuleRow[]> {
  let select = db
    .selectFrom('detection_own_rules as rule')
    .leftJoin('users', 'users.id', 'rule.by_user')
    .selectAll('rule')
    .select('users.username')
  if (only !== undefined) select = select.where('rule.id', '=', only)
  const rows = await select.orderBy('rule.name').orderBy('rule.id').execute()
  return rows.map(({ username, by_user: _, ...row }) => ({ ...row, by: username ?? '' }))
}

/** The rules that a strategy asks: enabled ones, all or those that it names. In one order, so that results are too. */
export async function askedOwnRules(meta: MetaStore, items: readonly string[] | null): Promise<OwnRule[]> {
  const rows = await meta.db
    .selectFrom('detection_own_rules')
    .selectAll()
    .where('enabled', '=', true)
    .orderBy('id')
    .execute()
  return rows
    .filter(({ id }) => items === null || items.includes(id))
    .map(({ id, name, level, expression, threat, advice }) => ({
      id,
      name: { zh: name, en: name },
      level,
      expression,
      threat: { zh: threat, en: threat },
      advice: { zh: advice, en: advice },
    }))
}

/** Names of items, own rules among them; its id where nothing knows it any more. */
export async function itemNames(meta: MetaStore): Promise<(id: string) => Text> {
  const own = new Map((await listOwnRules(meta)).map(({ id, name }) => [id, { zh: name, en: name }]))
  return (id) => own.get(id) ?? itemName(id)
}
