import { afterAll, beforeAll, expect, test } from 'vitest'
import { liveTicket } from '#contracts/http/observatory.ts'
import { deleteView, savedViews, saveView } from '#contracts/http/saved-views.ts'
import { takeTicket } from '#realtime/relay/live-ticket.ts'
import { createToken } from '#server/modules/tokens/access-tokens.ts'
import { type Api, apiWith } from '#tests/support/api.ts'
import { type HttpApp, startHttpApp } from '#tests/support/http-app.ts'

let app: HttpApp
let owner: Api
let colleague: Api
let reader: Api
let apiOf: (scopes: string[]) => Promise<Api>
beforeAll(async () => {
  app = await startHttpApp()
  const administrator = await app.addUser('a@example.com', 'administrator')
  const operator = await app.addUser('b@example.com', 'operator2')
  const api = async (userId: number, scopes: string[]) => {
    const { token } = await createToken({ meta: app.meta, now: app.deps.now }, { userId, name: 't', scopes, days: 1 })
    return apiWith(app.url, token)
  }
  owner = await api(administrator, ['events.read', 'view.share', 'personal.reveal'])
  reader = await api(administrator, ['events.read'])
  colleague = await api(operator, ['events.read'])
  apiOf = (scopes) => api(administrator, scopes)
})
afterAll(() => app.close())

const view = { page: 'observatory', name: 'Night shift', search: '?range=-1h&f=level:critical' }

test('[OBS-01] a view is saved, changed by its version, and deleted', async () => {
  const { data } = await owner(saveView, { body: view })
  expect(data).toMatchObject({ ...view, own: true, shared: false, version: 1, owner: 'a@example.com' })
  const changed = await owner(saveView, { body: { ...view, id: data.id, name: 'Day shift', version: 1 } })
  expect(changed.data).toMatchObject({ name: 'Day shift', version: 2 })
  await expect(owner(saveView, { body: { ...view, id: data.id, version: 1 } })).rejects.toThrow('500003')
  expect((await owner(savedViews, { query: { page: 'observatory' } })).data.length).toBe(1)
  expect((await owner(savedViews, { query: { page: 'home' } })).data.length).toBe(0)
  await owner(deleteView, { body: { id: data.id } })
  await expect(owner(deleteView, { body: { id: data.id } })).rejects.toThrow('500002')
})

test('[ASSET-02] views of lists that are no statistics can be saved by users who can read those lists', async () => {
  const keeper = await apiOf(['asset.read'])
  const { data } = await keeper(saveView, {
    body: { page: 'assets', name: 'unreinforced', search: 'protection=unreinforced' },
  })
  expect((await keeper(savedViews, { query: { page: 'assets' } })).data).toEqual([data])
  await keeper(deleteView, { body: { id: data.id } })
  const withoutRight = await apiOf(['alert.edit'])
  await expect(withoutRight(savedViews, { query: { page: 'assets' } })).rejects.toThrow('500018')
})

test('[OBS-01] a private view does not exist for others; a team view is theirs to read, not to change', async () => {
  const mine = (await owner(saveView, { body: { ...view, name: 'private' } })).data
  const team = (await owner(saveView, { body: { ...view, name: 'team', shared: true } })).data
  const seen = (await colleague(savedViews, { query: {} })).data
  expect(seen.map(({ id, own }) => ({ id, own }))).toEqual([{ id: team.id, own: false }])
  for (const id of [mine.id, 'nothing']) {
    await expect(colleague(saveView, { body: { ...view, id } })).rejects.toThrow('500002')
    await expect(colleague(deleteView, { body: { id } })).rejects.toThrow('500002')
  }
  await expect(colleague(saveView, { body: { ...view, id: team.id } })).rejects.toThrow('500018')
  await expect(colleague(deleteView, { body: { id: team.id } })).rejects.toThrow('500018')
  await expect(colleague(saveView, { body: { ...view, shared: true } })).rejects.toThrow('500018')
  await expect(owner(saveView, { body: { ...view, page: 'nowhere' } })).rejects.toThrow('500001')
})

test('[OBS-01] a live ticket opens once, within 30 seconds, for what its caller may see', async () => {
  const { ticket } = await owner(liveTicket)
  const rows = await app.meta.db.selectFrom('live_tickets').select('id').execute()
  expect(rows.some((row) => row.id === ticket)).toBe(false)
  const subject = await takeTicket(app.meta, ticket, app.deps.now())
  expect(subject).toMatchObject({ kind: 'token', until: expect.any(Number), scope: { apps: 'all' }, personal: true })
  expect(await takeTicket(app.meta, ticket, app.deps.now())).toBeUndefined()
  const late = (await reader(liveTicket)).ticket
  expect(await takeTicket(app.meta, late, app.deps.now() + 31_000)).toBeUndefined()
  const limited = await takeTicket(app.meta, (await colleague(liveTicket)).ticket, app.deps.now())
  expect(limited).toMatchObject({ scope: { apps: [] }, personal: false })
})
