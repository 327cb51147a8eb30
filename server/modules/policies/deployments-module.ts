import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import { changeDeployment, deployPolicy, policyReach, rollBack, rollOutGuard } from '#contracts/http/policies.ts'
import { sameRules } from '#domain/policy-rules.ts'
import { GUARD } from '#domain/roll-out-guard.ts'
import { CHANNELS, type Database } from '#storage/postgres/schema.ts'
import type { Caller, Module } from '../../http/module.ts'
import { findApplication } from '../applications/application-access.ts'
import { measureRollOut } from './measure-roll-out.ts'
import { findDeployment, findPolicy, type PolicyRow, readPolicy } from './policy-rows.ts'

type Tx = Transaction<Database>
type Target = { version: number; app_versions: string[]; percent: number; guarded: boolean }

/** To whom policies go: deploy, grow, pause, roll back; and who has what. The collector reads them again at once. */
export const deploymentsModule: Module = (mount, deps) => {
  const { meta } = deps
  const { db } = meta
  const changed = () => meta.notify(CHANNELS.changed, { what: 'policies' })

  mount(deployPolicy, async ({ body, caller, audit }) => {
    const policy = await findPolicy(meta, caller, body.id)
    const target = `${body.app_versions.join(' ') || 'all versions'}, ${body.percent} %`
    audit(policy.name, `${body.version ? `v${body.version}` : 'draft'}, ${target}`)
    if (policy.archived_at !== null) throw new ProductError('policy.archived')
    await db.transaction().execute(async (tx) => {
      const locked = await lockPolicy(tx, policy.id)
      if (locked.rev !== body.rev) throw new ProductError('data.conflict')
      const version = body.version ?? (await fixDraft(tx, locked, caller))
      const app_versions = [...new Set(body.app_versions)].sort()
      await deploy(
        tx,
        policy,
        caller,
        { version, app_versions, percent: body.percent, guarded: body.guarded },
        'deploy',
      )
    })
    await changed()
    const data = await readPolicy(meta, policy.id)
    audit(policy.name, `v${data.deployments[0]?.version}, ${target}`)
    return { data }
  })

  mount(changeDeployment, async ({ body, caller, audit }) => {
    const { deployment, policy } = await findDeployment(meta, caller, body.id)
    const percent = body.change === 'grow' ? (body.percent ?? 100) : deployment.percent
    audit(policy.name, `v${deployment.version} ${body.change} ${percent} %`)
    if (percent < deployment.percent) throw new ProductError('policy.shrink')
    // Growing and pausing take a running one, going on a paused one; what was ended stays ended.
    const live = ['running', 'paused'] as const
    const from = {
      grow: ['running'],
      pause: ['running'],
      resume: ['paused'],
      end: live,
      guard: live,
      unguard: live,
    } as const
    const states = { grow: 'running', pause: 'paused', resume: 'running', end: 'ended' } as const
    const set =
      body.change === 'guard' || body.change === 'unguard'
        ? { guarded: body.change === 'guard' }
        : { state: states[body.change], percent, changed_at: deps.now() }
    await db.transaction().execute(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('policy_deployments')
        .set(set)
        .where('id', '=', deployment.id)
        .where('state', 'in', [...from[body.change]])
        .where('percent', '=', deployment.percent)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw new ProductError('data.conflict')
      await note(tx, deployment.id, caller, body.change, percent)
    })
    await changed()
    return { data: await readPolicy(meta, policy.id) }
  })

  mount(rollOutGuard, async ({ query, caller }) => {
    const { deployment } = await findDeployment(meta, caller, query.id)
    const { store, now } = deps
    const data = await measureRollOut({ meta, store, now, zone: () => deps.settings().zone }, deployment)
    return { data, rule: GUARD }
  })

  mount(rollBack, async ({ body, caller, audit }) => {
    const { deployment, policy } = await findDeployment(meta, caller, body.id)
    audit(policy.name, `v${deployment.version} > v${body.version}`)
    if (body.version >= deployment.version) throw new ProductError('data.missing')
    await db.transaction().execute(async (tx) => {
      await lockPolicy(tx, policy.id)
      const { numUpdatedRows } = await tx
        .updateTable('policy_deployments')
        .set({ state: 'ended', changed_at: deps.now() })
        .where('id', '=', deployment.id)
        .where('state', '<>', 'ended')
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw new ProductError('data.conflict')
      await note(tx, deployment.id, caller, 'rolled_back', deployment.percent)
      const target = { version: body.version, app_versions: deployment.app_versions, percent: 100, guarded: true }
      await deploy(tx, policy, caller, target, 'roll_back')
    })
    await changed()
    return { data: await readPolicy(meta, policy.id) }
  })

  mount(policyReach, async ({ query, caller }) => {
    const { id } = await findApplication(meta, caller, query.appid)
    const rows = await db
      .selectFrom('policy_fetches as f')
      .leftJoin('policies as p', 'p.id', 'f.policy_id')
      .select((one) => [
        'f.policy_id as policy',
        'f.version',
        'p.name',
        one.fn.countAll<number>().as('devices'),
        one.fn.max('f.fetched_at').as('last_seen'),
      ])
      .where('f.application_id', '=', id)
      .groupBy(['f.policy_id', 'f.version', 'p.name'])
      .execute()
    const { count: never } = await db
      .selectFrom('installs as i')
      .select((one) => one.fn.count<number>('i.device').distinct().as('count'))
      .where('i.application_id', '=', id)
      .where('i.revoked_at', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('policy_fetches as f')
              .select('f.device')
              .where('f.application_id', '=', id)
              .whereRef('f.device', '=', 'i.device'),
          ),
        ),
      )
      .executeTakeFirstOrThrow()
    const versions = rows
      .map((row) => ({ ...row, name: row.name ?? '', devices: Number(row.devices), last_seen: Number(row.last_seen) }))
      .sort((a, b) => b.devices - a.devices || b.last_seen - a.last_seen)
    const devices = versions.reduce((sum, one) => sum + one.devices, 0)
    return { data: { versions, devices, never: Number(never) } }
  })

  /** Two deployments of one policy at once would fix two versions of one draft. */
  function lockPolicy(tx: Tx, id: string): Promise<PolicyRow> {
    return tx.selectFrom('policies').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
  }

  /** The draft as a fixed version: the newest one where that says the same already. */
  async function fixDraft(tx: Tx, policy: PolicyRow, caller: Caller): Promise<number> {
    const last = await tx
      .selectFrom('policy_versions')
      .select(['version', 'rules'])
      .where('policy_id', '=', policy.id)
      .orderBy('version', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (last && sameRules(last.rules, policy.draft)) return last.version
    const version = (last?.version ?? 0) + 1
    const rules = JSON.stringify(policy.draft)
    await tx
      .insertInto('policy_versions')
      .values({ policy_id: policy.id, version, rules, created_at: deps.now(), created_by: caller.userId })
      .execute()
    return version
  }

  async function deploy(tx: Tx, policy: PolicyRow, caller: Caller, target: Target, what: string): Promise<void> {
    const known = await tx
      .selectFrom('policy_versions')
      .select('version')
      .where('policy_id', '=', policy.id)
      .where('version', '=', target.version)
      .executeTakeFirst()
    if (!known) throw new ProductError('data.missing')
    const now = deps.now()
    const id = randomUUID()
    await tx
      .insertInto('policy_deployments')
      .values({
        id,
        application_id: policy.application_id,
        policy_id: policy.id,
        ...target,
        state: 'running',
        created_at: now,
        created_by: caller.userId,
        changed_at: now,
      })
      .execute()
    await note(tx, id, caller, what, target.percent)
  }

  async function note(tx: Tx, deployment_id: string, caller: Caller, what: string, percent: number): Promise<void> {
    const row = { deployment_id, at: deps.now(), by_user: caller.userId, what, percent, detail: null }
    await tx.insertInto('policy_deployment_changes').values(row).execute()
  }
}
