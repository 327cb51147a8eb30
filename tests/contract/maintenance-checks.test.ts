import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type CheckRun,
  checkRuns,
  startCheck,
  startRepair,
  stopMaintenance,
} from '#contracts/http/maintenance/checks.ts'
import { CHECK_IDS } from '#contracts/maintenance-checks.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

let app: HttpApp
let admin: ConsoleClient
beforeAll(async () => {
  app = await startHttpApp()
  await app.addUser('admin@example.com', 'administrator')
  admin = new ConsoleClient(app.url)
  await admin.signIn('admin@example.com', PASSWORD, CODE)
})
afterAll(() => app.close())

const runs = async () => (await admin.call(checkRuns)).body['data'] as CheckRun[]
/** As the jobs process would end it. */
const end = (id: string, state: 'done' | 'stopped', outcomes: object[] = [{ check: 'audit.chain', count: 1 }]) =>
  app.meta.db
    .updateTable('maintenance_runs')
    .set({ state, ended_at: Date.now(), result: JSON.stringify({ outcomes }) })
    .where('id', '=', id)
    .execute()

test('[MAINT-01] one run at a time is started, shown, and stopped, and each of these is in the audit log', async () => {
  const { body } = await admin.call(startCheck, { body: { checks: [] } })
  expect(body).toMatchObject({ code: 0, data: { kind: 'check', state: 'waiting', by: 'admin@example.com' } })
  expect((await admin.call(startCheck, { body: { checks: ['audit.chain'] } })).body['code']).toBe(500005)
  const [run] = await runs()
  const row = await app.meta.db.selectFrom('maintenance_runs').select('input').executeTakeFirstOrThrow()
  expect(row.input).toEqual({ checks: CHECK_IDS })
  expect((await admin.call(stopMaintenance, { body: { id: run?.id } })).body['code']).toBe(0)
  expect((await runs())[0]?.state).toBe('stopped')
  expect((await admin.call(stopMaintenance, { body: { id: run?.id } })).body['code']).toBe(500002)
  const actions = await app.meta.db
    .selectFrom('audit_log')
    .select(['action', 'result'])
    .where('action', 'in', ['startCheck', 'stopMaintenance'])
    .orderBy('id')
    .execute()
  expect(actions.map(({ action, result }) => `${action} ${result}`)).toEqual([
    'startCheck ok',
    'startCheck task.exists',
    'stopMaintenance ok',
    'stopMaintenance data.missing',
  ])
})

test('[MAINT-01] a repair is refused unless the same checks have been looked at within a day', async () => {
  const repair = async (checks: string[]) => (await admin.call(startRepair, { body: { checks } })).body['code']
  expect(await repair(['audit.chain'])).toBe(501402)
  await admin.call(startCheck, { body: { checks: ['audit.chain'] } })
  const [run] = await runs()
  expect(await repair(['audit.chain'])).toBe(501402)
  await end(run?.id as string, 'done')
  expect(await repair(['audit.chain', 'files.orphans'])).toBe(501402)
  app.clock.offset = 25 * 3_600_000
  expect(await repair(['audit.chain'])).not.toBe(0)
  app.clock.offset = 0
  expect(await repair(['audit.chain'])).toBe(0)
  expect((await runs()).map(({ kind, state }) => `${kind} ${state}`)).toEqual([
    'repair waiting',
    'check done',
    'check stopped',
  ])
})
