import { createHash } from 'node:crypto'
import { ProductError } from '#contracts/errors.ts'
import {
  deletePrivacyPolicy,
  type PrivacyPolicy,
  privacyPolicy,
  savePrivacyPolicy,
} from '#contracts/http/self-check/privacy-policy.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Module } from '../../http/module.ts'
import { findApplication } from '../applications/application-access.ts'

/** The privacy policy of an application, which its detections read. */
export const privacyPolicyModule: Module = (mount, deps) => {
  const { db } = deps.meta

  mount(privacyPolicy, async ({ query, caller }) => {
    const { id } = await findApplication(deps.meta, caller, query.appid)
    return { data: await readPolicy(deps.meta, id) }
  })

  mount(savePrivacyPolicy, async ({ body, caller, audit }) => {
    const application = await findApplication(deps.meta, caller, body.appid)
    audit(`privacy policy ${application.name}`, `${body.name} ${body.content.length}`.trim())
    const { name, content } = body
    const sha256 = createHash('sha256').update(content).digest('hex')
    await db.transaction().execute(async (all) => {
      await all.selectFrom('applications').select('id').where('id', '=', application.id).forUpdate().execute()
      const before = await all
        .selectFrom('privacy_policies')
        .select('rev')
        .where('application_id', '=', application.id)
        .executeTakeFirst()
      if (body.rev !== undefined && body.rev !== (before?.rev ?? 0)) throw new ProductError('data.conflict')
      const rev = (before?.rev ?? 0) + 1
      const values = { name, content, sha256, rev, by_user: caller.userId, updated_at: deps.now() }
      await all
        .insertInto('privacy_policies')
        .values({ application_id: application.id, ...values })
        .onConflict((conflict) => conflict.column('application_id').doUpdateSet(values))
        .execute()
    })
    return { data: (await readPolicy(deps.meta, application.id)) as PrivacyPolicy }
  })

  mount(deletePrivacyPolicy, async ({ body, caller, audit }) => {
    const application = await findApplication(deps.meta, caller, body.appid)
    audit(`privacy policy ${application.name}`, 'taken away')
    const gone = await db.deleteFrom('privacy_policies').where('application_id', '=', application.id).executeTakeFirst()
    if (gone.numDeletedRows === 0n) throw new ProductError('data.missing')
    return {}
  })
}

async function readPolicy({ db }: MetaStore, application: number): Promise<PrivacyPolicy | null> {
  const row = await db
    .selectFrom('privacy_policies as policy')
    .leftJoin('users', 'users.id', 'policy.by_user')
    .select(['policy.name', 'policy.content', 'policy.sha256', 'policy.rev', 'policy.updated_at', 'users.username'])
    .where('policy.application_id', '=', application)
    .executeTakeFirst()
  if (!row) return null
  const { username, ...policy } = row
  return { ...policy, by: username ?? '' }
}
