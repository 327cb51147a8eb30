import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApplication } from '#contracts/http/applications.ts'
import { erasures } from '#contracts/http/erasures.ts'
import { createRole } from '#contracts/http/roles.ts'
import { SESSION_ROLES } from '#contracts/permissions.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { good } from '#tests/support/detection-bed.ts'
import { CODE, type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'
import { hashKey } from '#tests/support/made-events.ts'

let http: HttpApp
let admin: ConsoleClient
let member: ConsoleClient
/** The application of the member, and one that he does not see. */
let own: number
let other: number

beforeAll(async () => {
  http = await startHttpApp()
  admin = await signIn('admin', 'administrator')
  const auth = [...SESSION_ROLES, 'personal.erase', 'application.create']
  const { data: role } = await good(admin, createRole, { body: { name: 'Eraser', administrator: false, auth } })
  member = await signIn('member', role.key)
  own = await application(member, 'Own')
  other = await application(admin, 'Other')
})
afterAll(() => http?.close())

async function signIn(name: string, role: string): Promise<ConsoleClient> {
  await http.addUser(`${name}@example.com`, role)
  const client = new ConsoleClient(http.url)
  await client.signIn(`${name}@example.com`, PASSWORD, CODE)
  return client
}
async function application(client: ConsoleClient, name: string): Promise<number> {
  const made = await good(client, createApplication, { body: { name, mimetype_list: [1] } })
  return Number(made.object_list[0]?.id)
}

test('[ROLE-01] the list of erasures shows a member those of his applications, without the numbers of others', async () => {
  const counts = { events: 5, quarantined: 4, installs: 3, verdicts: 2 }
  const row = (applications: number[], asked_at: number) => ({
    ...{ id: randomUUID(), kind: 'device' as const, subject: hashKey(asked_at), applications, by_user: null },
    ...{ asked_at, done_at: asked_at + 1, ...counts },
  })
  const [both, mine] = [row([own, other], 3), row([own], 1)]
  // More of others than the list is long, and newer.
  const others = Array.from({ length: 250 }, (_, n) => row([other], 10 + n))
  await http.meta.db
    .insertInto('erasures')
    .values([both, mine, ...others])
    .execute()
  const { data } = await good(member, erasures, {})
  const appids = [String(own)]
  expect(data).toEqual([
    expect.objectContaining({ id: both.id, appids, events: null, quarantined: null, installs: null, verdicts: null }),
    expect.objectContaining({ id: mine.id, appids, ...counts }),
  ])
  const all = await good(admin, erasures, {})
  expect(all.data).toHaveLength(200)
  expect(all.data[0]).toMatchObject({ appids: [String(other)], ...counts })
})
