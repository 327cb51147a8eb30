import { randomUUID } from 'node:crypto'
import { ProductError } from '#contracts/errors.ts'
import { archivePolicy, createPolicy, policyDetail, policyList, savePolicy } from '#contracts/http/policies.ts'
import { canonicalRules, changedRules, POLICY_STARTS, type PolicyRules } from '#domain/policy-rules.ts'
import type { Caller, Module } from '../../http/module.ts'
import { findApplication, listApplications } from '../applications/application-access.ts'
import { findPolicy, listPolicies, readPolicy } from './policy-rows.ts'

/** Policies of one application, archived ones included. */
const MOST = 100

/** Policies as they are written: list, draft, copy, archive. What was deployed never changes. */
export const policiesModule: Module = (mount, deps) => {
  const { meta } = deps
  const { db } = meta

  mount(policyList, async ({ query, caller }) => {
    const apps = query.appid
      ? [(await findApplication(meta, caller, query.appid)).id]
      : (await listApplications(meta, caller)).map((one) => Number(one.id))
    return { data: await listPolicies(meta, apps) }
  })

  mount(policyDetail, async ({ query, caller }) => {
    const { id } = await findPolicy(meta, caller, query.id)
    return { data: await readPolicy(meta, id) }
  })

  mount(createPolicy, async ({ body, caller, audit }) => {
    const application = await findApplication(meta, caller, body.appid)
    const rules = body.copy ? await rulesOf(caller, body.copy) : { levels: POLICY_STARTS[body.start], risks: {} }
    audit(
      body.name,
      `${application.name}, ${body.copy ? `copy of ${body.copy.id} ${body.copy.version ?? 'draft'}` : body.start}`,
    )
    const { count } = await db
      .selectFrom('policies')
      .select((one) => one.fn.countAll<number>().as('count'))
      .where('application_id', '=', application.id)
      .executeTakeFirstOrThrow()
    if (Number(count) >= MOST) throw new ProductError('quota.reached', { detail: `${MOST}` })
    const now = deps.now()
    const id = randomUUID()
    await db
      .insertInto('policies')
      .values({
        id,
        application_id: application.id,
        name: body.name,
        draft: JSON.stringify(canonicalRules(rules)),
        rev: 1,
        archived_at: null,
        created_at: now,
        updated_at: now,
        updated_by: caller.userId,
      })
      .execute()
    return { data: await readPolicy(meta, id) }
  })

  mount(savePolicy, async ({ body, caller, audit }) => {
    const before = await findPolicy(meta, caller, body.id)
    const changes = body.rules ? changedRules(before.draft, body.rules) : []
    const renamed = body.name !== undefined && body.name !== before.name ? [`name ${before.name} > ${body.name}`] : []
    const ruleChanges = changes.map(({ risk, from, to, words }) => `${risk} ${from} > ${to}${words ? ' words' : ''}`)
    audit(before.name, [...renamed, ...ruleChanges].join(', '))
    const { numUpdatedRows } = await db
      .updateTable('policies')
      .set({
        rev: body.rev + 1,
        updated_at: deps.now(),
        updated_by: caller.userId,
        ...(body.name !== undefined && { name: body.name }),
        ...(body.rules && { draft: JSON.stringify(canonicalRules(body.rules)) }),
      })
      .where('id', '=', body.id)
      .where('rev', '=', body.rev)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new ProductError('data.conflict')
    return { data: await readPolicy(meta, body.id) }
  })

  mount(archivePolicy, async ({ body, caller, audit }) => {
    const policy = await findPolicy(meta, caller, body.id)
    audit(policy.name, body.archived ? 'archived' : 'taken back')
    if (body.archived) {
      const [summary] = (await listPolicies(meta, [policy.application_id])).filter(({ id }) => id === policy.id)
      if (summary?.live.length) throw new ProductError('policy.deployed')
    }
    await db
      .updateTable('policies')
      .set({ archived_at: body.archived ? deps.now() : null })
      .where('id', '=', policy.id)
      .execute()
    return {}
  })

  /** What another policy's draft or version says. */
  async function rulesOf(caller: Caller, from: { id: string; version?: number | undefined }): Promise<PolicyRules> {
    const policy = await findPolicy(meta, caller, from.id)
    if (from.version === undefined) return policy.draft
    const row = await db
      .selectFrom('policy_versions')
      .select('rules')
      .where('policy_id', '=', policy.id)
      .where('version', '=', from.version)
      .executeTakeFirst()
    if (!row) throw new ProductError('data.missing')
    return row.rules
  }
}
