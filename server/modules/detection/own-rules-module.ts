import { randomUUID } from 'node:crypto'
import { ProductError } from '#contracts/errors.ts'
import { deleteOwnRule, ownRules, saveOwnRule, tryOwnRule } from '#contracts/http/detection/rules.ts'
import { QUESTIONS } from '#engines/detect/own-rules/rule-syntax.ts'
import { checkRule } from '#engines/detect/try-own-rule.ts'
import type { Module } from '../../http/module.ts'
import { findFiles } from './create-tasks.ts'
import { listOwnRules } from './own-rules.ts'
import { tryRule } from './try-rule.ts'

const MOST_RULES = 200

/** Own rules: kept, changed, and tried on a package before they count. */
export const ownRulesModule: Module = (mount, deps) => {
  const { meta } = deps
  const { db } = meta
  let trials = 0

  mount(ownRules, async () => ({
    data: await listOwnRules(meta),
    questions: QUESTIONS.map(({ name, least, about }) => ({ name, least, about })),
  }))

  mount(saveOwnRule, async ({ body, caller, audit }) => {
    const { id: known, rev, ...fields } = body
    audit(`rule ${fields.name}`, fields.expression.slice(0, 300))
    const wrong = checkRule(fields.expression)
    if (wrong) {
      const detail = `${wrong.position}: ${wrong.text[caller.language]}`
      throw new ProductError('input.invalid', { detail }, { field: 'expression', position: wrong.position })
    }
    const id = known ?? `own-${randomUUID()}`
    const values = { ...fields, by_user: caller.userId, updated_at: deps.now() }
    const [found] = await listOwnRules(meta, id)
    if (known === undefined) {
      if ((await listOwnRules(meta)).length >= MOST_RULES)
        throw new ProductError('quota.reached', { detail: String(MOST_RULES) })
      await db
        .insertInto('detection_own_rules')
        .values({ id, rev: 1, ...values })
        .execute()
    } else {
      if (!found) throw new ProductError('data.missing')
      const wanted = rev ?? found.rev
      const { numUpdatedRows } = await db
        .updateTable('detection_own_rules')
        .set({ ...values, rev: wanted + 1 })
        .where('id', '=', id)
        .where('rev', '=', wanted)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw new ProductError('data.conflict')
    }
    const [row] = await listOwnRules(meta, id)
    if (!row) throw new ProductError('data.missing') // deleted in between
    return { data: row }
  })

  mount(deleteOwnRule, async ({ body, audit }) => {
    const [found] = await listOwnRules(meta, body.id)
    if (!found) throw new ProductError('data.missing')
    audit(`rule ${found.name}`, found.expression.slice(0, 300))
    await db.deleteFrom('detection_own_rules').where('id', '=', body.id).execute()
    return {}
  })

  mount(tryOwnRule, async ({ body, caller }) => {
    const wrong = checkRule(body.expression)
    if (wrong || body.file === undefined) return { data: wrong }
    const [file] = await findFiles(deps, caller, [body.file])
    if (!file) throw new ProductError('data.missing')
    // One at a time: this is the process that answers everybody.
    if (trials > 0) throw new ProductError('request.rate')
    trials++
    try {
      return { data: await tryRule(deps, body.expression, file) }
    } finally {
      trials--
    }
  })
}
