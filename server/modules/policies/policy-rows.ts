import type { Selectable } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import type { Deployment, Policy, PolicySummary } from '#contracts/http/policies.ts'
import { sameRules } from '#domain/policy-rules.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Database } from '#storage/postgres/schema.ts'
import type { Caller } from '../../http/module.ts'
import { findApplication } from '../applications/application-access.ts'

export type PolicyRow = Selectable<Database['policies']>
type DeploymentRow = Selectable<Database['policy_deployments']>

/** The policy, or data.missing where the caller may not see its application. */
export async function findPolicy(meta: MetaStore, caller: Caller, id: string): Promise<PolicyRow> {
  const row = await meta.db.selectFrom('policies').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw new ProductError('data.missing')
  await findApplication(meta, caller, String(row.application_id))
  return row
}

/** The deployment with its policy, or data.missing. */
export async function findDeployment(
  meta: MetaStore,
  caller: Caller,
  id: string,
): Promise<{ deployment: DeploymentRow; policy: PolicyRow }> {
  const deployment = await meta.db.selectFrom('policy_deployments').selectAll().where('id', '=', id).executeTakeFirst()
  if (!deployment) throw new ProductError('data.missing')
  return { deployment, policy: await findPolicy(meta, caller, deployment.policy_id) }
}

/** Whether all that `older` is for gets `newer` instead. */
function covers(newer: Pick<DeploymentRow, 'state' | 'percent' | 'app_versions'>, older: DeploymentRow): boolean {
  if (newer.state !== 'running' || newer.percent < 100) return false
  if (newer.app_versions.length === 0) return true
  return older.app_versions.length > 0 && older.app_versions.every((one) => newer.app_versions.includes(one))
}

/** Deployments of these applications as the console sees them, newest first, by policy. */
async function deploymentsOf(meta: MetaStore, apps: readonly number[]): Promise<Map<string, Deployment[]>> {
  const found = new Map<string, Deployment[]>()
  if (apps.length === 0) return found
  const rows = await meta.db
    .selectFrom('policy_deployments as d')
    .leftJoin('users as u', 'u.id', 'd.created_by')
    .selectAll('d')
    .select('u.username as author')
    .where('d.application_id', 'in', [...apps])
    .orderBy('d.serial', 'desc')
    .execute()
  const changes = await meta.db
    .selectFrom('policy_deployment_changes as c')
    .innerJoin('policy_deployments as d', 'd.id', 'c.deployment_id')
    .leftJoin('users as u', 'u.id', 'c.by_user')
    .select(['c.deployment_id', 'c.at', 'c.what', 'c.percent', 'c.detail', 'u.username as by'])
    .where('d.application_id', 'in', [...apps])
    .orderBy('c.id')
    .execute()
  for (const [index, { author, ...row }] of rows.entries()) {
    const newer = rows.slice(0, index).filter((one) => one.application_id === row.application_id)
    const before = rows.slice(index + 1).find((one) => one.policy_id === row.policy_id && one.version !== row.version)
    const one: Deployment = {
      id: row.id,
      policy: row.policy_id,
      version: row.version,
      app_versions: row.app_versions,
      percent: row.percent,
      state: row.state,
      guarded: row.guarded,
      covered: newer.some((other) => covers(other, row)),
      created_at: row.created_at,
      created_by: author ?? '',
      changed_at: row.changed_at,
      before: before?.version ?? null,
      changes: changes
        .filter(({ deployment_id }) => deployment_id === row.id)
        .map(({ at, by, what, percent, detail }) => ({ at, by: by ?? '', what, percent, reading: detail })),
    }
    const list = found.get(row.policy_id)
    if (list) list.push(one)
    else found.set(row.policy_id, [one])
  }
  return found
}

/** Policies of these applications, last changed first, archived ones last. */
export async function listPolicies(meta: MetaStore, apps: readonly number[]): Promise<PolicySummary[]> {
  if (apps.length === 0) return []
  const rows = await meta.db
    .selectFrom('policies as p')
    .leftJoin('users as u', 'u.id', 'p.updated_by')
    .selectAll('p')
    .select('u.username as author')
    .where('p.application_id', 'in', [...apps])
    .orderBy('p.updated_at', 'desc')
    .execute()
  const newest = await meta.db
    .selectFrom('policy_versions as v')
    .innerJoin('policies as p', 'p.id', 'v.policy_id')
    .select(['v.policy_id', 'v.version', 'v.rules'])
    .distinctOn('v.policy_id')
    .where('p.application_id', 'in', [...apps])
    .orderBy('v.policy_id')
    .orderBy('v.version', 'desc')
    .execute()
  const deployments = await deploymentsOf(meta, apps)
  const list = rows.map(({ author, ...row }) => {
    const last = newest.find(({ policy_id }) => policy_id === row.id)
    return {
      ...summaryOf(row, author, last),
      live: (deployments.get(row.id) ?? []).filter((one) => one.state !== 'ended' && !one.covered),
    }
  })
  return list.sort((a, b) => Number(a.archived_at !== null) - Number(b.archived_at !== null))
}

/** All that the page of one policy shows. */
export async function readPolicy(meta: MetaStore, id: string): Promise<Policy> {
  const row = await meta.db
    .selectFrom('policies as p')
    .leftJoin('users as u', 'u.id', 'p.updated_by')
    .selectAll('p')
    .select('u.username as author')
    .where('p.id', '=', id)
    .executeTakeFirst()
  if (!row) throw new ProductError('data.missing')
  const versions = await meta.db
    .selectFrom('policy_versions as v')
    .leftJoin('users as u', 'u.id', 'v.created_by')
    .select(['v.version', 'v.rules', 'v.created_at', 'u.username as created_by'])
    .where('v.policy_id', '=', id)
    .orderBy('v.version', 'desc')
    .execute()
  const { author, ...policy } = row
  return {
    ...summaryOf(policy, author, versions[0]),
    draft: policy.draft,
    versions: versions.map((one) => ({ ...one, created_by: one.created_by ?? '' })),
    deployments: (await deploymentsOf(meta, [policy.application_id])).get(id) ?? [],
  }
}

function summaryOf(
  row: PolicyRow,
  author: string | null,
  last: Pick<Selectable<Database['policy_versions']>, 'version' | 'rules'> | undefined,
): Omit<PolicySummary, 'live'> {
  return {
    id: row.id,
    appid: String(row.application_id),
    name: row.name,
    rev: row.rev,
    version: last?.version ?? 0,
    changed: !last || !sameRules(last.rules, row.draft),
    archived_at: row.archived_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
    updated_by: author ?? '',
  }
}
