import { afterAll, beforeAll, expect, test } from 'vitest'
import { homeOverview } from '#contracts/http/home.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { good } from '#tests/support/detection-bed.ts'
import { CODE, PASSWORD } from '#tests/support/http-app.ts'
import { type ScopeBed, startScopeBed } from '#tests/support/scope-bed.ts'

let bed: ScopeBed
beforeAll(async () => {
  bed = await startScopeBed()
}, 120_000)
afterAll(() => bed?.close())

const figuresOf = async (client: ConsoleClient) => {
  const { modules } = await good(client, homeOverview)
  return Object.fromEntries(modules.map(({ module, figures }) => [module, figures]))
}
const signIn = async (name: string, role: string) => {
  await bed.http.addUser(`${name}@example.com`, role)
  const client = new ConsoleClient(bed.http.url)
  await client.signIn(`${name}@example.com`, PASSWORD, CODE)
  return client
}

test('[HOME-01] figures count what the account sees: two accounts have their own, an administrator both', async () => {
  const mine = await figuresOf(bed.clients.alice)
  expect(mine['alerts']).toMatchObject({ unacknowledged: 1 })
  expect(mine['cases']).toMatchObject({ open: 1, own: 1 })
  expect(mine['policies']).toMatchObject({ running: 2, drafts: 1 })
  const admin = await figuresOf(await signIn('home.admin', 'administrator'))
  expect(admin['alerts']).toMatchObject({ unacknowledged: 2 })
  expect(admin['cases']).toMatchObject({ open: 2, own: 0 })
  expect(admin['policies']).toMatchObject({ running: 4, drafts: 2 })
  expect(admin['licence']).toMatchObject({ applications: 2, allowed: null })
  expect(admin['licence']?.['days']).toBeGreaterThan(80)
})

test('[ROLE-01] modules without permission are absent, and recent work is the account`s own', async () => {
  const auditor = await good(await signIn('home.auditor', 'auditor'), homeOverview)
  expect(auditor.modules.map(({ module }) => module)).toEqual(['jobs'])
  expect(auditor.recent).toEqual([])
  const { text } = await bed.clients.bob.call(homeOverview)
  expect(text).toContain(bed.bob.marker)
  expect(text).not.toContain(bed.alice.marker)
  const { recent } = await good(bed.clients.alice, homeOverview)
  expect(recent.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['case', 'export']))
  expect(recent).toContainEqual(expect.objectContaining({ to: `/mssa/attack_spoor?case=${bed.alice.caseId}` }))
})

test('a module that cannot be read says so and takes no other with it', async () => {
  const { licence } = bed.http.deps
  bed.http.deps.licence = {
    ...licence,
    status() {
      throw new Error('away')
    },
  }
  try {
    const figures = await figuresOf(await signIn('home.second', 'administrator'))
    expect(figures['licence']).toBeNull()
    expect(figures['cases']).toMatchObject({ open: 2 })
  } finally {
    bed.http.deps.licence = licence
  }
})
