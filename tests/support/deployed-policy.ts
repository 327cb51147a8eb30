import { randomUUID } from 'node:crypto'
import type { PolicyRules } from '#domain/policy-rules.ts'
import type { MetaStore } from '#storage/postgres/database.ts'

export interface PolicyChange {
  rules: PolicyRules
  percent: number
  versions: string[]
  state: 'running' | 'paused'
}

/** A policy of the application with its first version deployed, as the console stores it. Ids of the policy and of the deployment. */
export async function deployPolicy(
  { db }: MetaStore,
  app: number,
  { rules, percent = 100, versions = [], state = 'running' }: Partial<PolicyChange> & Pick<PolicyChange, 'rules'>,
  at: number,
): Promise<{ policy: string; id: string }> {
  const [policy, id] = [randomUUID(), randomUUID()]
  const text = JSON.stringify(rules)
  await db
    .insertInto('policies')
    .values({
      ...{ id: policy, application_id: app, name: 'p', draft: text, rev: 1 },
      ...{ archived_at: null, created_at: 0, updated_at: 0, updated_by: null },
    })
    .execute()
  await db
    .insertInto('policy_versions')
    .values({ policy_id: policy, version: 1, rules: text, created_at: 0, created_by: null })
    .execute()
  await db
    .insertInto('policy_deployments')
    .values({
      ...{ id, application_id: app, policy_id: policy, version: 1, app_versions: versions, percent, state },
      ...{ created_at: at, created_by: null, changed_at: at },
    })
    .execute()
  return { policy, id }
}
