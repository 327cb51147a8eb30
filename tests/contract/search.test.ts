import { afterAll, beforeAll, expect, test } from 'vitest'
import { SEARCH_KIND_NAMES, type SearchKind, search } from '#contracts/http/search.ts'
import { library } from '#server/modules/knowledge/library.ts'
import { KIND_MS } from '#server/modules/search/search-module.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { good } from '#tests/support/detection-bed.ts'
import { addFailedPackage } from '#tests/support/failed-package.ts'
import { CODE, PASSWORD } from '#tests/support/http-app.ts'
import { type ScopeBed, startScopeBed } from '#tests/support/scope-bed.ts'
import type { Own } from '#tests/support/scope-calls.ts'

let bed: ScopeBed
/** What each of the two has beside the objects of the bed. */
const shas = { alice: 'a1'.repeat(32), bob: 'b2'.repeat(32) }
beforeAll(async () => {
  bed = await startScopeBed()
  library().warm()
  for (const name of ['alice', 'bob'] as const) await addFailedPackage(bed, name, 'android-sig-v1-only', shas[name])
}, 120_000)
afterAll(() => bed?.close())

async function found(client: ConsoleClient, text: string, kinds = '') {
  return good(client, search, { query: { text, kinds, limit: 20 } })
}
async function kindsOf(client: ConsoleClient, text: string): Promise<SearchKind[]> {
  return (await found(client, text)).data.map(({ kind }) => kind)
}
const signIn = async (name: string, role: string) => {
  await bed.http.addUser(`${name}@example.com`, role)
  const client = new ConsoleClient(bed.http.url)
  await client.signIn(`${name}@example.com`, PASSWORD, CODE)
  return client
}

test('[SHELL-01] names and ids find applications, packages, devices, users, events, findings, rules, cases and vulnerabilities', async () => {
  const { alice } = bed
  const { alice: client } = bed.clients
  expect(await kindsOf(client, alice.marker)).toEqual(
    expect.arrayContaining(['application', 'package', 'rule', 'case']),
  )
  expect(await kindsOf(client, 'OF-ALICE')).toContain('application')
  expect(await kindsOf(client, alice.appid)).toContain('application')
  for (const text of [shas.alice, shas.alice.slice(0, 12), shas.alice.slice(0, 32), 'org.example.ali'])
    expect(await kindsOf(client, text), text).toContain('package')
  const shortHash = `d_${alice.device.slice(0, 4)}…${alice.device.slice(-4)}`
  for (const text of [alice.device, alice.device.slice(0, 10), shortHash])
    expect(await kindsOf(client, text), text).toContain('device')
  expect(await kindsOf(client, alice.user)).toEqual(['user'])
  expect(await kindsOf(client, alice.event)).toEqual(['event'])
  expect(await kindsOf(client, alice.event.toUpperCase())).toEqual(['event'])
  expect(await kindsOf(client, 'janus')).toEqual(expect.arrayContaining(['finding', 'rule']))
  expect(await kindsOf(client, 'Janus 漏洞 没有')).toEqual([])
  const { data } = await found(client, 'CVE-2017-13156')
  const vulnerability = data.find(({ kind }) => kind === 'vulnerability')?.hits[0]
  expect(vulnerability).toMatchObject({ id: 'CVE-2017-13156', exact: true })
  expect(await kindsOf(client, '%')).toEqual([])
  expect(await kindsOf(client, '203.0.113.77')).toEqual([])
})

test('[SHELL-01] limits: as many hits of a kind as asked for, and whether there are more; only the kinds asked for', async () => {
  const { data } = await good(bed.clients.alice, search, { query: { text: 'cve', kinds: 'vulnerability', limit: 3 } })
  expect(data).toHaveLength(1)
  expect(data[0]).toMatchObject({ kind: 'vulnerability', more: true })
  expect(data[0]?.hits).toHaveLength(3)
  expect(await kindsOf(bed.clients.alice, 'cve')).not.toContain('application')
  const long = await bed.clients.alice.call(search, { query: { text: 'x'.repeat(129) } })
  expect(long.body['code']).toBe(500001)
})

test('[ROLE-01] nothing of one application is found by an account of another, by any name or id', async () => {
  const leaks: string[] = []
  for (const [viewer, other] of [
    ['bob', 'alice'],
    ['alice', 'bob'],
  ] as const) {
    const own: Own = bed[other]
    const texts = [
      ...[own.marker, own.appid, own.device, own.device.slice(0, 6), own.user, own.event, own.caseId, own.rule],
      ...[shas[other], shas[other].slice(0, 8), `org.example.${other}`, 'janus', 'secret', 'org.example', '9.4.0'],
    ]
    for (const text of texts) {
      const { text: answer } = await bed.clients[viewer].call(search, { query: { text, limit: 20 } })
      const secrets = [own.marker, own.device, own.user, own.event, own.caseId, shas[other], `org.example.${other}`]
      for (const secret of secrets) if (answer.includes(secret)) leaks.push(`${viewer} ${text}: ${secret}`)
    }
  }
  expect(leaks).toEqual([])
})

test('[ROLE-01] a role finds the kinds of its permission items alone; an administrator finds accounts', async () => {
  const { alice } = bed
  const auditor = await signIn('search.auditor', 'auditor')
  for (const text of [alice.marker, alice.device, alice.event, 'janus', 'example.com'])
    expect(
      (await kindsOf(auditor, text)).filter((kind) => !['application', 'vulnerability', 'article'].includes(kind)),
      text,
    ).toEqual([])
  const admin = await signIn('search.admin', 'administrator')
  expect(await kindsOf(admin, 'bob@example')).toContain('account')
  expect(await kindsOf(bed.clients.alice, 'bob@example')).toContain('account') // its role has user.manage
  const operator = await signIn('search.operator', 'operator')
  expect(await kindsOf(operator, 'bob@example')).toEqual([])
  expect(SEARCH_KIND_NAMES).toHaveLength(12)
})

test('a store that is away or slow is named, and holds no other kind up', async () => {
  const { store } = bed.http.deps
  const slowly = (ms: number) =>
    new Proxy(store, {
      get: (target, name) =>
        name === 'findKeys' || name === 'findEvents'
          ? () => new Promise((_, reject) => setTimeout(() => reject(new Error('away')), ms))
          : Reflect.get(target, name),
    })
  try {
    bed.http.deps.store = slowly(0)
    const away = await found(bed.clients.alice, 'janus')
    expect(away.unanswered).toContainEqual({ kind: 'event', reason: 'away' })
    expect(away.data.map(({ kind }) => kind)).toContain('finding')
    bed.http.deps.store = slowly(5000)
    const slow = await found(bed.clients.alice, 'janus')
    expect(slow.unanswered).toContainEqual({ kind: 'event', reason: 'slow' })
    expect(slow.data.map(({ kind }) => kind)).toContain('finding')
    expect(slow.milliseconds).toBeLessThan(KIND_MS + 600)
  } finally {
    bed.http.deps.store = store
  }
})
