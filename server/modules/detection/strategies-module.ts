import { randomUUID } from 'node:crypto'
import { ProductError } from '#contracts/errors.ts'
import {
  deleteStrategy,
  detectionItem,
  detectionItems,
  detectionOffers,
  saveDetectionOffers,
  saveStrategy,
  strategies,
} from '#contracts/http/detection/tasks.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Module } from '../../http/module.ts'
import { CATALOGUE } from './catalogue.ts'
import { readOffers, writeOffers } from './offers.ts'
import { listOwnRules } from './own-rules.ts'
import { checkRules, findStrategy, isBuiltIn, listStrategies } from './strategies.ts'

/** What is looked for: the catalogue, strategies over it, and which kinds are offered. */
export const strategiesModule: Module = (mount, { meta, now }) => {
  const { db } = meta

  mount(detectionItems, async () => ({
    version: CATALOGUE.version,
    data: (await allItems(meta)).map(({ id, platform, category, level, confidence, name }) => ({
      id,
      platform,
      category,
      level,
      confidence,
      name,
    })),
  }))

  mount(detectionItem, async ({ query }) => {
    const found = (await allItems(meta)).find(({ id }) => id === query.id)
    if (!found) throw new ProductError('data.missing')
    return { data: found }
  })

  mount(detectionOffers, async () => ({ data: await readOffers(meta) }))
  mount(saveDetectionOffers, async ({ body, audit }) => {
    audit('detection offers', body.data.map((one) => `${one.package_kind} ${one.application_type ?? ''}`).join(', '))
    await writeOffers(meta, body.data)
    return { data: await readOffers(meta) }
  })

  mount(strategies, async () => ({ data: await listStrategies(meta) }))

  mount(saveStrategy, async ({ body, caller, audit }) => {
    const { items, levels, gate } = body
    audit(`strategy ${body.name}`, body.id ? 'changed' : 'created')
    await checkRules(meta, { items, levels, gate })
    const id = body.id ?? randomUUID()
    const values = {
      name: body.name,
      note: body.note,
      rules: JSON.stringify({ items: items && [...new Set(items)], levels, gate }),
      by_user: caller.userId,
      updated_at: now(),
    }
    if (body.id === undefined) {
      await db
        .insertInto('detection_strategies')
        .values({ id, rev: 1, ...values })
        .execute()
    } else {
      if (isBuiltIn(id)) throw new ProductError('input.invalid', { detail: 'id' })
      const found = await findStrategy(meta, id)
      const wanted = body.rev ?? found.rev
      const { numUpdatedRows } = await db
        .updateTable('detection_strategies')
        .set({ ...values, rev: wanted + 1 })
        .where('id', '=', id)
        .where('rev', '=', wanted)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw new ProductError('data.conflict')
    }
    return { data: await findStrategy(meta, id) }
  })

  mount(deleteStrategy, async ({ body, audit }) => {
    if (isBuiltIn(body.id)) throw new ProductError('input.invalid', { detail: 'id' })
    const found = await findStrategy(meta, body.id)
    audit(`strategy ${found.name.en}`)
    await db.deleteFrom('detection_strategies').where('id', '=', body.id).execute()
    return {}
  })
}

/** Of the rule packs in their order, then own rules. */
async function allItems(meta: MetaStore) {
  const own = (await listOwnRules(meta)).map((rule) => ({
    id: rule.id,
    platform: 'android' as const,
    category: 'own',
    level: rule.level,
    confidence: 'medium' as const,
    name: { zh: rule.name, en: rule.name },
    threat: { zh: rule.threat, en: rule.threat },
    advice: { zh: rule.advice, en: rule.advice },
    detection: rule.expression,
    must_not_trigger: '',
    references: {},
  }))
  return [...CATALOGUE.items, ...own]
}
