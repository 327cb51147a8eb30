import { randomUUID } from 'node:crypto'
import { APPLICATION_TYPES } from '#contracts/detection/kinds.ts'
import { ProductError } from '#contracts/errors.ts'
import {
  createReinforcePolicy,
  deleteReinforcePolicy,
  exportReinforcePolicy,
  importReinforcePolicy,
  type ReinforcePolicy,
  reinforcePolicies,
  reinforcePolicy,
  reinforcePolicyFormat,
  saveReinforcePolicy,
} from '#contracts/http/reinforce-policies.ts'
import { missingSettings, type ReinforceOptions } from '#domain/reinforce-policy.ts'
import { templateOptions } from '#domain/reinforce-templates.ts'
import type { Caller, Module } from '../../http/module.ts'
import { changesBetween } from '../../platform/audit/audit-changes.ts'
import { findApplication, managesAll } from '../applications/application-access.ts'
import { attachment } from '../jobs/attachment-name.ts'
import { findSignature } from '../reinforce-signatures/signature-rows.ts'
import { policyFile, policyFileFormat, readPolicyFile } from './policy-file.ts'
import { findPolicy, listPolicies, mayManage, toPolicy } from './policy-rows.ts'

/** Policies of all accounts. */
const MOST = 1000

/** Policies of reinforcement: templates, options, signature, files. */
export const reinforcePoliciesModule: Module = (mount, deps) => {
  const { meta } = deps
  const { db } = meta

  mount(reinforcePolicies, async ({ query, caller }) => {
    const application = query.appid ? (await findApplication(meta, caller, query.appid)).id : undefined
    return { data: await listPolicies(meta, caller, application) }
  })

  mount(reinforcePolicy, async ({ query, caller }) => ({
    data: toPolicy(caller, await findPolicy(meta, caller, query.id)),
  }))

  mount(createReinforcePolicy, async ({ body, caller, audit }) => {
    const source = body.copy === undefined ? undefined : toPolicy(caller, await findPolicy(meta, caller, body.copy))
    audit(body.name, source ? `copy of ${source.name}` : body.template)
    if (body.name === '') throw new ProductError('reinforce.required', {}, { field: 'name' })
    const data = await insert(caller, {
      name: body.name,
      appid: body.appid,
      industry: source?.industry ?? body.template,
      options: source?.options ?? templateOptions(body.template),
      keep_rules: source?.keep_rules ?? '',
      signature_id: source?.signature_id ?? null,
      schemes: source?.schemes ?? ['v1', 'v2', 'v3'],
    })
    return { data }
  })

  mount(importReinforcePolicy, async ({ body, caller, audit }) => {
    const file = readPolicyFile(body.text)
    audit(file.name)
    const industry = Object.hasOwn(APPLICATION_TYPES, file.industry)
      ? (file.industry as keyof typeof APPLICATION_TYPES)
      : ''
    const data = await insert(caller, {
      name: file.name,
      appid: body.appid,
      industry,
      options: file.options,
      keep_rules: file.keep_rules,
      signature_id: null,
      schemes: ['v1', 'v2', 'v3'],
    })
    return { data }
  })

  mount(saveReinforcePolicy, async ({ body, caller, audit }) => {
    const row = await findPolicy(meta, caller, body.id)
    audit(row.name)
    if (!mayManage(caller, row)) throw new ProductError('reinforce.not_yours')
    if (body.name === '') throw new ProductError('reinforce.required', {}, { field: 'name' })
    const [missing] = missingSettings(body.options)
    if (missing) {
      const field = `${missing.option}.${missing.field}`
      throw new ProductError(missing.wrong ? 'reinforce.address' : 'reinforce.required', {}, { field })
    }
    // Neither may he hand over a policy to people that it was not for.
    if (body.general !== row.general && !managesAll(caller)) throw new ProductError('reinforce.general')
    const application = body.appid === null ? null : (await findApplication(meta, caller, body.appid)).id
    const signature = body.signature_id === undefined ? row.signature_id : body.signature_id
    if (signature !== null && signature !== row.signature_id) await findSignature(meta, caller, signature)
    const before = contentOf(toPolicy(caller, row))
    const after = contentOf({ ...body, signature_id: signature })
    audit(body.name, `v${body.rev + 1}`, changesBetween(before, after))
    const { numUpdatedRows } = await db
      .updateTable('reinforce_policies')
      .set({
        name: body.name,
        general: body.general,
        application_id: body.general ? null : application,
        options: JSON.stringify(body.options),
        keep_rules: body.keep_rules,
        signature_id: signature,
        schemes: JSON.stringify([...new Set(body.schemes)].sort()),
        rev: body.rev + 1,
        updated_at: deps.now(),
        updated_by: caller.userId,
      })
      .where('id', '=', row.id)
      .where('rev', '=', body.rev)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new ProductError('data.conflict')
    return { data: toPolicy(caller, await findPolicy(meta, caller, row.id)) }
  })

  mount(deleteReinforcePolicy, async ({ body, caller, audit }) => {
    const row = await findPolicy(meta, caller, body.id)
    audit(row.name)
    if (!mayManage(caller, row)) throw new ProductError('reinforce.not_yours')
    await db.deleteFrom('reinforce_policies').where('id', '=', row.id).execute()
    return {}
  })

  mount(exportReinforcePolicy, async ({ query, caller, reply }) => {
    const policy = toPolicy(caller, await findPolicy(meta, caller, query.id))
    reply.header('content-type', 'application/json; charset=utf-8')
    reply.header('content-disposition', attachment(`${policy.name}.json`))
    return `${JSON.stringify(policyFile(policy), null, 2)}\n`
  })

  mount(reinforcePolicyFormat, ({ reply }) => {
    reply.header('content-type', 'application/schema+json; charset=utf-8')
    reply.header('content-disposition', attachment('reinforce-policy.schema.json'))
    return `${JSON.stringify(policyFileFormat(), null, 2)}\n`
  })

  async function insert(
    caller: Caller,
    made: Pick<ReinforcePolicy, 'name' | 'industry' | 'options' | 'keep_rules' | 'signature_id' | 'schemes'> & {
      appid: string | undefined
    },
  ): Promise<ReinforcePolicy> {
    const application = made.appid === undefined ? null : (await findApplication(meta, caller, made.appid)).id
    const { count } = await db
      .selectFrom('reinforce_policies')
      .select((one) => one.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    if (Number(count) >= MOST) throw new ProductError('quota.reached', { detail: `${MOST}` })
    const now = deps.now()
    const id = randomUUID()
    await db
      .insertInto('reinforce_policies')
      .values({
        id,
        name: made.name,
        general: false,
        industry: made.industry,
        application_id: application,
        owner_id: caller.userId,
        options: JSON.stringify(made.options),
        keep_rules: made.keep_rules,
        signature_id: made.signature_id,
        schemes: JSON.stringify(made.schemes),
        rev: 1,
        created_at: now,
        updated_at: now,
        updated_by: caller.userId,
      })
      .execute()
    return toPolicy(caller, await findPolicy(meta, caller, id))
  }
}

type Content = Pick<ReinforcePolicy, 'name' | 'general' | 'appid' | 'options' | 'keep_rules' | 'schemes'> & {
  signature_id: string | null
}

/** What the audit entry compares: each option by itself. */
function contentOf({ name, general, appid, options, keep_rules, schemes, signature_id }: Content) {
  return { name, general, appid, keep_rules, schemes, signature_id, ...(options satisfies ReinforceOptions) }
}
