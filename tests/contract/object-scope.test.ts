import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDisplayToken, wallSelf } from '#contracts/http/tokens.ts'
import type { Reply } from '#tests/support/console-client.ts'
import { good } from '#tests/support/detection-bed.ts'
import { OTHER_ENDPOINTS } from '#tests/support/scope-areas.ts'
import { type ScopeBed, startScopeBed } from '#tests/support/scope-bed.ts'
import {
  type Ask,
  at,
  EXEMPT,
  idFields,
  isShared,
  LATER,
  NAMING,
  type Own,
  type Path,
  READING,
  SHOWN,
  swapped,
  withValue,
} from '#tests/support/scope-calls.ts'

/** Object-level access ("swapped ids") of every endpoint that detection-scope.test.ts does not cover. */
let bed: ScopeBed
let alice: Own
let bob: Own
beforeAll(async () => {
  bed = await startScopeBed()
  ;({ alice, bob } = bed)
}, 120_000)
afterAll(() => bed?.close())

const NO_ID = '00000000-0000-0000-0000-000000000000'
/** Answers that tell nothing of the object. Not input.invalid: a call that is wrong for everybody gets it too. */
const REFUSALS: Record<number, string> = { 500002: 'data.missing', 500018: 'permission.missing' }
const refusal = ({ status, body }: Reply) => REFUSALS[body['code'] as number] ?? (status === 404 ? 'data.missing' : '')

/**
 * Whether input.invalid refuses the id as one that no object has: the same answer comes for an id that does not exist, while the call
 * without a swapped id is valid (the test of the owner).
 */
async function isUnknown(name: string, ask: Ask, path: Path, reply: Reply): Promise<boolean> {
  if (reply.body['code'] !== 500001) return false
  const paths = path[0] === 'everything' ? idFields(ask(alice), ask(bob)) : [path]
  let input = ask(bob)
  for (const one of paths) input = withValue(input, one, /^\d+$/.test(String(at(input, one))) ? '999999' : NO_ID)
  return (await bed.call(bed.clients.bob, name, input)).text === reply.text
}

test('every endpoint is in one of the tables or exempt with a reason, so that none is forgotten', () => {
  const listed = [NAMING, READING, LATER].flatMap((table) => Object.keys(table))
  expect([...listed, ...Object.values(EXEMPT).flat()].toSorted()).toEqual(
    OTHER_ENDPOINTS.map(([name]) => name).toSorted(),
  )
})

test('[ROLE-01] lists and queries of events answer with objects of the caller alone', async () => {
  const wrong: string[] = []
  for (const [name, ask] of Object.entries(READING)) {
    const own = await bed.call(bed.clients.alice, name, ask(alice))
    const shown = (SHOWN[name] ?? (({ marker }) => marker))(alice)
    if (!own.text.includes(shown)) wrong.push(`${name} without ${shown}: ${own.text.slice(0, 300)}`)
  }
  const changed = await bed.changedBy(async () => {
    for (const [name, ask] of Object.entries(READING)) {
      for (const { path, input } of [{ path: ['nothing'], input: ask(bob) }, ...swapped(ask, alice, bob)]) {
        const reply = await bed.call(bed.clients.bob, name, input)
        if (reply.text.includes(alice.marker) || reply.status >= 500)
          wrong.push(`${name} ${path.join('.')}: ${reply.status} ${reply.text.slice(0, 300)}`)
      }
    }
  })
  expect({ wrong, changed }).toEqual({ wrong: [], changed: [] })
})

test.each(Object.entries(LATER))(
  '[ROLE-01] %s works in the scope of who asked, whatever it names',
  async (name, ask) => {
    const reply = await bed.call(bed.clients.bob, name, ask(alice))
    if (refusal(reply) === 'permission.missing') return
    const { id } = reply.body['job'] as { id: string }
    const { input } = await bed.http.meta.db
      .selectFrom('jobs')
      .select('input')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect((input as { scope: unknown }).scope).toEqual({ apps: [Number(bob.appid)] })
  },
)

test('[ROLE-01] a wall shows no private view of somebody else, though its token names it', async () => {
  const views = [alice, bob].map(({ view }) => ({ view, seconds: 10 }))
  const made = await good(bed.clients.bob, createDisplayToken, { body: { name: 'Wall', views } })
  const answer = await fetch(bed.http.url + wallSelf.path, { headers: { authorization: `Bearer ${made.token}` } })
  const { data } = (await answer.json()) as { data: { views: { id: string }[] } }
  expect(data.views.map(({ id }) => id)).toEqual([bob.view])
})

test('[ROLE-01] what an account names of another does not exist, and stays as it is', async () => {
  const open: string[] = []
  const changed = await bed.changedBy(async () => {
    for (const [name, ask] of Object.entries(NAMING)) {
      for (const { path, input } of swapped(ask, alice, bob)) {
        const reply = await bed.call(bed.clients.bob, name, input)
        const isRefused = refusal(reply) || isShared(path) || (await isUnknown(name, ask, path, reply))
        if (reply.text.includes(alice.marker) || !isRefused)
          open.push(`${name} ${path.join('.')}: ${reply.text.slice(0, 200)}`)
      }
    }
  })
  expect({ open, changed }).toEqual({ open: [], changed: [] })
})

// Last: it deletes what she has, so that a second try would find nothing. Were she refused too, the tests above would prove nothing.
test('[ROLE-01] the same calls by the owner succeed', { retry: 0 }, async () => {
  const refused: string[] = []
  for (const [name, ask] of Object.entries(NAMING)) {
    const { status, body, text } = await bed.call(bed.clients.alice, name, ask(alice))
    if (status !== 200 || (body['code'] ?? 0) !== 0) refused.push(`${name}: ${status} ${text.slice(0, 200)}`)
  }
  expect(refused).toEqual([])
  // The message of testAlertChannel.
  expect(bed.received()).toBe(1)
})
