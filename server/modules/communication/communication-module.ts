import { ProductError } from '#contracts/errors.ts'
import {
  type CommunicationKey,
  closeCommunicationKey,
  communicationOverview,
  createCommunicationKey,
  exportCommunicationKey,
  revokeCommunicationKey,
  rotateCommunicationKey,
  runCommunicationTest,
  setGatewayPolicy,
} from '#contracts/http/communication.ts'
import { GATEWAY_POLICIES, keyName } from '#domain/communication.ts'
import type { Caller, Module } from '../../http/module.ts'
import { changesBetween } from '../../platform/audit/audit-changes.ts'
import { findApplication, findManaged, managesAll } from '../applications/application-access.ts'
import { attachment } from '../jobs/attachment-name.ts'
import { readGatewayPolicy, writeGatewayPolicy } from './gateway-policy.ts'
import { closeKey, createKey, type KeyRow, publicKeyPem, revokeKey, rotateKey } from './key-rows.ts'
import { makeLiveTest } from './live-test.ts'
import { readOverview, toKey } from './overview.ts'

/** Keys of applications for communication protection, the policy of gateways, and what gateways counted. */
export const communicationModule: Module = (mount, deps) => {
  const { meta } = deps
  const liveTest = makeLiveTest(deps)

  async function findKey(kid: number): Promise<KeyRow> {
    const row = await meta.db.selectFrom('communication_keys').selectAll().where('kid', '=', kid).executeTakeFirst()
    if (!row) throw new ProductError('data.missing')
    return row
  }
  /** The key and its application, which the caller manages. */
  async function manage(caller: Caller, kid: number) {
    const row = await findKey(kid)
    return { row, application: await findManaged(meta, caller, String(row.application_id)) }
  }
  const answer = (row: KeyRow, application: string): { data: CommunicationKey } => ({
    data: { ...toKey(row, application, true, deps.now()), requests: 0, refused: 0, versions: [] },
  })

  mount(communicationOverview, async ({ query, caller }) => ({
    data: await readOverview(meta, caller, deps.now(), query.appid),
  }))

  mount(createCommunicationKey, async ({ body, caller, audit }) => {
    const application = await findManaged(meta, caller, body.appid)
    audit(application.name, `${body.days} days`)
    const row = await createKey(deps, application.id, body.days, caller.userId)
    audit(application.name, `${keyName(row.kid)} ${body.days} days`)
    return answer(row, application.name)
  })

  mount(rotateCommunicationKey, async ({ body, caller, audit }) => {
    const { application } = await manage(caller, body.kid)
    const { days, overlap_days: overlapDays } = body
    audit(application.name, keyName(body.kid))
    const row = await rotateKey(deps, body.kid, { days, overlapDays, user: caller.userId })
    audit(application.name, `${keyName(body.kid)} -> ${keyName(row.kid)}, overlap ${overlapDays} days`)
    return answer(row, application.name)
  })

  mount(closeCommunicationKey, async ({ body, caller, audit }) => {
    const { application } = await manage(caller, body.kid)
    audit(application.name, `${keyName(body.kid)} in ${body.days} days`)
    return answer(await closeKey(deps, body.kid, body.days), application.name)
  })

  mount(revokeCommunicationKey, async ({ body, caller, audit }) => {
    const { application } = await manage(caller, body.kid)
    audit(application.name, keyName(body.kid))
    return answer(await revokeKey(deps, body.kid), application.name)
  })

  mount(exportCommunicationKey, async ({ query, caller, reply }) => {
    const row = await findKey(query.kid)
    await findApplication(meta, caller, String(row.application_id))
    const text = query.format === 'pem' ? publicKeyPem(row.public_key) : `${row.public_key}\n`
    const extension = query.format === 'pem' ? 'pem' : 'txt'
    reply.header('content-type', query.format === 'pem' ? 'application/x-pem-file' : 'text/plain; charset=utf-8')
    reply.header('content-disposition', attachment(`${keyName(query.kid)}-public.${extension}`))
    return text
  })

  mount(setGatewayPolicy, async ({ body, caller, audit }) => {
    if (!managesAll(caller)) throw new ProductError('communication.policy_scope')
    const before = await readGatewayPolicy(meta)
    audit(GATEWAY_POLICIES[body.policy].en, '', changesBetween({ policy: before }, { policy: body.policy }))
    await writeGatewayPolicy(meta, body.policy)
    return {}
  })

  mount(runCommunicationTest, async ({ body, audit }) => {
    const paths = [...new Set(body.requests.map(({ path }) => path))].join(' ')
    audit(body.gateway, paths)
    const { name, answers } = await liveTest.run(body.gateway, body.requests)
    audit(name, paths)
    return { data: answers }
  })
}
